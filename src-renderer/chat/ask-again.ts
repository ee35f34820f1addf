import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { CallInput } from '../../src-shared/ipc/contract';
import type { ToolOutcome } from '../../src-shared/tools/tool.schema';
import type { ToolCallEntry } from './transcript-turns';

/** The same tool with the same arguments, run by hand: what “Ask again” offers for a call that nobody answered (A2). */
export function askAgain(
  call: Pick<ToolCallEntry, 'serverId' | 'toolName' | 'argumentsText'>,
  outcome: Pick<ToolOutcome, 'kind' | 'why'>,
  conversationId: ConversationId,
): CallInput<'tools.run'> | null {
  if (outcome.kind !== 'not-run' || outcome.why !== 'nobody-answered' || call.serverId === null) return null;
  return { conversationId, serverId: call.serverId, rawName: call.toolName, argumentsText: call.argumentsText };
}
