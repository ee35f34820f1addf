import { describe, expect, test } from 'vitest';
import type { ConversationFeed, ConversationId } from '../../../src-shared/conversations/conversation.schema';
import { progressTeller, type ToldProgress } from '../../../src-main/tools/call-progress';
import { FakeClock } from '../../support/fake-clock';

type Progress = Extract<ConversationFeed, { kind: 'progress' }>;

function setUp() {
  const clock = new FakeClock();
  const told: Progress[] = [];
  const feed = (value: ConversationFeed) => void told.push(value as Progress);
  const mask = (text: string) => text.replaceAll('hunter2', '•••');
  return { clock, told, tell: progressTeller({ clock, feed, mask }, 'chat-1' as ConversationId, 'call-1') };
}

describe('progress of a call', () => {
  test('W8: a storm is told ten times a second at most, and the last word is not lost', () => {
    const { clock, told, tell } = setUp();
    for (let step = 1; step <= 1000; step += 1) {
      tell({ progress: step, total: 1000 });
      clock.advance(1);
    }
    expect(told.length).toBeGreaterThanOrEqual(9);
    expect(told.length).toBeLessThanOrEqual(11);
    clock.advance(100);
    expect(told.at(-1)).toMatchObject({ conversationId: 'chat-1', callId: 'call-1', fraction: 1 });
  });

  const fractions: [told: ToldProgress, fraction: number | null][] = [
    [{ progress: 1, total: 4 }, 0.25],
    [{ progress: 5, total: 4 }, 1],
    [{ progress: -5, total: 4 }, 0],
    [{ progress: 1 }, null],
    [{ progress: 1, total: 0 }, null],
    [{ progress: 1, total: -1 }, null],
    [{ progress: Number.NaN, total: 4 }, null],
    [{ progress: 1, total: Infinity }, null],
  ];
  test.each(fractions)('W8: %j is %j of it', (progress, fraction) => {
    const { clock, told, tell } = setUp();
    tell(progress);
    clock.advance(0);
    expect(told[0]!.fraction).toBe(fraction);
  });

  test('O1, S5: its words are stripped, masked, on one line and cut', () => {
    const { clock, told, tell } = setUp();
    tell({ progress: 1, message: `\u001b[31mhun\u200bter2\nstep ${'x'.repeat(1000)}` });
    clock.advance(0);
    expect(told[0]!.message).toMatch(/^••• step x+ … \[cut\]$/);
    expect(told[0]!.message).toHaveLength(200);
  });
});
