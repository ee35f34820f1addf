import { assertNever } from '../../src-shared/base/assert-never';
import { HANDED_OVER, type LedgerRow, type Route } from '../../src-shared/egress/egress.schema';
import { daysBetween, formatClockWithSeconds, formatDate } from '../ui/format';
import type { IconName } from '../ui/Icon';
import type { GateRole } from '../ui/State';

export interface OutcomeWords {
  role: GateRole;
  icon?: IconName;
  words: string;
}

/** What became of one request, in words. A request is said to stay here only when its route is known to. */
export function outcomeWords(
  { outcome, status, method }: Pick<LedgerRow, 'outcome' | 'status' | 'method'>,
  leaves: boolean,
): OutcomeWords {
  const isHandedOver = method === HANDED_OVER;
  switch (outcome) {
    case 'answered':
      if (isHandedOver) return { role: leaves ? 'leave' : 'stay', words: 'opened in your browser' };
      return { role: leaves ? 'leave' : 'stay', words: status !== null && status >= 400 ? 'answered: error' : 'answered' };
    case 'failed':
      if (isHandedOver) return { role: 'plain', icon: 'warning', words: 'no browser opened' };
      return { role: 'plain', icon: 'warning', words: status === null ? 'no answer' : 'broke off' };
    case 'cut-off':
      return { role: 'plain', icon: 'stop', words: 'cut off' };
    case 'open':
      return { role: 'plain', icon: 'clock', words: 'under way' };
    case 'refused':
      return { role: 'stop', words: 'not sent' };
    default:
      return assertNever(outcome);
  }
}

/** The user's name for the way it went. A route that is in the table no more is told apart from a request that named none. */
export function routeNameOf(routeId: string, routes: readonly Route[]): string {
  if (routeId === '') return 'no route';
  return routes.find((route) => route.id === routeId)?.name ?? 'removed since';
}

/** `14:03:22` today, `25 August, 14:03:22` before. */
export function ledgerTime(at: number, now: number): string {
  const clock = formatClockWithSeconds(at);
  return daysBetween(at, now) === 0 ? clock : `${formatDate(at, now)}, ${clock}`;
}

/** How much there is, how much of it is in sight, and how much was erased before. */
export function ledgerSize(count: number, shown: number, erased: number): string {
  const parts = [`${count.toLocaleString('en')} ${count === 1 ? 'entry' : 'entries'}`];
  if (shown < count) parts.push(`the latest ${shown} shown`);
  if (erased > 0) parts.push(`${erased.toLocaleString('en')} erased before`);
  return parts.join(', ');
}

export function erasedSentence(erased: number): string {
  if (erased === 0) return 'There was nothing to erase.';
  const entries = erased === 1 ? '1 entry was' : `${erased.toLocaleString('en')} entries were`;
  return `${entries} erased. The ledger goes on, and says so.`;
}
