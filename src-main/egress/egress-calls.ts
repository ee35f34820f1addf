import { ok } from '../../src-shared/base/result';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import type { Ledger } from './ledger';

export function egressCalls(ledger: Pick<Ledger, 'erase'>): Pick<CallHandlers, 'egress.erase'> {
  return { 'egress.erase': async () => ok({ erased: ledger.erase() }) };
}
