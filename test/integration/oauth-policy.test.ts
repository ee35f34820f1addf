import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callOf, serveHttp, startFixture, type RunningFixture } from '../support/scripted-server';
import { authorizationFor, SIGN_IN_SERVER, signInWith, type SignInHouse, type SignInOptions } from '../support/sign-in-with';
import { tempFolder } from '../support/temp-folder';

type Headers = Record<string, string> & { path: string };

async function setUp(
  mode: string,
  options: Partial<SignInOptions> = {},
): Promise<{ running: RunningFixture; house: SignInHouse; folder: string; seen(): Promise<Headers[]> }> {
  const running = await startFixture('peers/sign-in-server.mjs', { MODE: mode });
  const folder = tempFolder();
  const house = signInWith({ url: running.url, folder, ...options });
  onTestFinished(() => house.close());
  const seen = async (): Promise<Headers[]> => (await (await fetch(new URL('/headers', running.url))).json()) as Headers[];
  return { running, house, folder, seen };
}

async function problemOf(house: SignInHouse): Promise<string> {
  expect(await house.open()).toMatchObject({ ok: false, problem: { kind: 'needs-sign-in' } });
  const outcome = await house.start();
  return outcome.ok ? 'signed in' : outcome.problem;
}

describe('a sign-in host that is not as it should be', () => {
  const refused: [mode: string, says: RegExp, because: string][] = [
    ['no-pkce', /does not say that it protects its answers/, 'K1: metadata without PKCE'],
    ['plain-pkce', /does not say that it protects its answers/, 'K1: PKCE without S256'],
    ['issuer', /calls itself by another name/, 'K1: RFC 8414 3.3'],
    ['resource-elsewhere', /is for another address than the one you entered/, 'K1: RFC 9728 3.3'],
    ['private', /no public address/, 'K2: a host inside a private network'],
    ['link-local', /not encrypted/, 'K2: the metadata service of a cloud'],
    ['token-private', /no public address/, 'K2: tokens from a local link'],
    ['token-plain', /not encrypted/, 'K2: tokens over plain http'],
    ['failing', /failed while Notes was asked how to sign in/, 'a failing host ends the search'],
    ['big', /more than this app reads/, 'W2: a document without an end'],
  ];
  test.each(refused)('%s: nothing is opened (%s, %s)', async (mode, says) => {
    const { house } = await setUp(mode);
    expect(await problemOf(house)).toMatch(says);
    expect(house.opened).toEqual([]);
    expect(house.store.signedIn()).toEqual([]);
    expect(house.signIn.stateOf(SIGN_IN_SERVER)).toBe('needed');
    expect(house.signIn.openOrigins(SIGN_IN_SERVER)).toEqual([]);
  });

  const answers: [mode: string, says: RegExp, because: string][] = [
    ['iss-wrong', /did not come from the host that was asked\.$/, 'RFC 9207: its words are not even quoted'],
    ['iss-missing', /did not come from the host that was asked\.$/, 'RFC 9207: advertised and absent'],
    ['denied', /did not let you in\. It said: "The owner said no\."$/, 'RFC 6749 4.1.2.1'],
  ];
  test.each(answers)('K1: %s: no code is exchanged (%s, %s)', async (mode, says) => {
    const { house, seen } = await setUp(mode);
    expect(await problemOf(house)).toMatch(says);
    expect((await seen()).map(({ path }) => path)).not.toContain('/token');
    expect(house.store.signedIn()).toEqual([]);
  });

  test.each(['', 'iss-right', 'issuer-slash', 'secret'])('K1: %s signs in', async (mode) => {
    const { house } = await setUp(mode);
    expect(await problemOf(house)).toBe('signed in');
    expect(await house.open()).toMatchObject({ ok: true });
  });
});

describe('what is asked before anything is contacted', () => {
  test('K2: another origin is shown first, and a no sends it nothing', async () => {
    const { running, house, seen } = await setUp('token-elsewhere', {
      answers: { agree: ({ origins }) => origins.length < 2 },
    });
    expect(await problemOf(house)).toBe('The sign-in to Notes was not begun.');
    const [asked] = house.sheets;
    expect(asked).toMatchObject({ step: 'contact', address: null });
    expect(asked!.origins.map(({ origin }) => origin)).toContain(new URL(running.url).origin);
    expect(new Set(asked!.origins.map(({ origin }) => origin)).size).toBe(2);
    expect((await seen()).map(({ path }) => path)).not.toContain('/register');
  });

  test('K2: the address a challenge names elsewhere is shown before it is asked', async () => {
    const { house } = await setUp('metadata-elsewhere', { answers: { agree: () => false } });
    expect(await problemOf(house)).toBe('The sign-in to Notes was not begun.');
    expect(house.sheets).toHaveLength(1);
    expect(house.ledger.rows(50).filter(({ routeId }) => routeId.startsWith('sign-in-'))).toEqual([]);
  });

  test('K4: registration is told before it happens', async () => {
    const { house, seen } = await setUp('', { answers: { agree: ({ notes }) => notes.length === 0 } });
    expect(await problemOf(house)).toBe('The sign-in to Notes was not begun.');
    expect(house.sheets[0]!.notes).toEqual(['This app registers itself there under the name Portcullis, to get a client id.']);
    expect((await seen()).map(({ path }) => path)).not.toContain('/register');
  });

  test('K4: a document of the user is the client id, and nothing is registered', async () => {
    const { house, seen } = await setUp('document', {
      client: { kind: 'document', address: 'https://me.example.com/client.json' },
    });
    expect(await problemOf(house)).toBe('signed in');
    expect(new URL(house.opened[0]!).searchParams.get('client_id')).toBe('https://me.example.com/client.json');
    expect((await seen()).map(({ path }) => path)).not.toContain('/register');
    expect(house.sheets.flatMap(({ notes }) => notes)).toEqual([]);
  });

  test('K1: a host that publishes nothing is told, and S256 is sent all the same', async () => {
    const { url } = await serveHttp((request, response) => {
      const isRegistration = request.url === '/register';
      response.writeHead(isRegistration ? 201 : request.url === '/mcp' ? 401 : 404, { 'content-type': 'application/json' });
      response.end(isRegistration ? JSON.stringify({ client_id: 'c', redirect_uris: ['http://127.0.0.1/'] }) : '{}');
    });
    const house = signInWith({
      url,
      folder: tempFolder(),
      answers: { browse: async () => house.signIn.cancel(SIGN_IN_SERVER) },
    });
    onTestFinished(() => house.close());
    expect(await problemOf(house)).toBe('The sign-in to Notes was cancelled.');
    expect(house.sheets[0]!.notes.at(-1)).toMatch(/^This host publishes nothing about its sign-in/);
    const query = new URL(house.opened[0]!).searchParams;
    expect([query.get('code_challenge_method'), query.get('resource')]).toEqual(['S256', null]);
  });
});

describe('what goes where', () => {
  test('K3: the server’s own headers go to the server’s address alone, in no part of a sign-in', async () => {
    const { house, seen } = await setUp('', { headers: [['X-Api-Key', 'canary-of-a-header']] });
    expect(await problemOf(house)).toBe('signed in');
    expect(await house.open()).toMatchObject({ ok: true });
    const carrying = (await seen()).filter((headers) => headers['x-api-key'] !== undefined).map(({ path }) => path);
    expect(new Set(carrying)).toEqual(new Set(['/mcp']));
    const tokens = (await seen()).filter(({ authorization }) => authorization !== undefined).map(({ path }) => path);
    expect(new Set(tokens)).toEqual(new Set(['/mcp']));
  });

  test('P1, P4: each request of a sign-in is in the ledger under its route, without a path or a query', async () => {
    const { running, house, folder } = await setUp('');
    expect(await problemOf(house)).toBe('signed in');
    const rows = house.ledger.rows(50).filter(({ routeId }) => routeId.startsWith('sign-in-notes-'));
    expect(rows.length).toBeGreaterThanOrEqual(4);
    expect(new Set(rows.map(({ host }) => host))).toEqual(new Set([new URL(running.url).host]));
    const access = (await authorizationFor(house, running.url))!.slice('Bearer '.length);
    const written = readFileSync(join(folder, 'ledger.jsonl'), 'utf8');
    for (const secret of [access, 'code_', 'well-known', 'state']) expect(written).not.toContain(secret);
  });

  test('K3: signing out closes the way, and nothing of the tokens is kept', async () => {
    const { running, house } = await setUp('');
    expect(await problemOf(house)).toBe('signed in');
    expect(house.signIn.openOrigins(SIGN_IN_SERVER)).toEqual([new URL(running.url).origin]);
    house.signIn.signOut(SIGN_IN_SERVER);
    expect(house.signIn.openOrigins(SIGN_IN_SERVER)).toEqual([]);
    expect(await authorizationFor(house, running.url)).toBeNull();
    expect(await house.open()).toMatchObject({ ok: false, problem: { kind: 'needs-sign-in' } });
  });

  test('K3: ten calls that find the token too old make one renewal', async () => {
    const { running, house, seen } = await setUp('short');
    expect(await problemOf(house)).toBe('signed in');
    await new Promise((done) => setTimeout(done, 1000));
    const tokens = await Promise.all(Array.from({ length: 10 }, () => authorizationFor(house, running.url)));
    expect(new Set(tokens).size).toBe(1);
    expect((await seen()).filter(({ path }) => path === '/token')).toHaveLength(2);
  });

  test('K1: one step up a call, and then the server’s own words', async () => {
    const { house } = await setUp('never');
    expect(await problemOf(house)).toBe('signed in');
    const session = await house.open();
    if (!session.ok) throw new Error(session.problem.message);
    expect(await session.value.callTool(callOf('echo'))).toMatchObject({
      ok: false,
      problem: { said: expect.stringContaining('Write is not for you.') },
    });
    expect(house.opened.map((address) => new URL(address).searchParams.get('scope'))).toEqual(['read', 'read write']);
  });

  test('K1: a 403 that asks for no scope starts nothing', async () => {
    const { house } = await setUp('forbidden');
    expect(await problemOf(house)).toBe('signed in');
    const session = await house.open();
    if (!session.ok) throw new Error(session.problem.message);
    const shown = house.sheets.length;
    expect(await session.value.callTool(callOf('echo'))).toMatchObject({ ok: false });
    expect(house.sheets).toHaveLength(shown);
  });

  test('K3: a host that is down keeps its tokens', async () => {
    const { house, running } = await setUp('short-host-down');
    expect(await problemOf(house)).toBe('signed in');
    const access = house.signIn.accessTo(SIGN_IN_SERVER, running.url);
    const sent = await authorizationFor(house, running.url);
    expect(await access.onUnauthorized({ status: 401, header: undefined, sent, mayStepUp: true })).toBe(false);
    expect(house.signIn.stateOf(SIGN_IN_SERVER)).toBe('signed-in');
    expect(await authorizationFor(house, running.url)).toBe(sent);
  });
});

test('K2: where the app signs in for itself, its secret goes nowhere before a person saw where to and agreed', async () => {
  const { house, seen } = await setUp('', {
    client: { kind: 'itself', clientId: 'my-app', proof: 'secret', secret: 'hush-hush' },
    answers: { agree: ({ notes }) => !notes.some((note) => note.includes('signs in there for itself')) },
  });
  expect(await problemOf(house)).toBe('The sign-in to Notes was not begun.');
  expect(house.sheets.at(-1)?.origins).toMatchObject([{ what: 'hands out the tokens' }]);
  expect((await seen()).map(({ path }) => path)).not.toContain('/token');
  expect(house.opened).toEqual([]);
  expect(house.store.signedIn()).toEqual([]);
});
