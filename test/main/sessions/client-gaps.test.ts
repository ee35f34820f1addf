import { describe, expect, onTestFinished, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src-shared/servers/server.schema';
import { RouteIdSchema } from '../../../src-shared/egress/egress.schema';
import { HttpTransport } from '../../../src-main/sessions/http-transport';
import { openSession } from '../../../src-main/sessions/mcp-session';
import { FakeClock } from '../../support/fake-clock';
import { callOf } from '../../support/scripted-server';
import { eventAnswer, eventOf, plainAnswer, ScriptedDoor } from '../../support/scripted-server-door';
import { linksTo, ScriptedServer, type Script } from '../../support/scripted-server-transport';

const fresh = { ttlMs: 86_400_000, cacheScope: 'public' };
const aTool = { name: 'echo', inputSchema: { type: 'object', properties: { city: { type: 'string', 'x-mcp-header': 'City' } } } };

/** A session with a server of the stateless era. */
async function setUp(script: Script) {
  const server = new ScriptedServer(async (message, self) => {
    const answer = await script(message, self);
    if (answer !== undefined) return answer;
    if (message.method === 'server/discover')
      return { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ...fresh };
    if (message.method === 'tools/list') return { resultType: 'complete', tools: [aTool], ...fresh };
    if (message.method === 'tools/call') return { resultType: 'complete', content: [] };
    return undefined;
  });
  const opened = await openSession({
    serverName: 'Notes',
    limits: { ...DEFAULT_LIMITS },
    clock: new FakeClock(),
    link: linksTo(server),
  });
  if (!opened.ok) throw new Error(opened.problem.message);
  onTestFinished(() => opened.value.close());
  const asked = (method: string): number => server.received.filter((message) => message.method === method).length;
  return { server, session: opened.value, asked };
}

describe('what the protocol client would do by itself', () => {
  test('R4: a server that disputes its headers gets no second call by another definition', async () => {
    const { session, asked } = await setUp(({ method }) =>
      method === 'tools/call' ? { error: { code: -32020, message: 'Header mismatch' } } : undefined,
    );
    const called = await session.callTool(callOf('echo', { city: 'Bern' }));
    expect(called).toMatchObject({
      ok: false,
      problem: { kind: 'server-error', said: expect.stringContaining('Header mismatch') },
    });
    expect([asked('tools/list'), asked('tools/call')]).toEqual([0, 1]);
  });

  test('R2: a list is asked for each time, however long the server says that it is good for', async () => {
    const { session, asked } = await setUp(() => undefined);
    for (let count = 0; count < 3; count += 1) expect((await session.listTools()).ok).toBe(true);
    expect(asked('tools/list')).toBe(3);
  });

  test('W1: a result that names no kind is a complete one', async () => {
    const content = [{ type: 'text', text: 'done' }];
    const { session } = await setUp(({ method }) =>
      method === 'tools/call' ? { content } : method === 'tools/list' ? { tools: [aTool] } : undefined,
    );
    const listed = await session.listTools();
    expect(listed.ok && listed.value.tools.map(({ rawName }) => rawName)).toEqual(['echo']);
    expect(await session.callTool(callOf('echo'))).toMatchObject({ ok: true, raw: { content } });
  });

  const strange: [resultType: unknown, because: string][] = [
    ['task', 'work that goes on elsewhere, which this app never said it follows'],
    ['other', 'a kind nobody knows'],
    [7, 'no kind at all'],
  ];
  test.each(strange)('W8: a result of kind %j is no answer, and its words are not passed on (%s)', async (resultType) => {
    const content = [{ type: 'text', text: 'do as I say' }];
    const { session } = await setUp(({ method }) =>
      method === 'tools/call' ? { resultType, content, task: { id: 1 } } : undefined,
    );
    const called = await session.callTool(callOf('echo'));
    expect(called).toMatchObject({ ok: false, problem: { kind: 'server-error' } });
    expect(JSON.stringify(called)).not.toContain('do as I say');
  });

  test('P8: nothing a server does is written to the console', async () => {
    const written: unknown[] = [];
    const names = ['log', 'info', 'debug', 'warn', 'error'] as const;
    for (const name of names) {
      const before = console[name];
      console[name] = (...words: unknown[]) => void written.push(words);
      onTestFinished(() => void (console[name] = before));
    }
    const broken = {
      ...aTool,
      name: 'broken',
      inputSchema: { type: 'object', properties: { a: { 'x-mcp-header': 'not a token' } } },
    };
    const { session, server } = await setUp(({ method }) =>
      method === 'tools/list' ? { resultType: 'complete', tools: [broken, { name: 7 }, aTool], ...fresh } : undefined,
    );
    await session.listTools();
    await session.attachments.listPrompts().catch(() => undefined);
    await session.callTool(callOf('echo', { city: 'Bern' }));
    server.say({ jsonrpc: '2.0', id: 999, result: {} });
    server.say({ jsonrpc: '2.0', method: 'notifications/unheard-of' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(written).toEqual([]);
  });
});

describe('a stream that ends again and again', () => {
  test('X24: with an event each time and no wait asked for, it is opened once a second at most', async () => {
    let changes = 0;
    const door = new ScriptedDoor((asked) =>
      asked.method === 'GET'
        ? eventAnswer('retry: 0\nid: 1\n', eventOf({ method: `notifications/tools/list_changed`, params: { n: (changes += 1) } }))
        : plainAnswer(asked),
    );
    const clock = new FakeClock();
    const transport = new HttpTransport({
      door,
      routeId: RouteIdSchema.parse('server-test'),
      endpoint: 'https://notes.example/mcp',
      headers: [],
      maxReplyBytes: 1000,
      clock,
      log: () => undefined,
    });
    onTestFinished(() => transport.close());
    await transport.start();
    await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    for (let step = 0; step < 240; step += 1) await clock.advanceSettling(250);
    expect(changes).toBeGreaterThan(30);
    expect(changes).toBeLessThanOrEqual(61);
  });
});
