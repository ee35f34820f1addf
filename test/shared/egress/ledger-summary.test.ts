import { expect, test } from 'vitest';
import { LedgerRowSchema, RouteUseSchema, type LedgerRow } from '../../../src-shared/egress/egress.schema';
import type { AttemptRecord, ResultRecord } from '../../../src-shared/egress/ledger-record.schema';
import { addUse, closeRow, openRow, summariseTally, USE_DAYS, type UseTally } from '../../../src-shared/egress/ledger-summary';

const DAY_MS = 86_400_000;
const NOW = 20_000 * DAY_MS + 5;

const attempt = (id: string, at = NOW): AttemptRecord => {
  return { kind: 'attempt', at, attempt: id, conversation: 'c1', host: 'mcp.example.com', method: 'POST', route: 'server-a' };
};
const result = (id: string, at = NOW): ResultRecord => {
  return {
    kind: 'result',
    at,
    attempt: id,
    address: '93.184.216.34',
    bytesIn: 20,
    bytesOut: 10,
    ms: 7,
    outcome: 'answered',
    status: 200,
  };
};

test('P4: an attempt and its result are one row', () => {
  const open = openRow(attempt('1'));
  expect(LedgerRowSchema.parse(open)).toMatchObject({ outcome: 'open', bytesOut: 0, ms: null });
  expect(LedgerRowSchema.parse(closeRow(open, result('1', NOW + 7)))).toEqual({
    attempt: '1',
    at: NOW,
    routeId: 'server-a',
    host: 'mcp.example.com',
    address: '93.184.216.34',
    method: 'POST',
    outcome: 'answered',
    status: 200,
    bytesOut: 10,
    bytesIn: 20,
    ms: 7,
    conversation: 'c1',
  });
});

const row = (at: number, parts: Partial<LedgerRow> = {}): LedgerRow => ({
  ...closeRow(openRow(attempt('1', at)), result('1', at)),
  ...parts,
});

function useOf(rows: readonly LedgerRow[]) {
  const tally: UseTally = new Map();
  for (const each of rows) addUse(tally, each, { times: 1, bytesOut: each.bytesOut, bytesIn: each.bytesIn });
  return summariseTally(tally, NOW);
}

test('P4: use is summed by route over 30 days of UTC, oldest first', () => {
  const use = useOf([row(NOW), row(NOW - 5), row(NOW - 29 * DAY_MS), row(NOW - 30 * DAY_MS), row(NOW, { routeId: 'model-b' })]);
  expect(use.map((entry) => RouteUseSchema.parse(entry))).toEqual(use);
  const [first] = use;
  expect(first).toMatchObject({ routeId: 'server-a', times: 3, bytesOut: 30, bytesIn: 60, lastAt: NOW });
  expect(first?.days).toHaveLength(USE_DAYS);
  expect([first?.days[0], first?.days[28], first?.days[29]]).toEqual([30, 0, 60]);
  expect(use[1]).toMatchObject({ routeId: 'model-b', times: 1 });
});
