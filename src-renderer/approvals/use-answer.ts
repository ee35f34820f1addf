import { useRef } from 'react';
import type { ApprovalAnswer, ApprovalRequest } from '../../src-shared/approvals/approval.schema';
import { useAct, type Act } from '../host/use-act';

/** One answer for one request; another try only when main did not take the first. */
export function useAnswer(request: ApprovalRequest): { act: Act; answer(choice: ApprovalAnswer): void } {
  const act = useAct();
  const answered = useRef(false);
  const answer = (choice: ApprovalAnswer) => {
    if (answered.current) return;
    answered.current = true;
    const { id, digest, nonce } = request;
    void act.run('approvals.answer', { id, digest, nonce, answer: choice }).then((outcome) => {
      if (!outcome.ok) answered.current = false;
    });
  };
  return { act, answer };
}
