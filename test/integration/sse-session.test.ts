import { beforeAll, describe, expect, test } from 'vitest';
import type { McpSession } from '../../src-main/sessions/mcp-session';
import type { Result } from '../../src-shared/base/result';
import type { SessionProblem } from '../../src-main/sessions/session-problem';
import { callOf, openHttpSession, serveHttp, startFixture } from '../support/scripted-server';
import { startEverything } from '../support/everything-server';

const connected = (session: Result<McpSession, SessionProblem>): McpSession => {
  if (!session.ok) throw new Error(session.problem.message);
  return session.value;
};
const textOf = (raw: unknown): string => (raw as { content: { text: string }[] }).content[0]!.text;

// What is loaded at first need is loaded here, so that a time measured below is that of the refusal.
beforeAll(async () => {
  await Promise.all([
    import('@modelcontextprotocol/client'),
    import('@modelcontextprotocol/client/validators/cf-worker'),
    import('undici'),
  ]);
});

describe('an address that takes no posts', () => {
  const older: [file: string, mode: string, because: string][] = [
    ['B29', '405', 'not allowed'],
    ['B29', '404', 'not there'],
    ['B29', '400', 'not understood'],
    ['B28', 'abs', 'its place for messages is a whole address of its own origin'],
  ];
  test.each(older)('W1: %s %s is spoken to over HTTP+SSE (%s)', async (file, mode) => {
    const running = await startFixture(`hostile/${file}.mjs`, { MODE: mode });
    const session = connected(await openHttpSession(running.url, { headers: [['x-key', 'k']] }));
    expect([session.era, session.spoken]).toEqual(['legacy', 'legacy-sse']);
    const listed = await session.listTools();
    expect(listed.ok && listed.value.tools.map((tool) => tool.rawName)).toEqual(['echo']);
    const called = await session.callTool(callOf('echo', { text: 'ж' }));
    expect(called.ok && textOf(called.raw)).toBe('{"text":"ж"}');
    expect(called.figures).toMatchObject({ address: '127.0.0.1' });
    expect(called.figures.bytesOut).toBeGreaterThan(100);
    expect(called.figures.bytesIn).toBeGreaterThan(10);
    const posts = (await running.stats()).filter(
      ({ method, path }) => method === 'POST' && path.includes('/messages?sessionId='),
    );
    expect(posts.map(({ rpc }) => rpc)).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'tools/call']);
  });

  test('W1: what was learned is used the next time: no post is wasted', async () => {
    const running = await startFixture('hostile/B29.mjs');
    connected(await openHttpSession(running.url, { parts: { era: 'legacy-sse' } }));
    expect((await running.stats())[0]).toMatchObject({ method: 'GET', path: '/api/sse' });
  });

  test('W1: what was learned and holds no more is found out again', async () => {
    const running = await startFixture('hostile/B15.mjs');
    const session = connected(await openHttpSession(running.url, { parts: { era: 'legacy-sse' } }));
    expect(session.spoken).toBe('legacy');
  });

  test.each(['cross', 'scheme'])('E5: B28 %s fails at once with both named, and nothing is posted anywhere', async (mode) => {
    const running = await startFixture('hostile/B28.mjs', { MODE: mode });
    const startedAt = Date.now();
    const opened = await openHttpSession(running.url, { headers: [['authorization', 'Bearer secret-key']] });
    expect(Date.now() - startedAt).toBeLessThan(1000);
    const where = mode === 'cross' ? '0.0.0.0:9' : 'an address that is no web address';
    expect(opened).toMatchObject({
      ok: false,
      problem: {
        kind: 'refused',
        message: `Notes is at ${new URL(running.url).host} and wants its messages sent to ${where}, which is not its own. Nothing was sent there.`,
      },
    });
    expect((await running.stats()).filter(({ path }) => path.startsWith('/messages'))).toEqual([]);
  });

  test('W3: B28 none never says where, and ends with the deadline of the start', async () => {
    const { url } = await startFixture('hostile/B28.mjs', { MODE: 'none' });
    const startedAt = Date.now();
    const opened = await openHttpSession(url, { limits: { discoveryTimeoutMs: 700 } });
    expect(Date.now() - startedAt).toBeLessThan(1700);
    expect(opened).toMatchObject({
      ok: false,
      problem: { kind: 'timed-out', message: 'Notes did not finish starting within 700 milliseconds.' },
    });
  });
});

describe('an address that answers otherwise', () => {
  const others: [status: number, body: string, because: string][] = [
    [401, 'no', 'it asks for a sign-in'],
    [403, 'no', 'it refuses access'],
    [500, 'no', 'it fails'],
    [503, 'no', 'it is busy'],
    [406, 'no', 'it wants another form'],
    [400, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No session"}}', 'it speaks the protocol itself'],
    [404, '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Not found"}}', 'it speaks the protocol itself'],
  ];
  test.each(others)('W1: %i %s is not asked for a stream (%s)', async (status, body) => {
    const methods: string[] = [];
    const { url } = await serveHttp((request, response) => {
      methods.push(request.method ?? '');
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
    expect((await openHttpSession(url)).ok).toBe(false);
    expect(methods).not.toContain('GET');
  });

  test('W6: where there is no stream either, the first answer is told', async () => {
    const { url } = await serveHttp((_request, response) => response.writeHead(404).end('nothing here'));
    expect(await openHttpSession(url)).toMatchObject({
      ok: false,
      problem: {
        kind: 'server-error',
        message: 'Notes knows nothing at this address (404). Check the address in Settings.',
        said: 'nothing here',
      },
    });
  });
});

describe('what the user chose', () => {
  test('W1: Streamable HTTP alone never asks for a stream', async () => {
    const running = await startFixture('hostile/B29.mjs');
    const wire = { protocol: 'streamable-http', era: 'auto' } as const;
    expect((await openHttpSession(running.url, { parts: { wire } })).ok).toBe(false);
    expect((await running.stats()).map(({ method }) => method)).not.toContain('GET');
  });

  test('W1: HTTP+SSE alone never posts first', async () => {
    const running = await startFixture('hostile/B29.mjs');
    const wire = { protocol: 'sse', era: 'auto' } as const;
    connected(await openHttpSession(running.url, { parts: { wire } }));
    expect((await running.stats())[0]).toMatchObject({ method: 'GET' });
  });

  test('W1: the session era alone is not asked which it speaks', async () => {
    const running = await startFixture('hostile/B15.mjs');
    const wire = { protocol: 'auto', era: 'legacy' } as const;
    connected(await openHttpSession(running.url, { parts: { wire } }));
    expect((await running.stats())[0]).toMatchObject({ rpc: 'initialize' });
  });

  test('W1: the stateless era alone says so when a server does not speak it', async () => {
    const { url } = await startFixture('hostile/B15.mjs');
    const wire = { protocol: 'auto', era: 'modern' } as const;
    expect(await openHttpSession(url, { parts: { wire } })).toMatchObject({
      ok: false,
      problem: {
        message: 'Notes does not speak protocol version 2026-07-28, which its settings ask for. Choose automatic there.',
      },
    });
  });

  test('W1: HTTP+SSE and the stateless era are refused together, before anything is sent', async () => {
    const running = await startFixture('hostile/B29.mjs');
    const wire = { protocol: 'sse', era: 'modern' } as const;
    expect(await openHttpSession(running.url, { parts: { wire } })).toMatchObject({ ok: false, problem: { kind: 'refused' } });
    expect(await running.stats()).toEqual([]);
  });
});

describe('server-everything over HTTP+SSE', () => {
  test('W1: lists, calls, reports progress, cancels and ends', async () => {
    const session = connected(await openHttpSession(await startEverything('sse')));
    expect([session.spoken, session.protocolVersion]).toEqual(['legacy-sse', '2025-11-25']);
    const listed = await session.listTools();
    expect(listed.ok && listed.value.tools).toHaveLength(13);
    const many = await Promise.all(
      Array.from({ length: 20 }, (_, count) => session.callTool(callOf('get-sum', { a: count, b: 1 }))),
    );
    for (const [count, called] of many.entries()) expect(called.ok && textOf(called.raw)).toContain(String(count + 1));
    const seen: number[] = [];
    const slow = await session.callTool({
      ...callOf('trigger-long-running-operation', { duration: 1, steps: 4 }),
      onProgress: ({ progress }) => seen.push(progress),
    });
    expect([slow.ok, seen.length]).toEqual([true, 4]);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 200);
    const startedAt = Date.now();
    const ended = await session.callTool({ ...callOf('trigger-long-running-operation', { duration: 20 }), signal: stop.signal });
    expect(ended).toMatchObject({ ok: false, problem: { kind: 'cancelled' } });
    expect(Date.now() - startedAt).toBeLessThan(1500);
    expect((await session.callTool(callOf('echo', { message: 'still here' }))).ok).toBe(true);
    await session.close();
  });
});
