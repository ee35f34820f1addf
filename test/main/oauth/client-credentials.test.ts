import { generateKeyPairSync, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { askForOwnTokens, signingAlgorithmOf, type OwnGrant } from '../../../src-main/oauth/client-credentials';
import { newProofKey, openProofKey, ProofSessions } from '../../../src-main/oauth/proof-key';
import { EMPTY_SIGN_INS_FILE, SignInStore } from '../../../src-main/oauth/sign-in-store';
import { TokenRenewal } from '../../../src-main/oauth/token-renewal';
import { memoryDocument } from '../../../src-main/storage/memory-document';
import { ServerIdSchema } from '../../../src-shared/servers/server.schema';
import { FakeClock } from '../../support/fake-clock';
import { FakeVault } from '../../support/fake-vault';

const notes = ServerIdSchema.parse('notes');
const endpoint = 'https://notes.example.com/mcp';
const issuer = 'https://login.example.com';
const grant: OwnGrant = {
  serverName: 'Notes',
  clientId: 'my app',
  proof: 'secret',
  secret: 'hush:hush',
  issuer,
  tokenEndpoint: `${issuer}/token`,
  authMethods: ['client_secret_basic'],
  scope: 'read',
  resource: endpoint,
  now: 1_000_000,
  session: null,
  mustBind: false,
};
const pem = { type: 'pkcs8', format: 'pem' } as const;
const publicPem = { type: 'spki', format: 'pem' } as const;
const ec = (namedCurve: string) =>
  generateKeyPairSync('ec', { namedCurve, privateKeyEncoding: pem, publicKeyEncoding: publicPem });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048, privateKeyEncoding: pem, publicKeyEncoding: publicPem });

/** A host that hands out one token, and remembers how it was asked. */
function tokenHost(answer: object = { access_token: 'own-1', token_type: 'Bearer', expires_in: 60 }, status = 200) {
  const asked: { address: string; headers: Headers; form: URLSearchParams }[] = [];
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const form = new URLSearchParams(init.body as string);
    asked.push({ address: input instanceof Request ? input.url : String(input), headers: new Headers(init.headers), form });
    return Response.json(answer, { status });
  };
  return { asked, fetch };
}

test('K4: a secret goes in the header where the host takes it there, each half form-encoded', async () => {
  const { asked, fetch } = tokenHost();
  expect(await askForOwnTokens(grant, fetch)).toMatchObject({ access_token: 'own-1', expires_in: 60 });
  expect(asked[0]?.address).toBe(grant.tokenEndpoint);
  expect(asked[0]?.headers.get('authorization')).toBe(`Basic ${Buffer.from('my+app:hush%3Ahush').toString('base64')}`);
  expect(Object.fromEntries(asked[0]!.form)).toEqual({ grant_type: 'client_credentials', scope: 'read', resource: endpoint });
});

test('K4: a secret goes in the body where the host takes it only there', async () => {
  const { asked, fetch } = tokenHost();
  await askForOwnTokens({ ...grant, authMethods: ['client_secret_post'] }, fetch);
  expect(asked[0]?.headers.has('authorization')).toBe(false);
  expect(asked[0]?.form.get('client_secret')).toBe('hush:hush');
});

test.each([
  ['ES256', ec('P-256')],
  ['RS256', rsa],
])(
  'K4: with a key it proves its id by an assertion in %s, made for this host, and the key itself is not sent',
  async (alg, pair) => {
    const { asked, fetch } = tokenHost();
    await askForOwnTokens({ ...grant, proof: 'key', secret: pair.privateKey }, fetch);
    const [header = '', claims = '', signature = ''] = asked[0]!.form.get('client_assertion')!.split('.');
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(read(header)).toEqual({ alg, typ: 'JWT' });
    expect(read(claims)).toMatchObject({ iss: 'my app', sub: 'my app', aud: issuer, iat: 1000, exp: 1300 });
    const key = { key: pair.publicKey, dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(asked[0]!.form.toString()).not.toContain('PRIVATE');
    expect(asked[0]!.headers.has('authorization')).toBe(false);
  },
);

test('K4: a key of another kind, or no key, is told apart before it is used', () => {
  expect(signingAlgorithmOf('no key')).toBeNull();
  expect(signingAlgorithmOf(ec('P-384').privateKey)).toBeNull();
});

test('K3: a kind of token this app does not use is refused', async () => {
  const { fetch } = tokenHost({ access_token: 'own-1', token_type: 'mac' });
  await expect(askForOwnTokens(grant, fetch)).rejects.toThrow(/kind of token/);
});

test('K3, K4: what the app signs in with for itself is proved by a key too, with the nonce of its host, and signed anew', async () => {
  const asked: { proof: string; assertion: string }[] = [];
  const fetch = async (_input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const form = new URLSearchParams(init.body as string);
    asked.push({ proof: new Headers(init.headers).get('dpop')!, assertion: form.get('client_assertion')! });
    return asked.length === 1
      ? Response.json({ error: 'use_dpop_nonce' }, { status: 400, headers: { 'dpop-nonce': 'n-1' } })
      : Response.json({ access_token: 'own-1', token_type: 'DPoP' });
  };
  const session = await openProofKey(newProofKey('ES256'));
  const own = { ...grant, proof: 'key', secret: ec('P-256').privateKey, session } as const;
  expect(await askForOwnTokens(own, fetch)).toMatchObject({ access_token: 'own-1', isBound: true });
  const claims = asked.map(({ proof }) => JSON.parse(Buffer.from(proof.split('.')[1]!, 'base64url').toString()));
  expect(claims).toMatchObject([{ htm: 'POST', htu: grant.tokenEndpoint }, { nonce: 'n-1' }]);
  expect(claims[0]).not.toHaveProperty('nonce');
  // RFC 7523 3: an assertion is used once.
  expect(asked[0]!.assertion).not.toBe(asked[1]!.assertion);
});

test('K3: a host that asks for a nonce without end is asked twice', async () => {
  let count = 0;
  const fetch = async (): Promise<Response> => {
    count += 1;
    return Response.json({ error: 'use_dpop_nonce' }, { status: 400, headers: { 'dpop-nonce': `n-${count}` } });
  };
  const session = await openProofKey(newProofKey('ES256'));
  await expect(askForOwnTokens({ ...grant, session }, fetch)).rejects.toThrow();
  expect(count).toBe(2);
});

test('K3: where the server takes bound tokens alone, one for anyone is refused', async () => {
  const session = await openProofKey(newProofKey('ES256'));
  await expect(askForOwnTokens({ ...grant, session, mustBind: true }, tokenHost().fetch)).rejects.toThrow(/kind of token/);
});

function renewing(host: ReturnType<typeof tokenHost>) {
  const vault = new FakeVault();
  const clock = new FakeClock();
  const store = new SignInStore({ document: memoryDocument(EMPTY_SIGN_INS_FILE), vault });
  store.setClient(notes, { kind: 'itself', clientId: 'my app', proof: 'secret', secret: 'hush:hush' });
  const { tokenEndpoint } = grant;
  const binding = { serverId: notes, endpoint, resource: endpoint, issuer, tokenEndpoint, authMethods: [] };
  const tokens = { access: 'own-0', refresh: null, renewAt: clock.now() + 1e9, scope: 'read' };
  store.keep({ ...binding, clientId: 'my app', clientAuthMethod: null }, tokens, null, null);
  const proofs = new ProofSessions();
  return { vault, store, renewal: new TokenRenewal({ clock, store, proofs, fetchFor: () => host.fetch }) };
}

test('K3: a token the server refused is asked for anew by the same grant', async () => {
  const host = tokenHost();
  const { renewal, store } = renewing(host);
  expect(await renewal.renewAfter(notes, endpoint, 'Notes', 'Bearer own-0')).toEqual({
    kind: 'token',
    token: 'own-1',
    key: null,
  });
  expect(host.asked[0]?.form.get('grant_type')).toBe('client_credentials');
  expect(store.tokensOf(notes, endpoint)?.access).toBe('own-1');
});

test('K3: a host that no longer knows the client ends it, and its token is gone', async () => {
  const { renewal, vault } = renewing(tokenHost({ error: 'invalid_client' }, 401));
  expect(await renewal.renewAfter(notes, endpoint, 'Notes', 'Bearer own-0')).toEqual({ kind: 'lost' });
  expect(vault.knownValues()).not.toContain('own-0');
});

test('S5, S11: the secret is kept in the vault alone, and goes with its server', () => {
  const { store, vault } = renewing(tokenHost());
  expect(vault.knownValues()).toContain('hush:hush');
  store.forgetTokens(notes);
  store.forgetClient(notes);
  expect(vault.knownValues()).toEqual([]);
});
