import { failed, ok } from '../../src-shared/base/result';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import type { ApprovalBroker } from './approval-broker';

export function approvalCalls(broker: ApprovalBroker): Pick<CallHandlers, 'approvals.answer' | 'approvals.shown'> {
  return {
    'approvals.answer': async (given) => {
      const answered = broker.answer(given);
      return answered.ok ? ok({}) : failed({ code: 'refused', message: answered.problem });
    },
    'approvals.shown': async ({ id }) => {
      broker.shown(id);
      return ok({});
    },
  };
}
