import { describe, expect, test } from 'vitest';
import type { McpSession } from '../../src-main/sessions/mcp-session';
import type { Result } from '../../src-shared/base/result';
import type { SessionProblem } from '../../src-main/sessions/session-problem';
import { startEverything } from '../support/everything-server';
import { callOf, openHttpSession, serveHttp, startFixture } from '../support/scripted-server';

const connected = (session: Result<McpSession, SessionProblem>): McpSession => {
  if (!session.ok) throw new Error(session.problem.message);
  return session.value;
};
const textOf = (raw: unknown): string => (raw as { content: { text: string }[] }).content[0]!.text;

describe('a server that answers in unusual but legal ways', () => {
  const legal: [file: string, mode: string, because: string][] = [
    ['B15', '', 'events with their data over many lines'],
    ['B16', '', 'comments, keep-alives and foreign events between'],
    ['B18', '', 'a stream taken up again by its event id'],
    ['B24', '307', 'a redirect on the same origin'],
    ['B24', '301', 'a redirect on the same origin that others turn into a GET'],
    ['B26', 'upper', 'a type in capitals'],
    ['B26', 'charset', 'a type with a quoted parameter'],
    ['B26', 'sseupper', 'a stream type in capitals'],
    ['B26', 'jsonplain', 'JSON under a wrong name'],
    ['B26', 'missing', 'JSON under no name'],
    ['B26', 'dup', 'a type twice'],
    ['B21', '200text', 'a stream that is none'],
    ['B21', '200json', 'a stream that is JSON'],
    ['B21', '404', 'no stream there'],
    ['B21', '400', 'no stream wanted'],
    ['B21', '406', 'no such stream'],
    ['B21', '501', 'no streams at all'],
    ['B31', '', 'only an older version, named in a refusal'],
  ];
  test.each(legal)('W1: %s %s works (%s)', async (file, mode) => {
    const { url } = await startFixture(`hostile/${file}.mjs`, { MODE: mode });
    const session = connected(await openHttpSession(url));
    const listed = await session.listTools();
    expect(listed.ok && listed.value.tools.map((tool) => tool.rawName)).toEqual(['echo']);
    const called = await session.callTool(callOf('echo', { text: 'ж' }));
    expect(called.ok && textOf(called.raw)).toBe('{"text":"ж"}');
    expect(called.figures.bytesOut).toBeGreaterThan(100);
    expect(called.figures.address).toBe('127.0.0.1');
  });
});

describe('a server that fails', () => {
  const refusals: [file: string, mode: string, kind: SessionProblem['kind'], says: RegExp][] = [
    ['B26', 'plain', 'server-error', /^Notes answered with status 200 and text\/plain, which is no MCP reply\.$/],
    ['B26', 'html', 'server-error', /^Notes answered with status 200 and text\/html, which is no MCP reply\.$/],
    ['B24', 'cross', 'refused', /^Notes redirects to another address, which was not followed\.$/],
    ['B24', 'loop', 'refused', /^Notes redirects to itself, which was not followed\.$/],
  ];
  test.each(refusals)('W6: %s %s is refused at once as %s', async (file, mode, kind, says) => {
    const { url } = await startFixture(`hostile/${file}.mjs`, { MODE: mode });
    const startedAt = Date.now();
    const session = await openHttpSession(url);
    expect(Date.now() - startedAt).toBeLessThan(1000);
    expect(session).toMatchObject({ ok: false, problem: { kind, message: expect.stringMatching(says) } });
  });

  test('E5: nothing is sent to the host of a redirect to elsewhere', async () => {
    const running = await startFixture('hostile/B24.mjs', { MODE: 'cross' });
    await openHttpSession(running.url, { headers: [['authorization', 'Bearer secret-key']] });
    const other = running.lines.find((line) => line.startsWith('OTHER '))!.slice(6);
    expect(await (await fetch(new URL('/stats', other))).json()).toEqual([]);
  });

  test.each(['end', 'reset', 'unterminated'])(
    'W6: a stream that ends (%s) without a response ends the call at once, and it is not repeated',
    async (mode) => {
      const running = await startFixture('hostile/B19.mjs', { MODE: mode });
      const session = connected(await openHttpSession(running.url));
      const startedAt = Date.now();
      const called = await session.callTool(callOf('echo'));
      expect(Date.now() - startedAt).toBeLessThan(1000);
      expect(called).toMatchObject({
        ok: false,
        problem: { kind: 'lost', message: expect.stringMatching(/^Notes ended its connection/) },
      });
      expect((await running.stats()).filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(1);
    },
  );

  test('W6: two calls on a forgotten session make one new session, and each is sent once more', async () => {
    const running = await startFixture('hostile/B22.mjs');
    let changes = 0;
    const session = connected(await openHttpSession(running.url, { parts: { onToolsChanged: () => (changes += 1) } }));
    expect((await session.callTool(callOf('echo'))).ok).toBe(true);
    const both = await Promise.all([session.callTool(callOf('echo', { n: 1 })), session.callTool(callOf('echo', { n: 2 }))]);
    expect(both.map((called) => called.ok && textOf(called.raw))).toEqual(['{"n":1}', '{"n":2}']);
    expect((await running.stats()).filter(({ rpc }) => rpc === 'initialize')).toHaveLength(2);
    await expect.poll(() => changes).toBe(1);
  });

  test('W6: a call its server claims destructive is not repeated on a new session', async () => {
    const running = await startFixture('hostile/B22.mjs');
    const session = connected(await openHttpSession(running.url));
    await session.callTool(callOf('echo'));
    const ask = callOf('echo');
    const called = await session.callTool({ ...ask, definition: { ...ask.definition, claims: { destructive: true } } });
    expect(called).toMatchObject({ ok: false, problem: { kind: 'lost' } });
    expect((await running.stats()).filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(2);
  });

  test('W6: a server that forgets every session is told of clearly, after one retry', async () => {
    const running = await startFixture('hostile/B22.mjs', { MODE: 'loop' });
    const session = connected(await openHttpSession(running.url));
    const called = await session.callTool(callOf('echo'));
    expect(called).toMatchObject({ ok: false });
    expect((await running.stats()).filter(({ rpc }) => rpc === 'tools/call').length).toBeLessThanOrEqual(2);
  });

  const statuses: [status: number, kind: SessionProblem['kind'], says: string][] = [
    [
      401,
      'needs-sign-in',
      'Notes asks for a sign-in (401). Choose Sign in at its row in Settings, MCP servers, or save its key as a secret header.',
    ],
    [403, 'needs-sign-in', 'Notes refuses access (403). Check the key saved for it in Settings.'],
    [500, 'server-error', 'Notes answered with status 500.'],
  ];
  test.each(statuses)('W6: status %i is told as %s', async (status, kind, message) => {
    const { url } = await serveHttp((_request, response) => response.writeHead(status).end('no'));
    expect(await openHttpSession(url)).toMatchObject({ ok: false, problem: { kind, message, said: 'no' } });
  });

  test('W6: a server that is not there is told without its address', async () => {
    const session = await openHttpSession('http://127.0.0.1:9/mcp');
    expect(session).toMatchObject({ ok: false, problem: { kind: 'unreachable', message: expect.not.stringContaining('127') } });
  });
});

describe('a server that sends too much or too slowly', () => {
  test('W2: a packed reply of 64 MiB is cut at the limit, and the connection stays usable', async () => {
    const { url } = await startFixture('hostile/B25.mjs', { MB: '64' });
    const session = connected(await openHttpSession(url));
    const before = process.memoryUsage().rss;
    const called = await session.callTool(callOf('echo'));
    expect(called).toMatchObject({ ok: false, problem: { kind: 'too-large', message: expect.stringContaining('2 MiB') } });
    expect(process.memoryUsage().rss - before).toBeLessThan(18 * 1024 * 1024 * 2);
    expect((await session.listTools()).ok).toBe(true);
  });

  test('W3: a byte a second holds neither a call nor a socket', async () => {
    const server = await serveHttp((request, response, body) => {
      const message = body === '' ? {} : (JSON.parse(body) as { id?: number; method?: string });
      if (request.method !== 'POST' || message.id === undefined)
        return void response.writeHead(request.method === 'POST' ? 202 : 405).end();
      if (message.method !== 'tools/call') return void answerAsLegacy(response, message);
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(timer));
    });
    const session = connected(await openHttpSession(server.url, { limits: { callTimeoutMs: 500 } }));
    const startedAt = Date.now();
    const called = await session.callTool(callOf('echo'));
    expect(Date.now() - startedAt).toBeLessThan(1500);
    expect(called).toMatchObject({
      ok: false,
      problem: { kind: 'timed-out', message: expect.stringContaining('500 milliseconds') },
    });
    await session.close();
    await expect.poll(server.open, { timeout: 3000 }).toBeLessThanOrEqual(1);
  });
});

describe('a server with sessions', () => {
  test('W1: server-everything lists, answers in streams, reports progress and ends its session', async () => {
    const session = connected(await openHttpSession(await startEverything('streamableHttp')));
    expect([session.era, session.protocolVersion]).toEqual(['legacy', '2025-11-25']);
    const listed = await session.listTools();
    expect(listed.ok && listed.value.tools).toHaveLength(13);
    for (let count = 0; count < 20; count += 1) {
      const called = await session.callTool(callOf('get-sum', { a: count, b: 1 }));
      expect(called.ok && textOf(called.raw)).toContain(String(count + 1));
    }
    const seen: number[] = [];
    const slow = await session.callTool({
      ...callOf('trigger-long-running-operation', { duration: 1, steps: 4 }),
      onProgress: ({ progress }) => seen.push(progress),
    });
    expect([slow.ok, seen.length]).toEqual([true, 4]);
    await session.close();
  });
});

describe('the stateless era', () => {
  test('W1: a 2026-07-28 server is spoken to with its headers and without a session', async () => {
    const running = await startFixture('peers/modern-http.mjs');
    const session = connected(await openHttpSession(running.url, { headers: [['x-key', 'k']] }));
    expect([session.era, session.protocolVersion]).toEqual(['modern', '2026-07-28']);
    const listed = await session.listTools();
    expect(listed.ok && listed.value.tools.map((tool) => tool.rawName)).toEqual(['echo', 'count', 'slow']);
    expect(listed.ok && listed.value.instructions).toBe('Use echo.');
    const called = await session.callTool(callOf('echo', { text: 'grüße' }));
    expect(called.ok && textOf(called.raw)).toBe('grüße');
    const seen = (await running.stats()) as unknown as { method: string; headers: Record<string, string> }[];
    const call = seen.find(({ headers }) => headers['mcp-method'] === 'tools/call')!;
    expect(call.headers).toMatchObject({ 'mcp-name': 'echo', 'mcp-protocol-version': '2026-07-28', 'x-key': 'k' });
    expect(seen.every(({ headers }) => headers['mcp-session-id'] === undefined && headers['cookie'] === undefined)).toBe(true);
  });

  test('W3: cancelling ends the call at once and its stream with it', async () => {
    const running = await startFixture('peers/modern-http.mjs');
    const session = connected(await openHttpSession(running.url));
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 200);
    const startedAt = Date.now();
    const called = await session.callTool({ ...callOf('slow', { ms: 20_000 }), signal: stop.signal });
    expect(Date.now() - startedAt).toBeLessThan(1000);
    expect(called).toMatchObject({ ok: false, problem: { kind: 'cancelled' } });
    expect((await session.callTool(callOf('echo', { text: 'still here' }))).ok).toBe(true);
  });
});

describe('what leaves', () => {
  test('A5: arguments that would not leave byte for byte as approved are not sent', async () => {
    const running = await startFixture('hostile/B15.mjs');
    const session = connected(await openHttpSession(running.url));
    const refused = ['{ "a": 1 }', '{"a":1.0}', '[1]', 'nonsense', '{"a":1,"a":2}'];
    for (const frozenText of refused) {
      expect(await session.callTool({ ...callOf('echo'), frozenText })).toMatchObject({
        ok: false,
        problem: { kind: 'refused' },
      });
    }
    expect((await running.stats()).some(({ rpc }) => rpc === 'tools/call')).toBe(false);
    const kept = '{"__proto__":{"x":1},"constructor":null,"10":1}';
    expect(
      await session.callTool({ ...callOf('echo'), frozenText: '{"10":1,"__proto__":{"x":1},"constructor":null}' }),
    ).toMatchObject({ ok: true });
    expect(await session.callTool({ ...callOf('echo'), frozenText: kept })).toMatchObject({ ok: false });
  });

  test('O6: a number of many digits leaves as it was approved', async () => {
    const bodies: string[] = [];
    const { url } = await serveHttp((request, response, body) => {
      const message = body === '' ? {} : (JSON.parse(body) as { id?: number; method?: string });
      if (request.method !== 'POST' || message.id === undefined)
        return void response.writeHead(request.method === 'POST' ? 202 : 405).end();
      bodies.push(body);
      answerAsLegacy(response, message);
    });
    const session = connected(await openHttpSession(url));
    await session.callTool({ ...callOf('echo'), frozenText: '{"a":12345678901234567890}' });
    expect(bodies.find((body) => body.includes('tools/call'))).toContain('"arguments":{"a":12345678901234567890}');
  });
});

function answerAsLegacy(response: import('node:http').ServerResponse, message: { id?: number; method?: string }): void {
  const known = message.method === 'initialize';
  const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } };
  const error = { code: -32601, message: 'Method not found' };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...(known ? { result } : { error }) }));
}
