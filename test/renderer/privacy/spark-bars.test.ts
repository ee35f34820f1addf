import { expect, test } from 'vitest';
import { barsOf, SPARK_HEIGHT, sparkWidth } from '../../../src-renderer/privacy/spark-bars';

test('draws one bar a day, standing on the ground, side by side', () => {
  const bars = barsOf([0, 50, 100]);
  expect(bars).toEqual([
    { x: 0, y: 19, height: 1, none: true },
    { x: 4, y: 11, height: 9, none: false },
    { x: 8, y: 2, height: 18, none: false },
  ]);
  expect(bars.every(({ y, height }) => y + height === SPARK_HEIGHT)).toBe(true);
  expect(sparkWidth(3)).toBe(11);
});

test('P4: one byte beside a gigabyte is still seen', () => {
  const [little, nothing] = barsOf([1, 0, 1_000_000_000]);
  expect(little?.none).toBe(false);
  expect(little?.height).toBeGreaterThan(nothing?.height ?? 0);
});

test('30 days of nothing, and no days at all, are drawn without a number that is none', () => {
  expect(barsOf(Array.from({ length: 30 }, () => 0)).every((bar) => bar.none && bar.height === 1)).toBe(true);
  expect([barsOf([]), sparkWidth(0)]).toEqual([[], 0]);
});
