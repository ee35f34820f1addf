import { expect, test } from 'vitest';
import { askAgain } from '../../../src-renderer/chat/ask-again';
import type { ConversationId } from '../../../src-shared/conversations/conversation.schema';
import type { ServerId } from '../../../src-shared/servers/server.schema';
import { type NotRunReason, NotRunReasonSchema } from '../../../src-shared/tools/tool.schema';

const chat = 'chat-1' as ConversationId;
const call = { serverId: 'files-1' as ServerId, toolName: 'write.file', argumentsText: '{ "big": 9007199254740993 }' };

test('A2: a call that nobody answered is asked again with the same tool of the same server and the same bytes', () => {
  expect(askAgain(call, { kind: 'not-run', why: 'nobody-answered' }, chat)).toEqual({
    conversationId: chat,
    serverId: 'files-1',
    rawName: 'write.file',
    argumentsText: '{ "big": 9007199254740993 }',
  });
});

const others: NotRunReason[] = NotRunReasonSchema.options.filter((why) => why !== 'nobody-answered');
test.each(others)('A2: one that was not run for “%s” is not offered again', (why) => {
  expect(askAgain(call, { kind: 'not-run', why }, chat)).toBeNull();
});

test.each(['answered', 'failed'] as const)('A2: one that %s is not offered again', (kind) => {
  expect(askAgain(call, { kind, why: 'nobody-answered' }, chat)).toBeNull();
});

test('A2: a name without a server cannot be asked again', () => {
  expect(askAgain({ ...call, serverId: null }, { kind: 'not-run', why: 'nobody-answered' }, chat)).toBeNull();
});
