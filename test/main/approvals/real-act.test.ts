import { expect, test } from 'vitest';
import { cameFromAPerson, INPUT_MAX_AGE_MS, noActProblem } from '../../../src-main/approvals/real-act';
import { FakeClock } from '../../support/fake-clock';

const cases: [what: string, age: number, focused: boolean, real: boolean][] = [
  ['a press just now', 0, true, true],
  ['a press at the end of its second', INPUT_MAX_AGE_MS, true, true],
  ['a press longer ago', INPUT_MAX_AGE_MS + 1, true, false],
  ['a press in a window that lost the focus', 0, false, false],
  ['no press at all', Infinity, true, false],
];
test.each(cases)('A9: an act after %s', (_what, age, focused, real) => {
  const clock = new FakeClock();
  const input = { lastInputAt: () => clock.now() - age, windowFocused: () => focused };
  expect([cameFromAPerson(input, clock), noActProblem(input, clock) === null]).toEqual([real, real]);
});
