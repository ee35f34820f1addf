import { create } from 'zustand';
import type { ConversationFeed, ConversationId } from '../../src-shared/conversations/conversation.schema';
import { host } from '../host/host';
import { UNREAD, withFeed, withLoaded, type OpenConversation } from './conversation-reducer';

interface ConversationCache {
  open: { readonly [id: ConversationId]: OpenConversation };
}

/** What the window has read of conversations. Main holds the truth; this is a copy that a reset throws away. */
export const useConversations = create<ConversationCache>(() => ({ open: {} }));

const change = (id: ConversationId, how: (conversation: OpenConversation) => OpenConversation): void =>
  useConversations.setState(({ open }) => ({ open: { ...open, [id]: how(open[id] ?? UNREAD) } }));

async function read(id: ConversationId): Promise<void> {
  const outcome = await host.call('conversations.open', { id });
  change(id, (conversation) =>
    outcome.ok
      ? withLoaded(conversation, outcome.value.entries)
      : { ...conversation, state: 'failed', problem: outcome.problem.message },
  );
}

/** Reads a conversation unless the window has it already. */
export function openOnce(id: ConversationId): void {
  if (useConversations.getState().open[id]) return;
  change(id, () => UNREAD);
  void read(id);
}

export function readAgain(id: ConversationId): void {
  change(id, () => UNREAD);
  void read(id);
}

/** Pieces of a conversation nobody opened are dropped: opening it reads it whole. */
export function takePiece(piece: ConversationFeed): void {
  const id = piece.conversationId;
  if (!useConversations.getState().open[id]) return;
  change(id, (conversation) => withFeed(conversation, piece));
  if (piece.kind === 'reset') void read(id);
}
