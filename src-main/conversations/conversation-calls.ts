import { failed, ok } from '../../src-shared/base/result';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import { pageOf } from '../../src-shared/tools/output-treatment';
import type { ConversationStore } from './conversation-store';
import type { KeptOutput } from './kept-output';

/** Characters of a kept output that the transcript shows at a time. */
const PAGE_CHARACTERS = 64_000;

const GONE = { code: 'not-found', message: 'That chat was deleted.' } as const;

export interface ConversationCallParts {
  store: Pick<ConversationStore, 'create' | 'has' | 'entries' | 'rename' | 'remove'>;
  kept: Pick<KeptOutput, 'read'>;
  /** Ends what the chat has under way, before it goes (A2). */
  beforeDelete(id: ConversationId): void;
}

type Handled = `conversations.${'create' | 'open' | 'rename' | 'delete'}` | 'chat.readOutput';

export function conversationCalls({ store, kept, beforeDelete }: ConversationCallParts): Pick<CallHandlers, Handled> {
  return {
    'conversations.create': async () => ok({ id: store.create() }),

    'conversations.open': async ({ id }) => (store.has(id) ? ok({ entries: [...store.entries(id)] }) : failed(GONE)),

    'conversations.rename': async ({ id, title }) => {
      if (!store.has(id)) return failed(GONE);
      store.rename(id, title);
      return ok({});
    },

    'conversations.delete': async ({ id }) => {
      if (!store.has(id)) return failed(GONE);
      beforeDelete(id);
      store.remove(id);
      return ok({});
    },

    'chat.readOutput': async ({ id, handle, offset }) => {
      const text = kept.read(id, handle);
      if (text === undefined) return failed({ code: 'not-found', message: 'That output is not kept any more.' });
      const page = pageOf(text, offset, PAGE_CHARACTERS);
      return ok({ text: page.text, nextOffset: page.nextOffset, total: page.total });
    },
  };
}
