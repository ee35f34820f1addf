import { failed, ok } from '../../src-shared/base/result';
import type { ServerId } from '../../src-shared/servers/server.schema';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import type { LaunchReview } from './launch-review';
import type { SessionPool } from './session-pool';

export interface SessionCallParts {
  review: Pick<LaunchReview, 'review'>;
  pool: Pick<SessionPool, 'logOf'>;
  /** Connects anew and asks for the tools; what comes of it shows in the server's row. */
  lookAgain(id: ServerId): void;
}

export function sessionCalls({
  review,
  pool,
  lookAgain,
}: SessionCallParts): Pick<CallHandlers, `servers.${'review' | 'retry' | 'log'}`> {
  return {
    'servers.review': async ({ id }) => {
      const reviewed = await review.review(id);
      return reviewed.ok ? reviewed : failed({ code: 'refused', message: reviewed.problem });
    },
    'servers.retry': async ({ id }) => {
      lookAgain(id);
      return ok({});
    },
    'servers.log': async ({ id }) => ok({ lines: [...pool.logOf(id)] }),
  };
}
