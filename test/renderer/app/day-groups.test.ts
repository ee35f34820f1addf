import { expect, test } from 'vitest';
import { groupByDay, matchesWords } from '../../../src-renderer/app/day-groups';

const now = new Date(2026, 8, 3, 14, 3).getTime();
const chat = (title: string, ...at: [year: number, month: number, day: number]) => ({
  title,
  updatedAt: new Date(...at).getTime(),
});

test('chats stand under the day they were last used, newest first', () => {
  const groups = groupByDay(
    [chat('old', 2026, 5, 1), chat('yesterday', 2026, 8, 2), chat('today', 2026, 8, 3), chat('week', 2026, 7, 28)],
    now,
  );
  expect(groups.map((group) => [group.label, group.items.map((item) => item.title)])).toEqual([
    ['Today', ['today']],
    ['Yesterday', ['yesterday']],
    ['Last 7 days', ['week']],
    ['June 2026', ['old']],
  ]);
});

test('a moment ahead of this clock counts as today', () => {
  expect(groupByDay([chat('ahead', 2026, 8, 9)], now)[0]?.label).toBe('Today');
});

test('the filter wants every word, in any order and case', () => {
  expect([matchesWords('Trip plan: Lisbon', 'lisbon TRIP'), matchesWords('Trip plan', 'trip oslo')]).toEqual([true, false]);
});
