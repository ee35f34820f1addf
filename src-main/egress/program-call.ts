import type { RouteId } from '../../src-shared/egress/egress.schema';
import type { Ledger } from './ledger';

/** A call that went to a program over its pipes, in the same ledger and with the same two records as one over the network (P4). */
export function recordProgramCall(
  ledger: Pick<Ledger, 'recordAttempt' | 'recordResult'>,
  routeId: RouteId,
  where: string,
  conversation: string,
): { done(answered: boolean, bytesOut: number, bytesIn: number): void } {
  const attempt = ledger.recordAttempt({ routeId, host: where, method: 'tools/call', conversation });
  return {
    done(answered, bytesOut, bytesIn) {
      ledger.recordResult(attempt, { outcome: answered ? 'answered' : 'failed', status: null, bytesOut, bytesIn, address: null });
    },
  };
}
