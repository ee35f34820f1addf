import { failed, ok } from '../../src-shared/base/result';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import type { ApprovalBroker } from './approval-broker';

type Handled = `approvals.${'answer' | 'editable' | 'edit' | 'shown' | 'resume'}`;

/** `noActProblem` says why an act that opens something is refused; null when a person is behind it (A9). */
export function approvalCalls(broker: ApprovalBroker, noActProblem: () => string | null): Pick<CallHandlers, Handled> {
  return {
    'approvals.answer': async (given) => {
      const answered = broker.answer(given);
      return answered.ok ? ok({}) : failed({ code: 'refused', message: answered.problem });
    },
    'approvals.editable': async ({ argument, ...named }) => {
      const read = broker.editable(named, argument);
      return read.ok ? read : failed({ code: 'refused', message: read.problem });
    },
    'approvals.edit': async ({ argument, text, ...named }) => {
      const edited = await broker.edit(named, argument, text);
      return edited.ok ? ok({}) : failed({ code: 'invalid-input', message: edited.problem });
    },
    'approvals.resume': async ({ conversationId, serverId }) => {
      const noAct = noActProblem();
      if (noAct !== null) return failed({ code: 'refused', message: noAct });
      broker.pauses.resume(conversationId, serverId);
      return ok({});
    },
    'approvals.shown': async ({ id }) => {
      broker.shown(id);
      return ok({});
    },
  };
}
