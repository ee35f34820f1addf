import { describe, expect, onTestFinished, test } from 'vitest';
import { DEFAULT_LIMITS, type ServerLimits } from '../../../src-shared/servers/server.schema';
import { openSession, type McpSession, type SessionParts } from '../../../src-main/sessions/mcp-session';
import { UNREAD_PAGES } from '../../../src-main/sessions/mcp-session-list';
import { ExchangeError, toSessionProblem, type SessionProblem } from '../../../src-main/sessions/session-problem';
import { TooLargeError } from '../../../src-main/sessions/bounded-stream';
import { StdioError } from '../../../src-main/sessions/stdio-transport';
import { FakeClock } from '../../support/fake-clock';
import { linksTo, ScriptedServer, silence, type Script } from '../../support/scripted-server-transport';

async function setUp(script: Script, options: { limits?: Partial<ServerLimits>; parts?: Partial<SessionParts> } = {}) {
  const server = new ScriptedServer(script);
  const clock = new FakeClock();
  const opened = await openSession({
    serverName: 'Notes',
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    clock,
    link: linksTo(server),
    ...options.parts,
  });
  if (!opened.ok) throw new Error(opened.problem.message);
  onTestFinished(() => opened.value.close());
  return { server, clock, session: opened.value };
}

const ask = (rawName: string, input: object = {}) => ({
  definition: { rawName, inputSchema: { type: 'object' }, claims: {} },
  frozenText: JSON.stringify(input),
});
const namesOf = async (session: McpSession): Promise<string[]> => {
  const listed = await session.listTools();
  if (!listed.ok) throw new Error(listed.problem.message);
  return listed.value.tools.map((tool) => tool.rawName);
};
const tool = (name: unknown) => ({ name, inputSchema: { type: 'object' } });
const onCall =
  (answer: Script): Script =>
  (message, server) =>
    message.method === 'tools/call' ? answer(message, server) : undefined;

describe('the tool list', () => {
  test('R3: a malformed tool costs that tool', async () => {
    const { session } = await setUp(({ method }) =>
      method === 'tools/list' ? { tools: [tool('a'), null, tool(42), { name: 'b' }, tool('c')] } : undefined,
    );
    expect(await namesOf(session)).toEqual(['a', 'c']);
  });

  const paging: [cursors: (string | undefined | null)[], pages: number, because: string][] = [
    [['x', 'x', 'x'], 2, 'a repeated cursor'],
    [['', '', ''], 2, 'an empty cursor is one, and repeats'],
    [['A', 'B', 'A', 'B'], 3, 'cursors that go round'],
    [['A', 'B', undefined], 3, 'the end'],
    [[null], 1, 'a cursor that is null'],
  ];
  test.each(paging)('R3: cursors %j end after %i pages (%s)', async (cursors, pages) => {
    let asked = 0;
    const { session } = await setUp(({ method }) => {
      if (method !== 'tools/list') return undefined;
      asked += 1;
      return { tools: [tool(`t${asked}`)], nextCursor: cursors[asked - 1] };
    });
    expect(await namesOf(session)).toHaveLength(pages);
    expect(asked).toBe(pages);
  });

  test('R3: endless paging ends after 64 pages, or once there is more than will be kept', async () => {
    let asked = 0;
    const script: Script = ({ method }) =>
      method === 'tools/list' ? { tools: [tool(`t${(asked += 1)}`)], nextCursor: `c${asked}` } : undefined;
    const listed = await (await setUp(script)).session.listTools();
    expect(listed.ok && [listed.value.tools.length, listed.value.skipped]).toEqual([64, [UNREAD_PAGES]]);
    asked = 0;
    expect(await namesOf((await setUp(script, { limits: { maxTools: 5 } })).session)).toHaveLength(5);
    expect(asked).toBe(6);
  });

  test('W3: a list that never comes ends at the discovery deadline', async () => {
    const { session, clock } = await setUp(({ method }) => (method === 'tools/list' ? silence() : undefined));
    const listing = session.listTools();
    await clock.advanceSettling(DEFAULT_LIMITS.discoveryTimeoutMs);
    expect(await listing).toMatchObject({
      ok: false,
      problem: { kind: 'timed-out', message: 'Notes did not list its tools within 10 seconds.' },
    });
  });
});

describe('a call', () => {
  test('R4, N6: goes under the raw name with the approved bytes, and the result comes back as it was sent', async () => {
    const raw = { content: [{ type: 'from-the-future', x: 1 }, null], structuredContent: [1], isError: 'true' };
    const { session, server } = await setUp(onCall(() => raw));
    const called = await session.callTool(ask('get.item', { b: 1, a: [null] }));
    expect(called).toMatchObject({ ok: true, raw });
    expect(server.received.at(-1)).toMatchObject({
      method: 'tools/call',
      params: { name: 'get.item', arguments: { b: 1, a: [null] } },
    });
  });

  test('A5: bytes that the message would not carry exactly are not sent', async () => {
    const { session, server } = await setUp(onCall(() => ({ content: [] })));
    for (const frozenText of ['{"a": 1}', '{"a":1e2}', '[]', '']) {
      expect(await session.callTool({ ...ask('echo'), frozenText })).toMatchObject({ ok: false, problem: { kind: 'refused' } });
    }
    expect(server.received.some(({ method }) => method === 'tools/call')).toBe(false);
  });

  test('R4: an output schema the result breaks, or that is broken itself, does not lose the result', async () => {
    const { session } = await setUp(onCall(() => ({ content: [{ type: 'text', text: 'kept' }] })));
    const definition = { ...ask('echo').definition, outputSchema: { type: 'object', required: ['x'], $schema: 'unknown' } };
    expect(await session.callTool({ ...ask('echo'), definition })).toMatchObject({
      ok: true,
      raw: { content: [{ text: 'kept' }] },
    });
  });

  test('W3: ends at its deadline, tells the server, and a late answer changes nothing', async () => {
    const { session, server, clock } = await setUp(onCall(silence));
    const calling = session.callTool(ask('slow'));
    await clock.advanceSettling(20_000);
    expect(await calling).toMatchObject({
      ok: false,
      problem: { kind: 'timed-out', message: expect.stringContaining('within 20 seconds') },
    });
    const { id } = server.received.find(({ method }) => method === 'tools/call')!;
    expect(server.received.at(-1)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: id } });
    server.say({ jsonrpc: '2.0', id: id!, result: { content: [] } });
    expect(await namesOf(session)).toEqual(['echo']);
  });

  test('W3: progress extends it, but not beyond 10 minutes', async () => {
    const { session, server, clock } = await setUp(onCall(silence));
    const seen: number[] = [];
    let done = false;
    const calling = session
      .callTool({ ...ask('slow'), onProgress: ({ progress }) => seen.push(progress) })
      .finally(() => (done = true));
    await clock.advanceSettling(0);
    const { params } = server.received.find(({ method }) => method === 'tools/call')!;
    const { progressToken } = params!['_meta'] as { progressToken: number };
    let minutes = 0;
    for (; !done && minutes < 20; minutes += 0.25) {
      server.say({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: minutes } });
      await clock.advanceSettling(0);
      await clock.advanceSettling(15_000);
    }
    expect(minutes).toBe(10);
    expect(seen.length).toBe(40);
    expect(await calling).toMatchObject({
      ok: false,
      problem: { kind: 'timed-out', message: expect.stringContaining('within 600 seconds') },
    });
  });

  test('W3: can be cancelled, which tells the server', async () => {
    const { session, server } = await setUp(onCall(silence));
    const stop = new AbortController();
    const calling = session.callTool({ ...ask('slow'), signal: stop.signal });
    setImmediate(() => stop.abort());
    expect(await calling).toMatchObject({
      ok: false,
      problem: { kind: 'cancelled', message: 'The call to Notes was cancelled. Whether the tool ran is not known.' },
    });
    expect(server.received.at(-1)).toMatchObject({ method: 'notifications/cancelled' });
  });

  test('W6: losing the server ends every open call at once, with how it ended, though its holder closes the session', async () => {
    const lost: SessionProblem[] = [];
    const onLost = (problem: SessionProblem): void => void (lost.push(problem), session.close());
    const { session, server }: Awaited<ReturnType<typeof setUp>> = await setUp(onCall(silence), { parts: { onLost } });
    const calls = Promise.all([session.callTool(ask('a')), session.callTool(ask('b'))]);
    setImmediate(() => server.end(new StdioError('PROGRAM_EXITED', 'x', { code: 3, signal: null }, ['fatal: no disk'])));
    const message = 'Notes exited with code 3 before it answered. Whether the tool ran is not known.';
    for (const called of await calls)
      expect(called).toMatchObject({ ok: false, problem: { kind: 'exited', message, said: 'fatal: no disk' } });
    expect(lost).toMatchObject([{ kind: 'exited' }]);
    expect(session.open).toBe(false);
  });

  test('W5: closing settles open calls as cancelled', async () => {
    const { session } = await setUp(onCall(silence));
    const calling = session.callTool(ask('slow'));
    setImmediate(() => void session.close());
    expect(await calling).toMatchObject({ ok: false, problem: { kind: 'cancelled' } });
  });

  test('W8: a server error keeps its words apart from ours', async () => {
    const { session } = await setUp(onCall(() => ({ error: { code: -32000, message: 'disk full' } })));
    expect(await session.callTool(ask('echo'))).toMatchObject({
      ok: false,
      problem: { kind: 'server-error', message: 'Notes answered with an error.', said: expect.stringContaining('disk full') },
    });
  });
});

describe('what the server asks', () => {
  test('W8: pings are answered; sampling, roots and elicitation are refused as unknown, since none is declared', async () => {
    const { server } = await setUp(() => undefined);
    const questions = ['ping', 'roots/list', 'sampling/createMessage', 'elicitation/create', 'x/unknown'];
    for (const [id, method] of questions.entries()) server.say({ jsonrpc: '2.0', id: `q${id}`, method, params: {} });
    await expect.poll(() => server.received.filter(({ method }) => method === undefined).length).toBe(5);
    const answers = server.received.filter(({ method }) => method === undefined) as unknown as {
      id: string;
      result?: unknown;
      error?: { code: number };
    }[];
    expect(answers.find(({ id }) => id === 'q0')).toMatchObject({ result: {} });
    expect(answers.filter(({ error }) => error?.code === -32601)).toHaveLength(4);
    const first = server.received.find(({ method }) => method === 'initialize')!;
    expect(first.params!['capabilities']).toEqual({});
  });

  test('R3: a storm of list changes is told at most once a second, and the last one is not lost', async () => {
    let told = 0;
    const { server, clock } = await setUp(() => undefined, { parts: { onToolsChanged: () => (told += 1) } });
    for (let burst = 0; burst < 50; burst += 1) {
      for (let count = 0; count < 10; count += 1) server.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
      await clock.advanceSettling(0);
      await clock.advanceSettling(100);
    }
    expect(told).toBeGreaterThanOrEqual(5);
    expect(told).toBeLessThanOrEqual(6);
    await clock.advanceSettling(1000);
    const settled = told;
    await clock.advanceSettling(10_000);
    expect(told).toBe(settled);
  });
});

describe('the start', () => {
  test('W3: a server that never answers ends at the deadline, and can be given up earlier', async () => {
    const clock = new FakeClock();
    const server = new ScriptedServer(silence);
    const opening = openSession({ serverName: 'Notes', limits: DEFAULT_LIMITS, clock, link: linksTo(server) });
    await expect.poll(() => server.received.length).toBe(1);
    await clock.advanceSettling(10_000);
    expect(await opening).toMatchObject({
      ok: false,
      problem: { kind: 'timed-out', message: 'Notes did not finish starting within 10 seconds.' },
    });
    await expect.poll(() => server.closed).toBe(true);

    const stop = new AbortController();
    const second = new ScriptedServer(silence);
    const given = openSession({ serverName: 'Notes', limits: DEFAULT_LIMITS, clock, link: linksTo(second), signal: stop.signal });
    await expect.poll(() => second.received.length).toBe(1);
    stop.abort();
    expect(await given).toMatchObject({
      ok: false,
      problem: { kind: 'cancelled', message: 'The start of Notes was cancelled.' },
    });
    await expect.poll(() => second.closed).toBe(true);
  });

  test('W1: a remembered server of the session era is not asked which era it speaks', async () => {
    const { server } = await setUp(() => undefined, { parts: { era: 'legacy' } });
    expect(server.received[0]!.method).toBe('initialize');
  });

  test('W1: a remembered era that no longer holds is asked anew', async () => {
    const old = new ScriptedServer(({ method }) =>
      method === 'initialize' ? { error: { code: -32601, message: 'gone' } } : undefined,
    );
    const fresh = new ScriptedServer(() => undefined);
    const { session } = await setUp(() => undefined, { parts: { era: 'legacy', link: linksTo(old, fresh) } });
    expect(fresh.received[0]!.method).toBe('server/discover');
    expect(session.era).toBe('legacy');
  });
});

const facts = { serverName: 'Notes', doing: 'call', maxReplyBytes: 2 * 1024 * 1024 } as const;
const coded = (code: string | number, data?: object): Error =>
  Object.assign(new Error('words'), { code, ...(data ? { data } : {}) });

describe('problems in words', () => {
  const told: [error: unknown, kind: SessionProblem['kind'], words: RegExp][] = [
    [new TooLargeError(1), 'too-large', /larger than its limit of 2 MiB/],
    [new Error('wrapped', { cause: new TooLargeError(1) }), 'too-large', /larger/],
    [new ExchangeError('no-response'), 'lost', /not sent again/],
    [coded('ECONNREFUSED'), 'unreachable', /did not answer/],
    [coded('CERT_HAS_EXPIRED'), 'unreachable', /certificate/],
    [coded('EGRESS_NO_ROUTE'), 'refused', /not sent/],
    [coded('X', { status: 401, text: '{"error":{"message":"key?"}}' }), 'needs-sign-in', /sign-in/],
    [coded('X', { status: 503, text: 'busy' }), 'server-error', /status 503/],
    [coded(-32000), 'server-error', /answered with an error/],
    [coded('CONNECTION_CLOSED'), 'lost', /ended its connection/],
    ['not even an error', 'server-error', /could not read/],
  ];
  test.each(told)('W6: %s is %s', (error, kind, words) => {
    const problem = toSessionProblem(error, facts);
    expect(problem).toMatchObject({ kind, message: expect.stringMatching(words) });
    expect(problem.message).toMatch(/Notes/);
  });

  test('P8: an error body is told by its own message', () => {
    expect(toSessionProblem(coded('X', { status: 401, text: '{"error":{"message":"key?"}}' }), facts).said).toBe('key?');
  });
});
