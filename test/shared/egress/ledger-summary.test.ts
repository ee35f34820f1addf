import { expect, test } from 'vitest';
import { LedgerRowSchema, RouteUseSchema, type LedgerRow } from '../../../src-shared/egress/egress.schema';
import type { LedgerRecord } from '../../../src-shared/egress/ledger-record.schema';
import { joinRecords, summariseUse, USE_DAYS } from '../../../src-shared/egress/ledger-summary';

const DAY_MS = 86_400_000;
const NOW = 20_000 * DAY_MS + 5;

const attempt = (id: string, at = NOW): LedgerRecord => {
  return { kind: 'attempt', at, attempt: id, conversation: 'c1', host: 'mcp.example.com', method: 'POST', route: 'server-a' };
};
const result = (id: string, at = NOW): LedgerRecord => {
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
  const [row, ...more] = joinRecords([attempt('1'), result('1', NOW + 7)]);
  expect(more).toEqual([]);
  expect(LedgerRowSchema.parse(row)).toEqual({
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

test('P4: an attempt without a result is open, and a result without an attempt is no row', () => {
  expect(joinRecords([attempt('1'), result('2')]).map((row) => [row.attempt, row.outcome])).toEqual([['1', 'open']]);
});

test('P3: a refused attempt is a row of its own', () => {
  const [row] = joinRecords([{ ...attempt('1'), kind: 'refused' } as LedgerRecord]);
  expect(row).toMatchObject({ outcome: 'refused', bytesOut: 0, status: null });
});

const row = (at: number, parts: Partial<LedgerRow> = {}): LedgerRow => {
  const [made] = joinRecords([attempt('1', at), result('1', at)]);
  return { ...(made as LedgerRow), ...parts };
};

test('P4: use is summed by route over 30 days of UTC, oldest first', () => {
  const use = summariseUse(
    [row(NOW), row(NOW - 5), row(NOW - 29 * DAY_MS), row(NOW - 30 * DAY_MS), row(NOW, { routeId: 'model-b' })],
    NOW,
  );
  expect(use.map((entry) => RouteUseSchema.parse(entry))).toEqual(use);
  const [first] = use;
  expect(first).toMatchObject({ routeId: 'server-a', times: 3, bytesOut: 30, bytesIn: 60, lastAt: NOW });
  expect(first?.days).toHaveLength(USE_DAYS);
  expect([first?.days[0], first?.days[28], first?.days[29]]).toEqual([30, 0, 60]);
  expect(use[1]).toMatchObject({ routeId: 'model-b', times: 1 });
});

test('P4: what was refused is no use', () => {
  expect(summariseUse([row(NOW, { outcome: 'refused' })], NOW)).toEqual([]);
});
