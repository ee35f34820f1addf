import { describe, expect, test } from 'vitest';
import { toolCalls } from '../../../src-main/tools/tool-calls';
import type { ToolCallRequest } from '../../../src-main/tools/call-decision';
import { failed, ok } from '../../../src-shared/base/result';
import { sha256Hex } from '../../../src-shared/base/sha256';
import type { ConversationId } from '../../../src-shared/conversations/conversation.schema';
import type { ServerId } from '../../../src-shared/servers/server.schema';

const serverId = 'notes' as ServerId;
const conversationId = 'chat-1' as ConversationId;
const digest = sha256Hex('find');

function setUp({ listed = true, reviewed = true, changed = false, noAct = null as string | null } = {}) {
  const ran: ToolCallRequest[] = [];
  const ends: (() => void)[] = [];
  const turnedOn: ServerId[] = [];
  const definition = {
    rawName: 'find',
    description: 'a\u202eb',
    inputSchema: { type: 'object', description: 'x\u200by' },
    claims: {},
  };
  let chosen = 0;
  const cancelled: string[] = [];
  const choose = () => {
    chosen += 1;
    return changed ? failed('find changed while it was on the screen.') : ok(undefined);
  };
  const desk = toolCalls({
    catalog: { listed: () => (listed ? { definition, digest } : null), findPicked: () => (listed ? ({} as never) : null) },
    pipeline: {
      call: (request) => {
        ran.push(request);
        return new Promise((resolve) => ends.push(() => resolve({} as never)));
      },
    },
    tools: { pin: choose, choose, diffOf: () => null },
    turnOn: (id) => {
      turnedOn.push(id);
      return null;
    },
    isReviewed: () => reviewed,
    cancelCall: (callId) => void cancelled.push(callId),
    noActProblem: () => noAct,
  });
  return { desk, cancelled, ran, ends, turnedOn, chosen: () => chosen };
}

describe('tool calls', () => {
  test('R4: a server that nobody looked at cannot be turned on', async () => {
    const { desk, turnedOn } = setUp({ reviewed: false });
    expect(await desk.calls['servers.turnOn']({ id: serverId, tools: [] })).toMatchObject({ ok: false });
    expect(turnedOn).toEqual([]);
  });

  test('R4: a definition that changed on the screen turns nothing on', async () => {
    const { desk, turnedOn } = setUp({ changed: true });
    expect(await desk.calls['servers.turnOn']({ id: serverId, tools: [{ rawName: 'find', digest }] })).toMatchObject({
      ok: false,
    });
    expect(await desk.calls['tools.setOffered']({ serverId, rawName: 'find', offered: true, digest })).toMatchObject({
      ok: false,
    });
    expect(turnedOn).toEqual([]);
  });

  test('A9: nothing is opened without a click or a key press; closing needs none', async () => {
    const { desk, turnedOn, chosen } = setUp({ noAct: 'Use the switch yourself.' });
    const switchTool = (offered: boolean) => desk.calls['tools.setOffered']({ serverId, rawName: 'find', offered, digest });
    const refusal = { ok: false, problem: { code: 'refused', message: 'Use the switch yourself.' } };
    expect(await desk.calls['servers.turnOn']({ id: serverId, tools: [{ rawName: 'find', digest }] })).toEqual(refusal);
    expect(await switchTool(true)).toEqual(refusal);
    expect([turnedOn.length, chosen()]).toEqual([0, 0]);
    expect(await switchTool(false)).toEqual(ok({}));
  });

  test('turns on what was looked at', async () => {
    const { desk, turnedOn } = setUp();
    expect(await desk.calls['servers.turnOn']({ id: serverId, tools: [{ rawName: 'find', digest }] })).toEqual(ok({}));
    expect(await desk.calls['tools.setOffered']({ serverId, rawName: 'find', offered: false, digest })).toEqual(ok({}));
    expect(turnedOn).toEqual([serverId]);
  });

  test('O1: a definition is shown whole, with what is invisible spelled out', async () => {
    const described = await setUp().desk.calls['tools.describe']({ serverId, rawName: 'find' });
    expect(described).toMatchObject({ value: { inputSchema: { description: 'xy' } } });
    expect(described.ok && described.value.definitionText).toContain('\\u202e');
    expect(await setUp({ listed: false }).desk.calls['tools.describe']({ serverId, rawName: 'find' })).toMatchObject({
      ok: false,
    });
  });

  test('A1: running by hand takes the one road, as a call by you', async () => {
    const { desk, ran } = setUp();
    const accepted = await desk.calls['tools.run']({ conversationId, serverId, rawName: 'find', argumentsText: '{}' });
    expect(accepted).toMatchObject({ ok: true, value: { callId: expect.stringMatching(/^by-hand-/) } });
    expect(ran[0]).toMatchObject({ caller: 'you', target: { kind: 'picked', serverId, rawName: 'find' } });
    expect(
      await setUp({ listed: false }).desk.calls['tools.run']({ conversationId, serverId, rawName: 'x', argumentsText: '{}' }),
    ).toMatchObject({
      ok: false,
    });
  });

  test('W3: a call can be cancelled by itself or with its chat, and its chat is busy until it ends', async () => {
    const { desk, ran, ends, cancelled } = setUp();
    const run = () => desk.calls['tools.run']({ conversationId, serverId, rawName: 'find', argumentsText: '{}' });
    const first = await run();
    await run();
    expect(desk.isBusy(conversationId)).toBe(true);
    await desk.calls['tools.cancel']({ conversationId, callId: first.ok ? first.value.callId : '' });
    expect(ran.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    await desk.calls['tools.cancel']({ conversationId, callId: 'use-1' });
    expect(cancelled).toContain('use-1');
    desk.stopChat(conversationId);
    expect(ran.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    for (const end of ends) end();
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(desk.isBusy(conversationId)).toBe(false);
  });
});
