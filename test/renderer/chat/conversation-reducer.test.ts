import { describe, expect, test } from 'vitest';
import type { ConversationFeed, ConversationId } from '../../../src-shared/conversations/conversation.schema';
import { UNREAD, withFeed, withLoaded } from '../../../src-renderer/chat/conversation-reducer';
import { toTurns } from '../../../src-renderer/chat/transcript-turns';
import { toolAnswered, toolCalled, userAttaches } from '../../support/conversation-entries';

const conversationId = 'chat-1' as ConversationId;
const progress = (callId: string, fraction: number | null): ConversationFeed => ({
  ...{ kind: 'progress' as const, conversationId, callId, fraction, message: '' },
});

describe('progress of running calls', () => {
  test('W8: the last word of each call stands, and its result ends it', () => {
    const running = [progress('1', 0.1), progress('2', null), progress('1', 0.5)].reduce(withFeed, UNREAD);
    expect(running.progress).toEqual({ 1: { fraction: 0.5, message: '' }, 2: { fraction: null, message: '' } });
    const ended = withFeed(running, { kind: 'entry', conversationId, entry: toolAnswered('1') });
    expect(Object.keys(ended.progress)).toEqual(['2']);
  });

  test('W8: a late word of a call that has ended says nothing', () => {
    const ended = withLoaded(UNREAD, [toolCalled('1'), toolAnswered('1')]);
    expect(withFeed(ended, progress('1', 0.9)).progress).toEqual({});
  });
});

describe('what was attached', () => {
  test('W8: stands under the words of its message, or alone', () => {
    const [turn, alone] = toTurns([userAttaches('look', 'Plan'), userAttaches('', 'Map')], []);
    expect(turn!.blocks).toMatchObject([
      { kind: 'text', text: 'look' },
      { kind: 'attachments', attachments: [{ name: 'Plan' }] },
    ]);
    expect(alone!.blocks).toMatchObject([{ kind: 'attachments', attachments: [{ name: 'Map' }] }]);
  });
});
