import type { LedgerRow, RouteId, RouteUse } from './egress.schema';
import type { AttemptRecord, ResultRecord } from './ledger-record.schema';

export const USE_DAYS = 30;
const DAY_MS = 86_400_000;

/** A request of which only the attempt is known. */
export function openRow({ attempt, at, route, host, method, conversation }: Omit<AttemptRecord, 'kind'>): LedgerRow {
  const unknown = { address: null, status: null, bytesOut: 0, bytesIn: 0, ms: null };
  return { attempt, at, routeId: route, host, method, outcome: 'open', conversation, ...unknown };
}

/** The same request once its result is known. */
export function closeRow(row: LedgerRow, { address, outcome, status, bytesOut, bytesIn, ms }: ResultRecord): LedgerRow {
  return { ...row, address, outcome, status, bytesOut, bytesIn, ms };
}

/** Use by route and day. Days are days of UTC, counted from 1970. */
export type UseTally = Map<string, { lastAt: number; days: Map<number, DayUse> }>;

interface DayUse {
  times: number;
  bytesOut: number;
  bytesIn: number;
}

/** Adds what is newly known of a row. A refused request was never sent, so it is no use of its route. */
export function addUse(tally: UseTally, row: Pick<LedgerRow, 'routeId' | 'at'>, use: DayUse): void {
  const route = tally.get(row.routeId) ?? { lastAt: row.at, days: new Map<number, DayUse>() };
  tally.set(row.routeId, route);
  route.lastAt = Math.max(route.lastAt, row.at);
  const day = Math.floor(row.at / DAY_MS);
  const before = route.days.get(day) ?? { times: 0, bytesOut: 0, bytesIn: 0 };
  route.days.set(day, {
    times: before.times + use.times,
    bytesOut: before.bytesOut + use.bytesOut,
    bytesIn: before.bytesIn + use.bytesIn,
  });
}

/** What each route did in the 30 days that end today, in the order the routes were first used. */
export function summariseTally(tally: UseTally, now: number): RouteUse[] {
  const today = Math.floor(now / DAY_MS);
  const window = Array.from({ length: USE_DAYS }, (_, index) => today - USE_DAYS + 1 + index);
  return [...tally].map(([routeId, { lastAt, days }]) => {
    const uses = window.map((day) => days.get(day) ?? { times: 0, bytesOut: 0, bytesIn: 0 });
    const sum = (count: (use: DayUse) => number) => uses.reduce((total, use) => total + count(use), 0);
    return {
      routeId: routeId as RouteId,
      times: sum((use) => use.times),
      bytesOut: sum((use) => use.bytesOut),
      bytesIn: sum((use) => use.bytesIn),
      lastAt,
      days: uses.map((use) => use.bytesOut + use.bytesIn),
    };
  });
}
