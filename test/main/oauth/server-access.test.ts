import { expect, test } from 'vitest';
import { newProofKey, ProofSessions } from '../../../src-main/oauth/proof-key';
import { ServerAccess } from '../../../src-main/oauth/server-access';
import { EMPTY_SIGN_INS_FILE, SignInStore } from '../../../src-main/oauth/sign-in-store';
import { TokenRenewal } from '../../../src-main/oauth/token-renewal';
import { memoryDocument } from '../../../src-main/storage/memory-document';
import { ServerIdSchema } from '../../../src-shared/servers/server.schema';
import { FakeClock } from '../../support/fake-clock';
import { FakeVault } from '../../support/fake-vault';

const id = ServerIdSchema.parse('notes');
const endpoint = 'https://notes.example.com/mcp';
const request = { method: 'POST', url: endpoint };
const nonceChallenge = 'DPoP error="use_dpop_nonce"';

/** Signed in at one address, with tokens that are bound to a key or not; renewing is refused by the host. */
function setUp({
  isBound = true,
  renewAt = null as number | null,
  answer = { error: 'invalid_grant' } as object,
  status = 400,
} = {}) {
  const vault = new FakeVault();
  const clock = new FakeClock();
  const store = new SignInStore({ document: memoryDocument(EMPTY_SIGN_INS_FILE), vault });
  const binding = {
    ...{ serverId: id, endpoint, resource: endpoint, issuer: 'https://login.example.com', clientId: 'c', clientAuthMethod: null },
    ...{ tokenEndpoint: 'https://login.example.com/token', authMethods: ['none'] },
  };
  const tokens = { access: 'access-1', refresh: 'refresh-1', renewAt, scope: 'read' };
  store.keep(binding, tokens, null, isBound ? newProofKey('ES256') : null);
  const proofs = new ProofSessions();
  const sent: Headers[] = [];
  const renewal = new TokenRenewal({
    ...{ clock, store, proofs },
    fetchFor: () => async (_input, init) => {
      sent.push(new Headers(init?.headers));
      return Response.json(answer, { status });
    },
  });
  const asked: boolean[] = [];
  const accessAt = (address: string): ServerAccess =>
    new ServerAccess({
      ...{ id, endpoint: address, store, renewal, proofs },
      nameOf: () => 'Notes',
      asked: (_challenge, wasAuthorized) => void asked.push(wasAuthorized),
      noteLoss: () => undefined,
      stepUp: async () => false,
    });
  return { vault, store, sent, asked, accessAt, access: accessAt(endpoint) };
}

const claimsOf = (proof: string | undefined): Record<string, unknown> =>
  JSON.parse(Buffer.from(proof?.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

test('K3: a bound token goes as such, with a proof; another one goes as it always did', async () => {
  const headers = await setUp().access.authorize(request);
  expect(headers.authorization).toBe('DPoP access-1');
  expect(claimsOf(headers.dpop)).toMatchObject({ htm: 'POST', htu: endpoint });
  expect(await setUp({ isBound: false }).access.authorize(request)).toEqual({ authorization: 'Bearer access-1' });
});

test('K3: a bound token whose key is gone is not sent at all', async () => {
  const { vault, store, access } = setUp();
  vault.remove(store.recordOf(id)!.keyRef!);
  expect(await access.authorize(request)).toEqual({});
});

test('K3: another address of the same server has neither token nor key', async () => {
  const { accessAt } = setUp();
  for (const address of [`${endpoint}/`, 'https://evil.example.com/mcp'])
    expect(await accessAt(address).authorize({ method: 'POST', url: address })).toEqual({});
});

test('K3: an answer’s nonce is in the next proof, and only a challenge for it is worth another try', async () => {
  const { access } = setUp();
  const answer = { url: endpoint, status: 200, header: undefined, nonce: 'n-1' };
  expect(await access.noteNonce(answer)).toBe(false);
  expect(claimsOf((await access.authorize(request)).dpop)['nonce']).toBe('n-1');
  expect(await access.noteNonce({ ...answer, status: 401, header: nonceChallenge, nonce: 'n-2' })).toBe(true);
  expect(claimsOf((await access.authorize(request)).dpop)['nonce']).toBe('n-2');
  expect(await access.noteNonce({ ...answer, status: 401, header: 'DPoP error="invalid_token"' })).toBe(false);
  expect(await access.noteNonce({ ...answer, status: 401, header: nonceChallenge, nonce: undefined })).toBe(false);
  expect(await access.noteNonce({ ...answer, status: 401, header: nonceChallenge, nonce: 'two, nonces' })).toBe(false);
});

test('K3: after signing out an answer that comes late opens no key', async () => {
  const { access, store } = setUp();
  store.forgetTokens(id);
  expect(await access.noteNonce({ url: endpoint, status: 401, header: nonceChallenge, nonce: 'n-1' })).toBe(false);
});

test('K3: a refusal of the proof costs neither the token nor a renewal', async () => {
  const { access, store, sent, asked } = setUp();
  const refusal = { status: 401, header: nonceChallenge, sent: 'DPoP access-1', mayStepUp: true };
  expect(await access.onUnauthorized(refusal)).toBe(false);
  expect(sent).toEqual([]);
  expect(asked).toEqual([]);
  expect(store.tokensOf(id, endpoint)?.access).toBe('access-1');
});

test('K3: a refusal of the token renews it with a proof; what the host takes back is gone, and its key too', async () => {
  const { access, vault, sent } = setUp();
  const refusal = { status: 401, header: 'DPoP error="invalid_token"', sent: 'DPoP access-1', mayStepUp: true };
  expect(await access.onUnauthorized(refusal)).toBe(false);
  expect(claimsOf(sent[0]?.get('dpop') ?? undefined)).toMatchObject({ htm: 'POST', htu: 'https://login.example.com/token' });
  expect(vault.knownValues()).toEqual([]);
});

test('K3: another call’s newer token is worth a try before a renewal', async () => {
  const { access, sent } = setUp();
  const refusal = { status: 401, header: 'DPoP error="invalid_token"', sent: 'DPoP access-0', mayStepUp: true };
  expect(await access.onUnauthorized(refusal)).toBe(true);
  expect(sent).toEqual([]);
});

test('K3: a bound token is not renewed into one that anyone can use', async () => {
  const answer = { access_token: 'access-2', token_type: 'Bearer' };
  const { access, vault } = setUp({ renewAt: 0, answer, status: 200 });
  expect((await access.authorize(request)).authorization).toBe('DPoP access-1');
  expect(vault.knownValues()).not.toContain('access-2');
});
