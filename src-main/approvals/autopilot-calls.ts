import { failed, ok } from '../../src-shared/base/result';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import type { Autopilot } from './autopilot';

export interface AutopilotCallParts {
  autopilot: Pick<Autopilot, 'set'>;
  conversations: { has(id: ConversationId): boolean };
  /** Why an act that opens something is refused; null when a person is behind it (A9). */
  noActProblem(): string | null;
  changed(): void;
}

export function autopilotCalls(parts: AutopilotCallParts): Pick<CallHandlers, 'conversations.setAutopilot'> {
  return {
    'conversations.setAutopilot': async ({ id, on }) => {
      if (!parts.conversations.has(id)) return failed({ code: 'not-found', message: 'That chat was deleted.' });
      const noAct = on ? parts.noActProblem() : null;
      if (noAct !== null) return failed({ code: 'refused', message: noAct });
      parts.autopilot.set(id, on);
      parts.changed();
      return ok({});
    },
  };
}
