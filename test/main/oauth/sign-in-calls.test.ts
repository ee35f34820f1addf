import { expect, test } from 'vitest';
import { SignInStore, EMPTY_SIGN_INS_FILE } from '../../../src-main/oauth/sign-in-store';
import { signInCalls } from '../../../src-main/oauth/sign-in-calls';
import { SignIn } from '../../../src-main/oauth/sign-in';
import { memoryDocument } from '../../../src-main/storage/memory-document';
import { failed, ok } from '../../../src-shared/base/result';
import { routeIdForSignIn } from '../../../src-shared/egress/route-table';
import type { SignInClientDraft } from '../../../src-shared/oauth/sign-in.schema';
import { ServerIdSchema } from '../../../src-shared/servers/server.schema';
import { FakeClock } from '../../support/fake-clock';
import { FakeVault } from '../../support/fake-vault';

const id = ServerIdSchema.parse('notes');

function setUp({ person = true } = {}) {
  const tried: string[] = [];
  const vault = new FakeVault();
  const signIn = new SignIn({
    clock: new FakeClock(),
    store: new SignInStore({ document: memoryDocument(EMPTY_SIGN_INS_FILE), vault }),
    nameOf: () => 'Notes',
    isUp: () => true,
    routeIdOf: routeIdForSignIn,
    doorFetch: () => () => Promise.reject(new Error('Nothing is there.')),
    askPerson: async () => false,
    openBrowser: async () => true,
    listen: async () => failed('port-taken'),
    changed: () => undefined,
  });
  const calls = signInCalls({
    signIn,
    noActProblem: () => (person ? null : 'That came without a click.'),
    tryAgain: (server) => void tried.push(server),
  });
  return { calls, tried, signIn, vault };
}

const challenged = (signIn: SignIn): Promise<boolean> =>
  signIn
    .accessTo(id, 'https://notes.example.com/mcp')
    .onUnauthorized({ status: 401, header: 'Bearer', sent: null, mayStepUp: true });

test('K1, A9: signIn.start does nothing without a person behind it', async () => {
  const { calls, signIn } = setUp({ person: false });
  await challenged(signIn);
  expect(await calls['signIn.start']({ id })).toEqual(failed({ code: 'refused', message: 'That came without a click.' }));
});

test('K1: signIn.start does nothing for a server that did not ask', async () => {
  const { calls, tried } = setUp();
  expect(await calls['signIn.start']({ id })).toEqual(failed({ code: 'refused', message: 'Notes has not asked for a sign-in.' }));
  expect(tried).toEqual([]);
});

test('K1: a 401 starts nothing by itself', async () => {
  const { signIn } = setUp();
  expect(await challenged(signIn)).toBe(false);
  expect(signIn.stateOf(id)).toBe('needed');
  expect(signIn.openOrigins(id)).toEqual([]);
});

test('K1: signIn.start says in words why it failed, and signIn.cancel and signIn.signOut can always be pressed', async () => {
  const { calls, signIn, tried } = setUp();
  await challenged(signIn);
  expect(await calls['signIn.start']({ id })).toEqual(
    failed({ code: 'refused', message: 'notes.example.com did not answer the sign-in of Notes. Try again later.' }),
  );
  expect(await calls['signIn.cancel']({ id })).toEqual(ok({}));
  expect(await calls['signIn.signOut']({ id })).toEqual(ok({}));
  expect(tried).toEqual(['notes']);
});

test('K4, S5: signIn.setClient keeps the secret in the vault, and signIn.client never tells it', async () => {
  const { calls, vault } = setUp();
  const client = { kind: 'entered', clientId: 'mine', secret: 'hush-hush', callback: 'http://localhost:8765/callback' } as const;
  expect(await calls['signIn.setClient']({ id, client })).toEqual(ok({}));
  expect(vault.knownValues()).toContain('hush-hush');
  expect(await calls['signIn.client']({ id })).toEqual(
    ok({ kind: 'entered', clientId: 'mine', hasSecret: true, callback: 'http://localhost:8765/callback' }),
  );
});

const refused: [client: SignInClientDraft, because: string][] = [
  [{ kind: 'entered', clientId: 'mine', callback: 'https://elsewhere.example/callback' }, 'a callback elsewhere'],
  [{ kind: 'entered', clientId: 'mine', callback: 'http://127.0.0.1/callback' }, 'a callback without a port'],
  [{ kind: 'document', address: 'http://127.0.0.1:1/client.json' }, 'a document without https'],
  [{ kind: 'document', address: 'https://me.example.com/' }, 'a document without a path'],
];
test.each(refused)('K4, K5: signIn.setClient refuses %j (%s)', async (client) => {
  const { calls } = setUp();
  expect(await calls['signIn.setClient']({ id, client })).toMatchObject({ ok: false, problem: { code: 'invalid-input' } });
  expect(await calls['signIn.client']({ id })).toEqual(ok({ kind: 'register' }));
});

test('K4, S5: signIn.setClient refuses a text that is no private key, and signIn.client never tells the secret', async () => {
  const { calls } = setUp();
  const itself = { kind: 'itself', clientId: 'my-app' } as const;
  expect(await calls['signIn.setClient']({ id, client: { ...itself, proof: 'key', secret: 'no key' } })).toMatchObject({
    ok: false,
    problem: { code: 'invalid-input' },
  });
  expect(await calls['signIn.setClient']({ id, client: { ...itself, proof: 'secret', secret: 'hush-hush' } })).toEqual(ok({}));
  expect(await calls['signIn.client']({ id })).toEqual(ok({ ...itself, proof: 'secret' }));
});
