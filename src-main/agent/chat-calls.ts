import { failed, ok } from '../../src-shared/base/result';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import type { TurnRunner } from './turn-runner';

export interface ChatCallParts {
  turns: Pick<TurnRunner, 'send'>;
  /** Ends the answer, the calls and the questions of one chat (A2). */
  stopChat(id: ConversationId): void;
}

export function chatCalls({ turns, stopChat }: ChatCallParts): Pick<CallHandlers, 'chat.send' | 'chat.stop'> {
  return {
    'chat.send': async ({ id, modelId, text }) => {
      const sent = turns.send(id, modelId, text);
      return sent.ok ? ok({}) : failed({ code: 'refused', message: sent.problem });
    },
    'chat.stop': async ({ id }) => {
      stopChat(id);
      return ok({});
    },
  };
}
