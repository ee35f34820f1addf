import { ConversationEntrySchema, type ConversationEntry } from '../../src-shared/conversations/conversation.schema';
import type { CallerKind, ToolOutcome } from '../../src-shared/tools/tool.schema';

let count = 0;

function entry(fields: object): ConversationEntry {
  count += 1;
  return ConversationEntrySchema.parse({ id: `entry-${count}`, at: 1_700_000_000_000 + count, ...fields });
}

export const outcome = (text: string): ToolOutcome => ({
  kind: 'answered',
  forModel: text,
  forPerson: text,
  parts: [],
  removedCharacters: 0,
  ms: 1,
  bytesOut: 1,
  bytesIn: 1,
  allowedBy: 'You allowed it once.',
});

export const userSays = (text: string) => entry({ kind: 'user', text });
export const userAttaches = (text: string, name: string) =>
  entry({
    kind: 'user',
    text,
    attachments: [
      { kind: 'resource', serverId: 'server-1', serverName: 'Notes', name, where: 'x', leaves: false, outcome: outcome(name) },
    ],
  });
export const assistantSays = (text: string, finish: 'done' | 'tool-calls' | 'stopped' | 'interrupted' = 'done') =>
  entry({ kind: 'assistant', text, model: 'm', finish, sent: [] });
export const toolCalled = (
  callId: string,
  more: { caller?: CallerKind; name?: string; argumentsText?: string; toolName?: string } = {},
) =>
  entry({
    kind: 'tool-call',
    callId,
    caller: 'model',
    name: 'notes__find',
    serverId: 'server-1',
    serverName: 'Notes',
    toolName: 'find',
    where: '/usr/bin/notes',
    leaves: false,
    argumentsText: '{"q":"a"}',
    ...more,
  });
export const toolAnswered = (callId: string, text = `result of ${callId}`) =>
  entry({ kind: 'tool-result', callId, outcome: outcome(text) });
