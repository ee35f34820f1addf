import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { McpSession } from '../../src-main/sessions/mcp-session';
import { callOf, startFixture, type RunningFixture } from '../support/scripted-server';
import { authorizationFor, SIGN_IN_SERVER, signInWith, type SignInHouse, type SignInOptions } from '../support/sign-in-with';
import { tempFolder } from '../support/temp-folder';

interface Request {
  method: string;
  path: string;
  authorization: string | null;
  rpc: string | null;
  body: string;
}
const requestsOf = async (running: RunningFixture): Promise<Request[]> =>
  (await (await fetch(new URL('/stats', running.url))).json()) as Request[];
const pathOf = ({ path }: Request): string => path.split('?', 1)[0]!;

async function setUp(
  file: string,
  mode = '',
  options: Partial<SignInOptions> = {},
): Promise<{ running: RunningFixture; house: SignInHouse }> {
  const running = await startFixture(`hostile/${file}.mjs`, mode === '' ? {} : { MODE: mode });
  const house = signInWith({ url: running.url, folder: tempFolder(), ...options });
  onTestFinished(() => house.close());
  return { running, house };
}

/** Meets the 401, signs in as a person who agrees to all of it, and connects. */
async function signedIn(house: SignInHouse): Promise<McpSession> {
  expect(await house.open()).toMatchObject({ ok: false, problem: { kind: 'needs-sign-in' } });
  expect(house.signIn.stateOf(SIGN_IN_SERVER)).toBe('needed');
  expect(await house.start()).toEqual({ ok: true, value: undefined });
  expect(house.signIn.stateOf(SIGN_IN_SERVER)).toBe('signed-in');
  const session = await house.open();
  if (!session.ok) throw new Error(session.problem.message);
  return session.value;
}

const namesOf = async (session: McpSession): Promise<string[]> => {
  const listed = await session.listTools();
  if (!listed.ok) throw new Error(listed.problem.message);
  return listed.value.tools.map(({ rawName }) => rawName);
};

const queryOf = (house: SignInHouse, nth = 0): URLSearchParams => new URL(house.opened[nth]!).searchParams;
const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

describe('what is sent as the resource', () => {
  test.each([
    ['', (url: URL) => url.origin],
    ['path', (url: URL) => `${url.origin}/mcp`],
  ])('K1: B59 %s: exactly the advertised text, when authorizing, exchanging and renewing', async (mode, expected) => {
    const { running, house } = await setUp('B59', mode);
    const session = await signedIn(house);
    expect(await namesOf(session)).toEqual(['echo']);
    const resource = expected(new URL(running.url));
    expect(queryOf(house).get('resource')).toBe(resource);
    const access = house.signIn.accessTo(SIGN_IN_SERVER, running.url);
    const sent = await authorizationFor(house, running.url);
    expect(await access.onUnauthorized({ status: 401, header: undefined, sent, mayStepUp: false })).toBe(true);
    expect(await authorizationFor(house, running.url)).not.toBe(sent);
    const bodies = (await requestsOf(running))
      .filter((each) => each.path === '/token')
      .map(({ body }) => new URLSearchParams(body));
    expect(bodies.map((body) => [body.get('grant_type'), body.get('resource')])).toEqual([
      ['authorization_code', resource],
      ['refresh_token', resource],
    ]);
  });
});

describe('where metadata is looked for', () => {
  const prm = '/.well-known/oauth-protected-resource';
  const places: [mode: string, asked: string[]][] = [
    [
      'oidc',
      [
        `${prm}/mcp`,
        '/.well-known/oauth-authorization-server/tenant/v2.0',
        '/.well-known/openid-configuration/tenant/v2.0',
        '/tenant/v2.0/.well-known/openid-configuration',
      ],
    ],
    [
      'oidcinsert',
      [`${prm}/mcp`, '/.well-known/oauth-authorization-server/tenant/v2.0', '/.well-known/openid-configuration/tenant/v2.0'],
    ],
    ['rootprm', [`${prm}/mcp`, prm, '/.well-known/oauth-authorization-server']],
    ['nometa', [`${prm}/mcp`, prm, '/.well-known/oauth-authorization-server']],
    [
      'html',
      [
        `${prm}/mcp`,
        '/.well-known/oauth-authorization-server/tenant/v2.0',
        '/.well-known/openid-configuration/tenant/v2.0',
        '/tenant/v2.0/.well-known/openid-configuration',
      ],
    ],
  ];
  test.each(places)('K1: B60 %s signs in, asking in the order of the standards', async (mode, asked) => {
    const { running, house } = await setUp('B60', mode);
    expect(await namesOf(await signedIn(house))).toEqual(['echo']);
    const wellKnown = (await requestsOf(running)).map(pathOf).filter((path) => path.includes('.well-known'));
    expect(wellKnown).toEqual(asked);
  });
});

describe('how the app names itself', () => {
  test('K4: B62: without registration nothing is posted blindly, and the problem says what to enter', async () => {
    const { running, house } = await setUp('B62');
    await house.open();
    expect(await house.start()).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^The sign-in host of Notes gives no client ids by itself\. Enter/),
    });
    expect((await requestsOf(running)).map(pathOf)).not.toContain('/register');
    expect(house.opened).toEqual([]);
  });

  test('K4, K5: B62: an entered client id works, with exactly the callback entered for it', async () => {
    const callback = 'http://127.0.0.1:8765/callback';
    const { running, house } = await setUp('B62', '', { client: { kind: 'entered', clientId: 'preset-client', callback } });
    expect(await namesOf(await signedIn(house))).toEqual(['echo']);
    expect(queryOf(house).get('redirect_uri')).toBe(callback);
    expect(queryOf(house).get('client_id')).toBe('preset-client');
    expect((await requestsOf(running)).map(pathOf)).not.toContain('/register');
  });

  test('K5: B62: another program on the entered port is named, and no other port is sent', async () => {
    const taken = await occupy();
    const callback = `http://127.0.0.1:${taken.port}/callback`;
    const { house } = await setUp('B62', '', { client: { kind: 'entered', clientId: 'preset-client', callback } });
    await house.open();
    expect(await house.start()).toMatchObject({ ok: false, problem: expect.stringContaining(`port ${taken.port}`) });
    expect(house.opened).toEqual([]);
  });

  test.each(['', 'ip', 'localhost'])('K5: B68 %s: what is registered is what is sent, each time anew', async (mode) => {
    const { running, house } = await setUp('B68', mode);
    await signedIn(house);
    house.signIn.signOut(SIGN_IN_SERVER);
    await house.open();
    expect(await house.start()).toEqual({ ok: true, value: undefined });
    const registered = (await requestsOf(running))
      .filter((each) => each.path === '/register')
      .map(({ body }) => (JSON.parse(body) as { redirect_uris: string[] }).redirect_uris)
      .filter(([address]) => mode !== 'localhost' || address!.startsWith('http://localhost:'));
    const [first, second] = [queryOf(house, 0).get('redirect_uri'), queryOf(house, 1).get('redirect_uri')];
    expect(registered).toEqual([[first], [second]]);
    expect(first).not.toBe(second);
    expect(new URL(first!).hostname).toBe(mode === 'localhost' ? 'localhost' : '127.0.0.1');
    await expect(fetch(first!)).rejects.toThrow();
  });
});

describe('tokens that are taken back', () => {
  test.each(['', 'client'])(
    'K3: B63 %s: one renewal, then "sign in again", and the old token is not sent once more',
    async (mode) => {
      const { running, house } = await setUp('B63', mode);
      const session = await signedIn(house);
      const old = await authorizationFor(house, running.url);
      await wait(1100);
      const before = (await requestsOf(running)).length;
      expect(await session.callTool(callOf('echo'))).toMatchObject({ ok: false, problem: { kind: 'needs-sign-in' } });
      expect(await session.callTool(callOf('echo'))).toMatchObject({ ok: false, problem: { kind: 'needs-sign-in' } });
      expect(house.signIn.stateOf(SIGN_IN_SERVER)).toBe('needed-again');
      const after = (await requestsOf(running)).slice(before);
      expect(after.filter((each) => each.path === '/token')).toHaveLength(1);
      expect(after.map(({ authorization }) => authorization)).not.toContain(old);
      expect(house.opened).toHaveLength(1);
      expect(house.store.recordOf(SIGN_IN_SERVER)).toBeNull();
    },
  );
});

describe('a call that needs more', () => {
  test('K1: B65: asks the person for the union, repeats the call once, and keeps what was granted before', async () => {
    const { running, house } = await setUp('B65');
    const session = await signedIn(house);
    expect(queryOf(house).get('scope')).toBe('read');
    expect(await session.callTool(callOf('echo', { a: 1 }))).toMatchObject({ ok: true });
    expect(queryOf(house, 1).get('scope')).toBe('read write');
    expect(house.sheets.at(-1)).toMatchObject({ step: 'open-browser', scopes: ['read', 'write'] });
    expect(await namesOf(session)).toEqual(['echo']);
    expect((await requestsOf(running)).filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(2);
  });

  test('W3: B65: the clock of the call stands still while the person reads the sheet', async () => {
    let reads: Promise<void> = Promise.resolve();
    const { house } = await setUp('B65', '', {
      limits: { callTimeoutMs: 400 },
      answers: { agree: () => reads.then(() => true) },
    });
    const session = await signedIn(house);
    reads = wait(900);
    expect(await session.callTool(callOf('echo'))).toMatchObject({ ok: true });
  });

  test('K1: B65: a person who says no is not asked again by the same call, and the call is not repeated', async () => {
    let agrees = true;
    const { running, house } = await setUp('B65', '', { answers: { agree: () => agrees } });
    const session = await signedIn(house);
    agrees = false;
    const shown = house.sheets.length;
    expect(await session.callTool(callOf('echo'))).toMatchObject({ ok: false });
    expect(house.sheets.length - shown).toBe(1);
    expect((await requestsOf(running)).filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(1);
    expect(await namesOf(session)).toEqual(['echo']);
  });
});

describe('where the browser is sent', () => {
  test.each(['file', 'js', 'smb', 'ps'])('K2: B67 %s: nothing is opened and nothing is shown as if it could be', async (mode) => {
    const { house } = await setUp('B67', mode);
    await house.open();
    expect(await house.start()).toMatchObject({ ok: false, problem: expect.stringMatching(/so nothing was opened or sent\.$/) });
    expect(house.opened).toEqual([]);
    expect(house.sheets.filter(({ step }) => step === 'open-browser')).toEqual([]);
  });

  test.each([
    ['cmd', 'http://127.0.0.1:9/a?x=1&calc.exe&y=|whoami'],
    ['percent', 'http://127.0.0.1:9/%USERPROFILE%'],
  ])('K2: B67 %s: shown whole, and opened only as that one address', async (mode, address) => {
    const { house } = await setUp('B67', mode, { answers: { browse: async () => house.signIn.cancel(SIGN_IN_SERVER) } });
    await house.open();
    await house.start();
    expect(house.opened).toHaveLength(1);
    expect(house.sheets.at(-1)).toMatchObject({ step: 'open-browser', address: house.opened[0] });
    expect(new URL(house.opened[0]!).pathname).toBe(new URL(address).pathname);
  });

  test('K2: a person who says no opens nothing', async () => {
    const { house } = await setUp('B59', '', { answers: { agree: ({ step }) => step !== 'open-browser' } });
    await house.open();
    expect(await house.start()).toEqual({ ok: false, problem: 'The sign-in to Notes was not begun.' });
    expect(house.opened).toEqual([]);
    expect(house.signIn.stateOf(SIGN_IN_SERVER)).toBe('needed');
  });
});

describe('whose the tokens are', () => {
  test('K3: B69: another address never sees them, nor does what is signed in to later', async () => {
    const { running, house } = await setUp('B59');
    await signedIn(house);
    const token = await authorizationFor(house, running.url);
    const second = await startFixture('hostile/B59.mjs');
    house.moveTo(second.url);
    expect(await house.open()).toMatchObject({ ok: false, problem: { kind: 'needs-sign-in' } });
    for (const { authorization } of await requestsOf(second)) expect(authorization).toBeNull();
    expect(token).toMatch(/^Bearer at_/);
    house.signIn.dropStrays((_id, endpoint) => endpoint === second.url);
    expect(house.store.signedIn()).toEqual([]);
  });

  test('K3: B69: removing the server, and naming the app otherwise, ends what was signed in to', async () => {
    const { running, house } = await setUp('B59');
    await signedIn(house);
    house.signIn.setClient(SIGN_IN_SERVER, { kind: 'entered', clientId: 'other', callback: 'http://127.0.0.1:8766/x' });
    expect(await authorizationFor(house, running.url)).toBeNull();
    house.signIn.forget(SIGN_IN_SERVER);
    expect(house.store.clientOf(SIGN_IN_SERVER)).toEqual({ kind: 'register' });
    expect(house.signIn.stateOf(SIGN_IN_SERVER)).toBe('not-asked');
  });

  test('K1: a header that works means no sign-in: nothing is asked and nothing is kept', async () => {
    const { running, house } = await setUp('B59');
    await signedIn(house);
    const token = await authorizationFor(house, running.url);
    const own = signInWith({ url: running.url, folder: tempFolder(), headers: [['Authorization', token!]] });
    onTestFinished(() => own.close());
    expect(await own.open()).toMatchObject({ ok: true });
    expect(own.signIn.stateOf(SIGN_IN_SERVER)).toBe('not-asked');
    expect(own.sheets).toEqual([]);
  });
});

async function occupy(): Promise<{ port: number }> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port };
}
