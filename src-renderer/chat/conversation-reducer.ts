import type { ConversationEntry, ConversationFeed, EntryId } from '../../src-shared/conversations/conversation.schema';

/** One conversation as the window has it: what main answered, and what arrived since. */
export interface OpenConversation {
  state: 'loading' | 'ready' | 'failed';
  problem: string | null;
  entries: readonly ConversationEntry[];
  /** Text of an answer that is still being written. Its entry replaces it. */
  writing: { entryId: EntryId; text: string } | null;
  /** How far running calls say they are, by call. */
  progress: { readonly [callId: string]: CallProgress };
}

export type CallProgress = Pick<Extract<ConversationFeed, { kind: 'progress' }>, 'fraction' | 'message'>;

export const UNREAD: OpenConversation = { state: 'loading', problem: null, entries: [], writing: null, progress: {} };

function withEntry(entries: readonly ConversationEntry[], entry: ConversationEntry): readonly ConversationEntry[] {
  const at = entries.findIndex((other) => other.id === entry.id);
  return at === -1 ? [...entries, entry] : entries.with(at, entry);
}

/** The whole conversation arrived. Entries that came by feed while it was on its way stay behind it. */
export function withLoaded(conversation: OpenConversation, loaded: readonly ConversationEntry[]): OpenConversation {
  const known = new Set(loaded.map((entry) => entry.id));
  const newer = conversation.state === 'loading' ? conversation.entries.filter((entry) => !known.has(entry.id)) : [];
  const writing = conversation.writing && known.has(conversation.writing.entryId) ? null : conversation.writing;
  return { state: 'ready', problem: null, entries: [...loaded, ...newer], writing, progress: conversation.progress };
}

function without(progress: OpenConversation['progress'], callId: string): OpenConversation['progress'] {
  if (!Object.hasOwn(progress, callId)) return progress;
  const { [callId]: _ended, ...others } = progress;
  return others;
}

export function withFeed(conversation: OpenConversation, piece: ConversationFeed): OpenConversation {
  switch (piece.kind) {
    case 'entry': {
      const done = conversation.writing?.entryId === piece.entry.id || piece.entry.kind === 'assistant';
      return {
        ...conversation,
        entries: withEntry(conversation.entries, piece.entry),
        writing: done ? null : conversation.writing,
        progress: piece.entry.kind === 'tool-result' ? without(conversation.progress, piece.entry.callId) : conversation.progress,
      };
    }
    case 'delta': {
      // A late piece of an answer that already stands whole adds nothing.
      if (conversation.entries.some((entry) => entry.id === piece.entryId)) return conversation;
      const before = conversation.writing?.entryId === piece.entryId ? conversation.writing.text : '';
      return { ...conversation, writing: { entryId: piece.entryId, text: before + piece.text } };
    }
    case 'progress': {
      // A late word of a call that has ended says nothing any more.
      const { callId, fraction, message } = piece;
      if (conversation.entries.some((entry) => entry.kind === 'tool-result' && entry.callId === callId)) return conversation;
      return { ...conversation, progress: { ...conversation.progress, [callId]: { fraction, message } } };
    }
    case 'reset':
      return UNREAD;
  }
}
