import { describe, expect, test } from 'vitest';
import { Autopilot } from '../../../src-main/approvals/autopilot';
import { autopilotCalls } from '../../../src-main/approvals/autopilot-calls';
import { ok } from '../../../src-shared/base/result';
import type { ConversationId } from '../../../src-shared/conversations/conversation.schema';

const chat = 'chat-1' as ConversationId;
const other = 'chat-2' as ConversationId;

function setUp(noAct: string | null = null) {
  const autopilot = new Autopilot();
  const told: string[] = [];
  const calls = autopilotCalls({
    autopilot,
    conversations: { has: (id) => id === chat || id === other },
    noActProblem: () => noAct,
    changed: () => void told.push('conversations'),
  });
  const set = (id: ConversationId, on: boolean) => calls['conversations.setAutopilot']({ id, on });
  return { autopilot, set, told };
}

describe('autopilot', () => {
  test('A4: it is off until it is switched on, in one chat and no other', async () => {
    const { autopilot, set, told } = setUp();
    expect(autopilot.isOn(chat)).toBe(false);
    expect(await set(chat, true)).toEqual(ok({}));
    expect([autopilot.isOn(chat), autopilot.isOn(other)]).toEqual([true, false]);
    expect(await set(chat, false)).toEqual(ok({}));
    expect(autopilot.isOn(chat)).toBe(false);
    expect(told).toHaveLength(2);
  });

  test('A4, A9: switching it on needs a click or a key press, and switching it off does not', async () => {
    const { autopilot, set } = setUp('Use the switch yourself.');
    expect(await set(chat, true)).toMatchObject({ ok: false, problem: { message: 'Use the switch yourself.' } });
    expect(autopilot.isOn(chat)).toBe(false);
    autopilot.set(chat, true);
    expect(await set(chat, false)).toEqual(ok({}));
    expect(autopilot.isOn(chat)).toBe(false);
  });

  test('A4: a chat that is gone has none', async () => {
    expect(await setUp().set('chat-3' as ConversationId, true)).toMatchObject({ ok: false, problem: { code: 'not-found' } });
  });
});
