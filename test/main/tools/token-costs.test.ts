import { expect, test } from 'vitest';
import { TokenCosts } from '../../../src-main/tools/token-costs';
import { FakeClock } from '../../support/fake-clock';

function setUp(answers: (texts: readonly string[]) => number[] | null = (texts) => texts.map((text) => text.length)) {
  const clock = new FakeClock();
  const batches: string[][] = [];
  let changes = 0;
  const costs = new TokenCosts({
    clock,
    count: async (texts) => {
      batches.push([...texts]);
      return answers(texts);
    },
    changed: () => void (changes += 1),
  });
  const later = async (ms: number) => {
    clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { costs, batches, later, changes: () => changes };
}

test('R7: nothing is counted while the app starts, and each text once', async () => {
  const { costs, batches, later, changes } = setUp();
  expect(costs.of('a', () => 'four')).toBeNull();
  expect(costs.of('a', () => 'four')).toBeNull();
  await later(1_000);
  expect(batches).toEqual([]);
  await later(1_000);
  expect([batches, changes()]).toEqual([[['four']], 1]);
  expect(costs.of('a', () => 'four')).toBe(4);
  await later(60_000);
  expect(batches).toHaveLength(1);
});

test('R7: many are counted in batches, one after another', async () => {
  const { costs, batches, later } = setUp();
  for (let nth = 0; nth < 450; nth += 1) costs.of(`k${nth}`, () => 'x');
  await later(2_000);
  await later(100);
  await later(100);
  expect(batches.map((batch) => batch.length)).toEqual([200, 200, 50]);
  expect(costs.of('k449', () => 'x')).toBe(1);
});

test('R7: what could not be counted stays unknown and is not tried over and over', async () => {
  const { costs, batches, later } = setUp(() => null);
  costs.of('a', () => 'four');
  await later(2_000);
  expect(costs.of('a', () => 'four')).toBeNull();
  await later(60_000);
  expect(batches).toHaveLength(1);
});
