import { expect, test } from 'vitest';
import { SignIn } from '../../../src-main/oauth/sign-in';
import { EMPTY_SIGN_INS_FILE, SignInStore, type SignInsFile } from '../../../src-main/oauth/sign-in-store';
import { memoryDocument } from '../../../src-main/storage/memory-document';
import { failed } from '../../../src-shared/base/result';
import { routeIdForSignIn } from '../../../src-shared/egress/route-table';
import { ServerIdSchema } from '../../../src-shared/servers/server.schema';
import { FakeClock } from '../../support/fake-clock';
import { FakeVault } from '../../support/fake-vault';

const notes = ServerIdSchema.parse('notes');
const other = ServerIdSchema.parse('other');
const endpoint = 'https://notes.example.com/mcp';
const binding = {
  serverId: notes,
  endpoint,
  resource: endpoint,
  issuer: 'https://login.example.com',
  tokenEndpoint: 'https://login.example.com/token',
  authMethods: ['none'],
  clientId: 'client-1',
  clientAuthMethod: null,
};
const tokens = { access: 'access-1', refresh: 'refresh-1', renewAt: 5, scope: 'read' };

function setUp() {
  const vault = new FakeVault();
  const document = memoryDocument<SignInsFile>(EMPTY_SIGN_INS_FILE);
  const store = new SignInStore({ document, vault });
  store.keep(binding, tokens, 'client-secret-1', 'private-key-1');
  const file = (): SignInsFile => {
    const read = document.read();
    if (!read.ok) throw new Error(read.problem.message);
    return read.value;
  };
  return { vault, document, store, file };
}

test('K3: tokens are found under their server at their very address, and nowhere else', () => {
  const { store } = setUp();
  expect(store.tokensOf(notes, endpoint)).toMatchObject({ access: 'access-1', refresh: 'refresh-1' });
  for (const address of [`${endpoint}/`, 'https://notes.example.com/', 'https://evil.example.com/mcp'])
    expect(store.tokensOf(notes, address)).toBeNull();
  expect(store.tokensOf(other, endpoint)).toBeNull();
});

test('S5: the file holds references alone, and the vault knows each token, so that it is masked', () => {
  const { file, vault } = setUp();
  expect(JSON.stringify(file())).not.toMatch(/access-1|refresh-1|client-secret-1|private-key-1|example\.com/);
  for (const secret of ['access-1', 'refresh-1', 'client-secret-1', 'private-key-1'])
    expect(vault.knownValues()).toContain(secret);
});

test('K3: a reference that someone puts under another server in the file stands for nothing there', () => {
  const { document, store, file } = setUp();
  const ref = file().tokens[notes]!;
  document.update((current) => ({ ...current, tokens: { [other]: ref }, clients: { [other]: ref } }));
  expect(store.recordOf(other)).toBeNull();
  expect(store.tokensOf(other, endpoint)).toBeNull();
  expect(store.clientOf(other)).toEqual({ kind: 'register' });
});

test('K3: renewed tokens take the place of the old ones, and the binding stays', () => {
  const { store, vault } = setUp();
  store.renew(store.recordOf(notes)!, { access: 'access-2', refresh: 'refresh-2', renewAt: null, scope: 'read write' });
  expect(store.tokensOf(notes, endpoint)).toMatchObject({
    access: 'access-2',
    refresh: 'refresh-2',
    record: { ...binding, scope: 'read write', renewAt: null },
  });
  expect(vault.knownValues()).not.toContain('access-1');
});

test('K3, S11: forgetting leaves nothing in the file and nothing in the vault', () => {
  const { store, vault, file } = setUp();
  store.setClient(notes, { kind: 'entered', clientId: 'mine', secret: 'hush-hush', callback: 'http://127.0.0.1:1/' });
  store.keep(binding, tokens, null, 'private-key-2');
  store.forgetTokens(notes);
  store.forgetClient(notes);
  expect(file()).toEqual(EMPTY_SIGN_INS_FILE);
  expect(vault.knownValues()).toEqual([]);
});

test('K3: what strays is dropped, and what a locked keychain keeps shut is left for the next start', () => {
  const { document, store, vault, file } = setUp();
  const signInOver = (over: SignInStore): SignIn =>
    new SignIn({
      clock: new FakeClock(),
      store: over,
      nameOf: () => 'Notes',
      isUp: () => true,
      routeIdOf: routeIdForSignIn,
      doorFetch: () => () => Promise.reject(new Error('Nothing is sent.')),
      askPerson: async () => false,
      openBrowser: async () => false,
      listen: async () => failed('port-taken'),
      changed: () => undefined,
    });
  const locked = new FakeVault();
  locked.read = () => failed('locked');
  signInOver(new SignInStore({ document, vault: locked })).dropStrays(() => false);
  expect(Object.keys(file().tokens)).toEqual(['notes']);
  signInOver(store).dropStrays((_id, address) => address === endpoint);
  expect(Object.keys(file().tokens)).toEqual(['notes']);
  signInOver(store).dropStrays(() => false);
  expect(file().tokens).toEqual({});
  expect(vault.knownValues()).toEqual([]);
});
