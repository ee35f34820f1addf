import { expect, test } from 'vitest';
import { KnownValues } from '../../../src-main/secrets/known-values';

test('S5, S6: values of variables are known beside what the vault keeps, as the same list until there is more', () => {
  let kept: readonly string[] = ['saved'];
  const known = new KnownValues(() => kept);
  expect(known.all()).toBe(kept);
  known.add(['filled', 'filled']);
  const all = known.all();
  expect(all).toEqual(['saved', 'filled']);
  known.add(['filled']);
  expect(known.all()).toBe(all);
  kept = ['saved', 'later'];
  expect(known.all()).toEqual(['saved', 'later', 'filled']);
});
