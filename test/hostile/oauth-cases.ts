import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { McpSession } from '../../src-main/sessions/mcp-session';
import { listening, seenAt, type SeenRequest } from '../support/hostile-fixture';
import { callOf } from '../support/scripted-server';
import { authorizationFor, SIGN_IN_SERVER, signInWith, type SignInHouse, type SignInOptions } from '../support/sign-in-with';
import { tempFolder } from '../support/temp-folder';
import { eachMode, oneCase, type HostileCase } from './hostile-case';

interface Place {
  url: string;
  house: SignInHouse;
  seen(): Promise<SeenRequest[]>;
}

const pathOf = ({ path }: SeenRequest): string => path.split('?', 1)[0]!;
const queryOf = (house: SignInHouse, nth = 0): URLSearchParams => new URL(house.opened[nth]!).searchParams;

async function visit(id: string, mode: string, options: Partial<SignInOptions> = {}): Promise<Place> {
  const { url } = await listening(id, { mode });
  const house = signInWith({ url, folder: tempFolder(), ...options });
  onTestFinished(() => house.close());
  return { url, house, seen: () => seenAt(url) };
}

/** Meets the 401, signs in as a person who agrees to all of it, and connects. */
async function signedIn(house: SignInHouse): Promise<McpSession> {
  expect(await house.open()).toMatchObject({ ok: false, problem: { kind: 'needs-sign-in' } });
  expect(await house.start()).toEqual({ ok: true, value: undefined });
  expect(house.signIn.stateOf(SIGN_IN_SERVER)).toBe('signed-in');
  const session = await house.open();
  if (!session.ok) throw new Error(session.problem.message);
  return session.value;
}

async function namesOf(session: McpSession): Promise<string[]> {
  const listed = await session.listTools();
  if (!listed.ok) throw new Error(listed.problem.message);
  return listed.value.tools.map(({ rawName }) => rawName);
}

const tokenOf = ({ house, url }: Place): Promise<string | null> => authorizationFor(house, url);
const rest = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

const PRM = '/.well-known/oauth-protected-resource';
const AS = '/.well-known/oauth-authorization-server';
const OIDC = '/.well-known/openid-configuration';
const TENANT = '/tenant/v2.0';
/** Where each mode of B60 is asked, in the order of the standards. */
const ASKED: Record<string, string[]> = {
  oidc: [`${PRM}/mcp`, AS + TENANT, OIDC + TENANT, TENANT + OIDC],
  oidcinsert: [`${PRM}/mcp`, AS + TENANT, OIDC + TENANT],
  rootprm: [`${PRM}/mcp`, PRM, AS],
  nometa: [`${PRM}/mcp`, PRM, AS],
  html: [`${PRM}/mcp`, AS + TENANT, OIDC + TENANT, TENANT + OIDC],
};

/** Kind f: signing in. */
export const oauthCases: HostileCase[] = [
  ...eachMode(
    'B59',
    ['', 'path'],
    'K1',
    'the resource is sent exactly as advertised, when authorizing and when renewing',
    async (mode) => {
      const place = await visit('B59', mode);
      expect(await namesOf(await signedIn(place.house))).toEqual(['echo']);
      const { origin } = new URL(place.url);
      const resource = mode === 'path' ? `${origin}/mcp` : origin;
      expect(queryOf(place.house).get('resource')).toBe(resource);
      const sent = await tokenOf(place);
      const access = place.house.signIn.accessTo(SIGN_IN_SERVER, place.url);
      expect(await access.onUnauthorized({ status: 401, header: undefined, sent, mayStepUp: false })).toBe(true);
      const forms = (await place.seen()).filter((each) => each.path === '/token').map(({ body }) => new URLSearchParams(body));
      expect(forms.map((form) => [form.get('grant_type'), form.get('resource')])).toEqual([
        ['authorization_code', resource],
        ['refresh_token', resource],
      ]);
    },
  ),

  ...eachMode('B60', Object.keys(ASKED), 'K1', 'metadata is found where the standards say, in their order', async (mode) => {
    const { house, seen } = await visit('B60', mode);
    expect(await namesOf(await signedIn(house))).toEqual(['echo']);
    expect((await seen()).map(pathOf).filter((path) => path.includes('.well-known'))).toEqual(ASKED[mode]);
  }),

  oneCase('B62', 'K4', 'without registration nothing is posted blindly, and an entered client id works', async () => {
    const bare = await visit('B62', '');
    await bare.house.open();
    const refused = await bare.house.start();
    expect(refused).toMatchObject({ ok: false, problem: expect.stringMatching(/gives no client ids by itself\. Enter/) });
    expect((await bare.seen()).map(pathOf)).not.toContain('/register');
    const callback = 'http://127.0.0.1:8765/callback';
    const { house, seen } = await visit('B62', '', { client: { kind: 'entered', clientId: 'preset-client', callback } });
    expect(await namesOf(await signedIn(house))).toEqual(['echo']);
    expect([queryOf(house).get('redirect_uri'), queryOf(house).get('client_id')]).toEqual([callback, 'preset-client']);
    expect((await seen()).map(pathOf)).not.toContain('/register');
  }),

  ...eachMode(
    'B63',
    ['', 'client'],
    'K3',
    'a token taken back ends in "sign in again" after one try, without a browser',
    async (mode) => {
      const place = await visit('B63', mode);
      const { house } = place;
      const session = await signedIn(house);
      const old = await tokenOf(place);
      await rest(1100);
      const before = (await place.seen()).length;
      for (let count = 0; count < 2; count += 1)
        expect(await session.callTool(callOf('echo'))).toMatchObject({ ok: false, problem: { kind: 'needs-sign-in' } });
      const after = (await place.seen()).slice(before);
      expect(after.filter((each) => each.path === '/token')).toHaveLength(1);
      expect(after.map(({ authorization }) => authorization)).not.toContain(old);
      expect([house.opened.length, house.signIn.stateOf(SIGN_IN_SERVER)]).toEqual([1, 'needed-again']);
      expect(house.store.recordOf(SIGN_IN_SERVER)).toBeNull();
    },
  ),

  oneCase('B65', 'K1', 'a call that needs more asks the person for the union, and is repeated once', async () => {
    const { house, seen } = await visit('B65', '');
    const session = await signedIn(house);
    expect(queryOf(house).get('scope')).toBe('read');
    expect(await session.callTool(callOf('echo', { a: 1 }))).toMatchObject({ ok: true });
    expect(queryOf(house, 1).get('scope')).toBe('read write');
    expect(await namesOf(session)).toEqual(['echo']);
    expect((await seen()).filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(2);
  }),

  ...eachMode(
    'B65',
    ['never'],
    'K1',
    'a scope that is not granted after consent ends the call, without a second question',
    async (mode) => {
      // The fixture grants whatever is asked for, so the browser is where it is taken back.
      const browse = async (address: string): Promise<void> => {
        const granted = new URL(address);
        granted.searchParams.set('scope', 'read');
        await fetch(granted);
      };
      const { house, seen } = await visit('B65', mode, { answers: { browse } });
      const session = await signedIn(house);
      const called = await session.callTool(callOf('echo'));
      expect(called).toMatchObject({ ok: false, problem: { kind: 'needs-sign-in' } });
      expect(house.opened).toHaveLength(2);
      expect((await seen()).filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(2);
      expect(await namesOf(session)).toEqual(['echo']);
    },
  ),

  ...eachMode(
    'B67',
    ['file', 'js', 'smb', 'ps'],
    'K2',
    'an address that is none of the web is neither shown nor opened',
    async (mode) => {
      const { house } = await visit('B67', mode);
      await house.open();
      const refused = await house.start();
      expect(refused).toMatchObject({ ok: false, problem: expect.stringMatching(/so nothing was opened or sent\.$/) });
      expect(house.opened).toEqual([]);
      expect(house.sheets.filter(({ step }) => step === 'open-browser')).toEqual([]);
    },
  ),

  ...eachMode('B67', ['cmd', 'percent'], 'K2', 'an odd address is shown whole and opened as that one address', async (mode) => {
    const place: Place = await visit('B67', mode, {
      answers: { browse: async () => place.house.signIn.cancel(SIGN_IN_SERVER) },
    });
    await place.house.open();
    await place.house.start();
    const { opened, sheets } = place.house;
    expect(opened).toHaveLength(1);
    expect(sheets.at(-1)).toMatchObject({ step: 'open-browser', address: opened[0] });
    expect(new URL(opened[0]!).pathname).toBe(mode === 'cmd' ? '/a' : '/%USERPROFILE%');
  }),

  ...eachMode(
    'B68',
    ['', 'localhost', 'ip'],
    'K5',
    'what is registered is what is sent, and its listener is gone afterwards',
    async (mode) => {
      const { house, seen } = await visit('B68', mode);
      await signedIn(house);
      const sent = queryOf(house).get('redirect_uri')!;
      const registered = (await seen())
        .filter((each) => each.path === '/register')
        .flatMap(({ body }) => (JSON.parse(body) as { redirect_uris: string[] }).redirect_uris);
      expect(registered.at(-1)).toBe(sent);
      expect(new URL(sent).hostname).toBe(mode === 'localhost' ? 'localhost' : '127.0.0.1');
      await expect(fetch(sent)).rejects.toThrow();
      const taken = await occupied();
      const callback = `http://127.0.0.1:${taken}/callback`;
      const other = await visit('B68', mode, { client: { kind: 'entered', clientId: 'preset-client', callback } });
      await other.house.open();
      expect(await other.house.start()).toMatchObject({ ok: false, problem: expect.stringContaining(`port ${taken}`) });
      expect(other.house.opened).toEqual([]);
    },
  ),

  oneCase('B69', 'K3', 'tokens are no other address’s, and go with the server and the client id they were given to', async () => {
    const place = await visit('B59', '');
    await signedIn(place.house);
    expect(await tokenOf(place)).toMatch(/^Bearer at_/);
    const second = await listening('B59', {});
    place.house.moveTo(second.url);
    expect(await place.house.open()).toMatchObject({ ok: false, problem: { kind: 'needs-sign-in' } });
    expect((await seenAt(second.url)).every(({ authorization }) => authorization === null)).toBe(true);
    place.house.moveTo(place.url);
    place.house.signIn.setClient(SIGN_IN_SERVER, { kind: 'entered', clientId: 'other', callback: 'http://127.0.0.1:8766/x' });
    expect(await tokenOf(place)).toBeNull();
    place.house.signIn.forget(SIGN_IN_SERVER);
    expect(place.house.store.recordOf(SIGN_IN_SERVER)).toBeNull();
  }),
];

/** A port of this computer on which another program listens. */
async function occupied(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
