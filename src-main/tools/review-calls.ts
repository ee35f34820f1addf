import { failed, ok, type Result } from '../../src-shared/base/result';
import type { CallHandlers, CallProblem } from '../../src-shared/ipc/contract';
import type { ToolReview } from './tool-review';

export interface ReviewCallParts {
  review: Pick<ToolReview, 'review' | 'describeInstructions' | 'tellInstructions' | 'markReadsOnly'>;
  /** Why an act that opens something is refused; null when a person is behind it (A9). */
  noActProblem(): string | null;
}

const refused = (message: string): Result<never, CallProblem> => failed({ code: 'refused', message });

/** Calls about what a server changed since it was reviewed (R4). */
export function reviewCalls({
  review,
  noActProblem,
}: ReviewCallParts): Pick<
  CallHandlers,
  'tools.review' | 'tools.setReadsOnly' | 'servers.instructions' | 'servers.tellInstructions'
> {
  return {
    'tools.review': async ({ serverId, tools, instructions }) => {
      const noAct = noActProblem();
      if (noAct !== null) return refused(noAct);
      const settled = review.review(serverId, tools, instructions);
      return settled.ok ? ok({}) : refused(settled.problem);
    },

    'tools.setReadsOnly': async ({ serverId, rawName, readsOnly, digest }) => {
      const noAct = readsOnly ? noActProblem() : null;
      if (noAct !== null) return refused(noAct);
      const marked = review.markReadsOnly(serverId, rawName, digest, readsOnly);
      return marked.ok ? ok({}) : refused(marked.problem);
    },

    'servers.instructions': async ({ id }) => ok(review.describeInstructions(id)),

    'servers.tellInstructions': async ({ id, digest, told }) => {
      const noAct = told ? noActProblem() : null;
      if (noAct !== null) return refused(noAct);
      const switched = review.tellInstructions(id, digest, told);
      return switched.ok ? ok({}) : refused(switched.problem);
    },
  };
}
