import { expect, test } from 'vitest';
import { countOf, daysBetween, formatBytes, formatDuration, formatMoment } from '../../../src-renderer/ui/format';

const bytes: [bytes: number, words: string][] = [
  [0, '0 B'],
  [412, '412 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [1234, '1.2 kB'],
  [48_000, '48 kB'],
  [999_600, '1.0 MB'],
  [3_900_000, '3.9 MB'],
];
test.each(bytes)('writes %i bytes as %s', (count, words) => {
  expect(formatBytes(count)).toBe(words);
});

const durations: [ms: number, words: string][] = [
  [0, '0.0 s'],
  [3, '0.1 s'],
  [120, '0.1 s'],
  [9_949, '9.9 s'],
  [12_400, '12 s'],
  [59_600, '1 min'],
  [125_000, '2 min 5 s'],
];
test.each(durations)('writes %i ms as %s', (ms, words) => {
  expect(formatDuration(ms)).toBe(words);
});

const now = new Date(2026, 8, 3, 14, 3).getTime();
const moments: [at: Date, words: string][] = [
  [new Date(2026, 8, 3, 0, 0), 'today, 00:00'],
  [new Date(2026, 8, 2, 23, 59), 'yesterday, 23:59'],
  [new Date(2026, 7, 25, 9, 0), '25 August'],
  [new Date(2025, 2, 3, 9, 0), '3 March 2025'],
];
test.each(moments)('writes %s as %s', (at, words) => {
  expect(formatMoment(at.getTime(), now)).toBe(words);
});

test('counts days on the calendar, not spans of 24 hours', () => {
  expect(daysBetween(new Date(2026, 8, 2, 23, 59).getTime(), new Date(2026, 8, 3, 0, 1).getTime())).toBe(1);
});

test('the word follows the number', () => {
  expect([countOf(0, 'tool'), countOf(1, 'tool'), countOf(1400, 'tool')]).toEqual(['0 tools', '1 tool', '1,400 tools']);
});
