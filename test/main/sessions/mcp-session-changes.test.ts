import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src-shared/servers/server.schema';
import { openSession } from '../../../src-main/sessions/mcp-session';
import { FakeClock } from '../../support/fake-clock';
import { linksTo, ScriptedServer } from '../../support/scripted-server-transport';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const about = (id: unknown, method: string, params: object = {}): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method,
  params: { ...params, _meta: { [SUBSCRIPTION]: id as string } },
});
const over = (id: unknown): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id: id as string,
  result: { resultType: 'complete', _meta: { [SUBSCRIPTION]: id } },
});

/** A server of the stateless era that tells changes; `onListen` does what it does with each subscription. */
async function setUp(onListen: (server: ScriptedServer, id: unknown, nth: number) => void | object) {
  let listens = 0;
  const server: ScriptedServer = new ScriptedServer((message): object | undefined => {
    if (message.method === 'server/discover')
      return {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: { listChanged: true }, prompts: { listChanged: true } },
        ttlMs: 0,
        cacheScope: 'private',
      };
    if (message.method !== 'subscriptions/listen') return undefined;
    return onListen(server, message.id, (listens += 1)) ?? undefined;
  });
  const clock = new FakeClock();
  const told = { tools: 0, attachables: 0 };
  const opened = await openSession({
    serverName: 'Notes',
    limits: { ...DEFAULT_LIMITS },
    clock,
    link: linksTo(server),
    onToolsChanged: () => (told.tools += 1),
    onAttachablesChanged: () => (told.attachables += 1),
  });
  if (!opened.ok) throw new Error(opened.problem.message);
  onTestFinished(() => opened.value.close());
  await expect.poll(() => listens).toBe(1);
  const seconds = async (count: number): Promise<void> => {
    for (let second = 0; second < count; second += 1) await clock.advanceSettling(1000);
  };
  return { server, clock, session: opened.value, told, listens: () => listens, seconds };
}
const acknowledge = (server: ScriptedServer, id: unknown): void =>
  server.say(about(id, 'notifications/subscriptions/acknowledged', { notifications: { toolsListChanged: true } }));

describe('a subscription to changes', () => {
  test('R3: asks for what the server says it can tell, and hears it', async () => {
    const { server, told, seconds } = await setUp((peer, id) => {
      acknowledge(peer, id);
      peer.say(about(id, 'notifications/tools/list_changed'));
    });
    const asked = server.received.find(({ method }) => method === 'subscriptions/listen')!;
    expect(asked.params!['notifications']).toEqual({ toolsListChanged: true, promptsListChanged: true });
    await seconds(2);
    expect(told).toEqual({ tools: 1, attachables: 0 });
  });

  test('W1: hears only what names a subscription of its own', async () => {
    const { server, told, seconds } = await setUp((peer, id) => acknowledge(peer, id));
    await seconds(1);
    for (const id of ['listen:99', 'other', 7, null, {}]) server.say(about(id, 'notifications/tools/list_changed'));
    await seconds(2);
    expect(told.tools).toBe(0);
    const [own] = server.received.filter(({ method }) => method === 'subscriptions/listen').map(({ id }) => id);
    server.say(about(own, 'notifications/tools/list_changed'));
    await seconds(2);
    expect(told.tools).toBe(1);
  });

  const ends: [how: string, end: (server: ScriptedServer, id: unknown) => void][] = [
    ['an empty result', (server, id) => server.say(over(id))],
    [
      'a cancellation',
      (server, id) => server.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id as string } }),
    ],
  ];
  test.each(ends)('R3: is opened again after it ended by %s, and what was missed is looked at', async (_how, end) => {
    const { told, listens, seconds } = await setUp((peer, id, nth) => {
      acknowledge(peer, id);
      if (nth === 1) end(peer, id);
    });
    await seconds(1);
    expect(listens()).toBe(2);
    await seconds(2);
    expect(told).toEqual({ tools: 1, attachables: 1 });
    await seconds(120);
    expect(listens()).toBe(2);
  });

  test('R3: a server that ends it again and again is asked less and less often, and looked at as often', async () => {
    const { told, listens, seconds } = await setUp((peer, id) => {
      acknowledge(peer, id);
      peer.say(over(id));
    });
    await seconds(60);
    expect(listens()).toBeLessThanOrEqual(7);
    expect(told.tools).toBeLessThanOrEqual(6);
    await seconds(540);
    expect(listens()).toBeLessThanOrEqual(16);
  });

  test('R3: a server that refuses it is given up after six tries, and still works', async () => {
    const { session, listens, seconds } = await setUp(() => ({ error: { code: -32601, message: 'no' } }));
    await seconds(600);
    expect(listens()).toBe(6);
    expect(session.open).toBe(true);
  });

  test('W3: nothing waits any more once the session is closed', async () => {
    const { session, clock, listens, seconds } = await setUp((peer, id) => {
      acknowledge(peer, id);
      peer.say(over(id));
    });
    await clock.advanceSettling(0);
    await session.close();
    await seconds(120);
    expect([listens(), clock.waiting]).toEqual([1, 0]);
  });
});
