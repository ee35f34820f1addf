import { expect, test } from 'vitest';
import { doorWithAccess } from '../../../src-main/sessions/http-transport-access';
import type { HttpAccess } from '../../../src-main/sessions/http-transport-door';
import { routeIdForServer } from '../../../src-shared/egress/route-table';
import { ServerIdSchema } from '../../../src-shared/servers/server.schema';
import { ScriptedDoor, type ScriptedAnswer } from '../../support/scripted-server-door';

const endpoint = 'https://notes.example.com/mcp';
const routeId = routeIdForServer(ServerIdSchema.parse('notes'));
const post = { method: 'POST', headers: { accept: 'x' }, body: '{}' } as const;

/** Tokens of one kind, each with a count of its own; a new one after a refusal when it can be renewed. */
class CountingAccess implements HttpAccess {
  readonly asked: string[] = [];
  readonly told: string[] = [];
  #token = 1;
  #nonce = 'none';

  constructor(private readonly kind: 'plain' | 'bound' | 'none') {}

  async authorize({ method, url }: { method: string; url: string }): Promise<{ authorization?: string; dpop?: string }> {
    this.asked.push(`${method} ${url}`);
    if (this.kind === 'none') return {};
    const authorization = `token-${this.#token}`;
    return this.kind === 'plain' ? { authorization } : { authorization, dpop: `proof-${this.asked.length}-${this.#nonce}` };
  }

  async noteNonce({ status, header, nonce }: Parameters<HttpAccess['noteNonce']>[0]): Promise<boolean> {
    this.told.push(`${status} ${nonce ?? '-'}`);
    if (nonce !== undefined) this.#nonce = nonce;
    return status === 401 && header === 'DPoP error="use_dpop_nonce"';
  }

  async onUnauthorized(): Promise<boolean> {
    this.#token += 1;
    return this.#token === 2;
  }
}

const wantsNonce: ScriptedAnswer = {
  status: 401,
  headers: { 'WWW-Authenticate': 'DPoP error="use_dpop_nonce"', 'DPoP-Nonce': 'n-1' },
};

function setUp(kind: 'plain' | 'bound' | 'none', script: ConstructorParameters<typeof ScriptedDoor>[0]) {
  const inner = new ScriptedDoor(script);
  const access = new CountingAccess(kind);
  return { inner, access, door: doorWithAccess(inner, access, endpoint) };
}

const headersOf = (inner: ScriptedDoor): Record<string, string>[] => inner.asked.map(({ headers }) => headers);

test('K3: a missing nonce is made good once, with a new proof and without a word to the person', async () => {
  const { inner, access, door } = setUp('bound', (_asked, count) => (count === 1 ? wantsNonce : { status: 200 }));
  expect(await door.request(routeId, endpoint, post)).toMatchObject({ status: 200 });
  expect(headersOf(inner)).toEqual([
    { accept: 'x', authorization: 'token-1', dpop: 'proof-1-none' },
    { accept: 'x', authorization: 'token-1', dpop: 'proof-2-n-1' },
  ]);
  expect(access.asked).toEqual([`POST ${endpoint}`, `POST ${endpoint}`]);
  expect(inner.destroyed).toEqual([1]);
});

test('K3: a nonce is taken from every answer, also from a good one', async () => {
  const { access, door, inner } = setUp('bound', () => ({ status: 200, headers: { 'dpop-nonce': 'n-7' } }));
  await door.request(routeId, endpoint, post);
  await door.request(routeId, endpoint, post);
  expect(access.told).toEqual(['200 n-7', '200 n-7']);
  expect(headersOf(inner)[1]).toMatchObject({ dpop: 'proof-2-n-7' });
});

test('K3: a server that is never content is asked twice for each token, and no more', async () => {
  const { inner, door } = setUp('bound', () => wantsNonce);
  expect(await door.request(routeId, endpoint, post)).toMatchObject({ status: 401 });
  expect(headersOf(inner).map(({ authorization }) => authorization)).toEqual(['token-1', 'token-1', 'token-2', 'token-2']);
});

test('K3: what was stopped meanwhile is not asked again', async () => {
  const abort = new AbortController();
  const { inner, door } = setUp('bound', () => {
    abort.abort();
    return wantsNonce;
  });
  await door.request(routeId, endpoint, { ...post, signal: abort.signal }).catch(() => undefined);
  expect(inner.asked).toHaveLength(1);
});

test('K3: without a proof no nonce is looked for', async () => {
  const { access, door } = setUp('plain', () => ({ status: 200, headers: { 'dpop-nonce': 'n-7' } }));
  await door.request(routeId, endpoint, post);
  expect(access.told).toEqual([]);
});

test('K3: without a token the server’s own header stays', async () => {
  const { inner, door } = setUp('none', () => ({ status: 200 }));
  await door.request(routeId, endpoint, { ...post, headers: { authorization: 'Basic own' } });
  expect(headersOf(inner)).toEqual([{ authorization: 'Basic own' }]);
});

test('K3, E5: another origin gets neither a token nor a proof', async () => {
  const { inner, access, door } = setUp('bound', () => wantsNonce);
  for (const url of ['https://evil.example.com/mcp', 'http://notes.example.com/mcp', 'https://notes.example.com:444/mcp'])
    await door.request(routeId, url, post);
  expect(headersOf(inner)).toEqual([{ accept: 'x' }, { accept: 'x' }, { accept: 'x' }]);
  expect(access.asked).toEqual([]);
  expect(access.told).toEqual([]);
});
