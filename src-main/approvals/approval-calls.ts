import { failed, ok } from '../../src-shared/base/result';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import type { ApprovalBroker } from './approval-broker';

export function approvalCalls(
  broker: ApprovalBroker,
): Pick<CallHandlers, `approvals.${'answer' | 'editable' | 'edit' | 'shown'}`> {
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
    'approvals.shown': async ({ id }) => {
      broker.shown(id);
      return ok({});
    },
  };
}
