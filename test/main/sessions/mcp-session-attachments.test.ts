import { describe, expect, onTestFinished, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src-shared/servers/server.schema';
import { openSession, type SessionParts } from '../../../src-main/sessions/mcp-session';
import { FakeClock } from '../../support/fake-clock';
import { linksTo, ScriptedServer, silence, type Script } from '../../support/scripted-server-transport';

const ALL = { tools: {}, resources: { listChanged: true }, prompts: { listChanged: true } };

async function setUp(script: Script, parts: Partial<SessionParts> = {}, capabilities: object = ALL) {
  const server = new ScriptedServer((message, self) =>
    message.method === 'initialize'
      ? { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'scripted', version: '1' } }
      : script(message, self),
  );
  const clock = new FakeClock();
  const opened = await openSession({ serverName: 'Notes', limits: DEFAULT_LIMITS, clock, link: linksTo(server), ...parts });
  if (!opened.ok) throw new Error(opened.problem.message);
  onTestFinished(() => opened.value.close());
  return { server, clock, session: opened.value };
}

const answering =
  (method: string, answer: Script): Script =>
  (message, server) =>
    message.method === method ? answer(message, server) : undefined;

describe('lists of what can be attached', () => {
  test('W8: are read page by page, and a malformed entry costs that entry', async () => {
    const { session } = await setUp(
      answering('resources/list', ({ params }) =>
        params?.['cursor'] === undefined
          ? { resources: [{ uri: 'a' }, null], nextCursor: '' }
          : { resources: [{ uri: 'b' }], nextCursor: params['cursor'] as string },
      ),
    );
    expect(await session.attachments.listResources()).toMatchObject({
      ok: true,
      value: { entries: [{ uri: 'a' }, { uri: 'b' }], leftOut: 1 },
    });
  });

  test('W6: a failed list of one kind loses no other, and not the tools', async () => {
    const { session } = await setUp(({ method }) => {
      if (method === 'resources/list') return { error: { code: -32603, message: 'broken' } };
      if (method === 'resources/templates/list') return { error: { code: -32601, message: 'Method not found' } };
      if (method === 'prompts/list') return { prompts: [{ name: 'greet' }] };
      return undefined;
    });
    const { attachments } = session;
    const [resources, templates, prompts, tools] = await Promise.all([
      attachments.listResources(),
      attachments.listResourceTemplates(),
      attachments.listPrompts(),
      session.listTools(),
    ]);
    expect(resources).toMatchObject({ ok: false, problem: { kind: 'server-error' } });
    expect(templates).toMatchObject({ ok: true, value: { entries: [] } });
    expect(prompts).toMatchObject({ ok: true, value: { entries: [{ rawName: 'greet' }] } });
    expect(tools).toMatchObject({ ok: true });
  });

  test('W8: a server that declares none is not asked', async () => {
    const { session, server } = await setUp(() => undefined, {}, { tools: {} });
    expect(await session.attachments.listResources()).toMatchObject({ ok: true, value: { entries: [] } });
    expect(await session.attachments.listPrompts()).toMatchObject({ ok: true, value: { entries: [] } });
    expect(server.received.some(({ method }) => /^(resources|prompts)/.test(method ?? ''))).toBe(false);
  });

  test('W3: one that never comes ends at the discovery deadline, told as what it is', async () => {
    const { session, clock } = await setUp(answering('prompts/list', silence));
    const listing = session.attachments.listPrompts();
    await clock.advanceSettling(DEFAULT_LIMITS.discoveryTimeoutMs);
    expect(await listing).toMatchObject({
      ok: false,
      problem: { kind: 'timed-out', message: 'Notes did not list its prompts within 10 seconds.' },
    });
  });

  test('R3: endless paging ends after 64 pages', async () => {
    let asked = 0;
    const { session } = await setUp(
      answering('resources/list', () => ({ resources: [{ uri: `r${(asked += 1)}` }], nextCursor: `c${asked}` })),
    );
    expect(await session.attachments.listResources()).toMatchObject({ ok: true, value: { entries: { length: 64 } } });
  });

  test('R3: that they changed is told at most once a second, apart from the tools', async () => {
    const told: string[] = [];
    const { server, clock } = await setUp(() => undefined, {
      onToolsChanged: () => told.push('tools'),
      onAttachablesChanged: () => told.push('attachables'),
    });
    for (let count = 0; count < 50; count += 1) {
      server.say({ jsonrpc: '2.0', method: 'notifications/resources/list_changed' });
      server.say({ jsonrpc: '2.0', method: 'notifications/prompts/list_changed' });
    }
    await clock.advanceSettling(0);
    await clock.advanceSettling(999);
    expect(told).toEqual(['attachables']);
  });
});

describe('reading what was chosen', () => {
  test('W8: a resource and a prompt come back as they were sent', async () => {
    const { session, server } = await setUp(({ method }) => {
      if (method === 'resources/read') return { contents: [{ uri: 'a', text: 'one' }, null, { odd: true }] };
      if (method === 'prompts/get') return { messages: 'not even a list' };
      return undefined;
    });
    expect(await session.attachments.readResource('notes://a b')).toMatchObject({
      ok: true,
      value: { raw: { contents: [{ uri: 'a', text: 'one' }, null, { odd: true }] } },
    });
    expect(server.received.at(-1)).toMatchObject({ method: 'resources/read', params: { uri: 'notes://a b' } });
    expect(await session.attachments.getPrompt('greet', { name: 'Ö' })).toMatchObject({
      ok: true,
      value: { raw: { messages: 'not even a list' } },
    });
    expect(server.received.at(-1)).toMatchObject({ params: { name: 'greet', arguments: { name: 'Ö' } } });
  });

  test('W3: it ends at its deadline and can be cancelled, which tells the server', async () => {
    const { session, server, clock } = await setUp(answering('resources/read', silence));
    const reading = session.attachments.readResource('a');
    await clock.advanceSettling(20_000);
    expect(await reading).toMatchObject({
      ok: false,
      problem: { kind: 'timed-out', message: 'Notes did not answer within 20 seconds.' },
    });
    const stop = new AbortController();
    const second = session.attachments.readResource('a', { signal: stop.signal });
    setImmediate(() => stop.abort());
    expect(await second).toMatchObject({
      ok: false,
      problem: { kind: 'cancelled', message: 'The question to Notes was cancelled.' },
    });
    expect(server.received.at(-1)).toMatchObject({ method: 'notifications/cancelled' });
  });

  test('W8: a refusal keeps the words of the server apart from ours', async () => {
    const { session } = await setUp(answering('resources/read', () => ({ error: { code: -32002, message: 'no such note' } })));
    expect(await session.attachments.readResource('a')).toMatchObject({
      ok: false,
      problem: { message: 'Notes answered with an error.', said: expect.stringContaining('no such note') },
    });
  });
});

test('W8: what a server logs over the protocol is told as it came', async () => {
  const told: unknown[] = [];
  const { server, clock } = await setUp(() => undefined, { onLogMessage: (message) => told.push(message) });
  server.say({
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'error', logger: 'db', data: { disk: 'full' } },
  });
  await clock.advanceSettling(0);
  expect(told).toMatchObject([{ level: 'error', logger: 'db', data: { disk: 'full' } }]);
});
