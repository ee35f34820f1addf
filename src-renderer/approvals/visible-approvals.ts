import type { ApprovalRequest } from '../../src-shared/approvals/approval.schema';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';

/**
 * Which requests show a sheet by themselves: launches, sign-ins, and calls of the chat in view.
 * A call of another chat waits behind the gate chip, so that it does not take the keyboard from what is being written.
 */
export function sheetsInSight(
  waiting: readonly ApprovalRequest[],
  conversation: ConversationId | null,
  onChat: boolean,
): readonly ApprovalRequest[] {
  return waiting.filter((request) => {
    if (!('conversationId' in request) || request.conversationId === null) return true;
    return onChat && request.conversationId === conversation;
  });
}
