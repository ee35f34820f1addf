import { failed, ok } from '../../src-shared/base/result';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import type { ApprovalBroker } from '../approvals/approval-broker';
import type { TurnRunner } from './turn-runner';

export function chatCalls(turns: TurnRunner, broker: ApprovalBroker): Pick<CallHandlers, 'chat.send' | 'chat.stop'> {
  return {
    'chat.send': async ({ id, modelId, text }) => {
      const sent = turns.send(id, modelId, text);
      return sent.ok ? ok({}) : failed({ code: 'refused', message: sent.problem });
    },
    'chat.stop': async ({ id }) => {
      turns.stop(id);
      broker.settleConversation(id);
      return ok({});
    },
  };
}
