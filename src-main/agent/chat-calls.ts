import { failed, ok } from '../../src-shared/base/result';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import type { AttachmentDesk } from '../attachments/attachment-desk';
import type { TurnRunner } from './turn-runner';

export interface ChatCallParts {
  turns: Pick<TurnRunner, 'send' | 'isBusy'>;
  /** Fetches what the user attached. */
  attachments: Pick<AttachmentDesk, 'fetch'>;
  /** Ends the answer, the calls and the questions of one chat (A2). */
  stopChat(id: ConversationId): void;
}

export function chatCalls({ turns, attachments, stopChat }: ChatCallParts): Pick<CallHandlers, 'chat.send' | 'chat.stop'> {
  return {
    'chat.send': async ({ id, modelId, text, attachments: asks }) => {
      // No server is asked for a message that cannot be sent.
      const fetched = turns.isBusy(id) ? ok([]) : await attachments.fetch(id, asks);
      if (!fetched.ok) return failed({ code: 'refused', message: fetched.problem });
      const sent = turns.send(id, modelId, text, fetched.value);
      return sent.ok ? ok({}) : failed({ code: 'refused', message: sent.problem });
    },
    'chat.stop': async ({ id }) => {
      stopChat(id);
      return ok({});
    },
  };
}
