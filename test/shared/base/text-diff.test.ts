import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DiffText } from '../../../src-shared/base/diff-text.schema';
import { diffLists, diffTexts, wholeChanged } from '../../../src-shared/base/text-diff';
import { fuzz, FUZZ_TIMEOUT_MS } from '../../support/fuzz-run';

const plenty = () => ({ cells: 1_000_000 });
const plain = (text: DiffText): string => text.map((segment) => segment.text).join('');
const marked = (text: DiffText): string[] => text.filter(({ changed }) => changed).map((segment) => segment.text);

describe('diffLists', () => {
  const table: [before: string, after: string, steps: string][] = [
    ['', '', ''],
    ['abc', 'abc', ' a b c'],
    ['abc', 'ac', ' a-b c'],
    ['ac', 'abc', ' a+b c'],
    ['abcd', 'axcy', ' a-b+x c-d+y'],
    ['ab', 'ba', '-a b+a'],
  ];
  test.each(table)('R4: from %j to %j goes %j', (before, after, steps) => {
    const sign = { same: ' ', removed: '-', added: '+' };
    expect(
      diffLists([...before], [...after], plenty())
        .map(({ kind, value }) => sign[kind] + value)
        .join(''),
    ).toBe(steps);
  });

  test(
    'R4: both lists can be read off the steps, whatever the budget',
    () =>
      fuzz(
        'list comparisons',
        fc.tuple(fc.array(fc.integer({ max: 4 })), fc.array(fc.integer({ max: 4 })), fc.integer({ min: 0, max: 60 })),
        ([before, after, cells]) => {
          const steps = diffLists(before, after, { cells });
          expect(steps.filter(({ kind }) => kind !== 'added').map(({ value }) => value)).toEqual(before);
          expect(steps.filter(({ kind }) => kind !== 'removed').map(({ value }) => value)).toEqual(after);
        },
      ),
    FUZZ_TIMEOUT_MS,
  );

  test('R4: what a comparison costs is taken from the budget, and none is made beyond it', () => {
    const budget = { cells: 10 };
    diffLists([1, 2, 3], [4, 5, 6], budget);
    expect(budget.cells).toBe(1);
    expect(diffLists([1, 2, 3], [2, 9], budget).map(({ kind }) => kind)).toEqual([
      'removed',
      'removed',
      'removed',
      'added',
      'added',
    ]);
    expect(budget.cells).toBe(1);
  });
});

describe('diffTexts', () => {
  test('R4: the words that changed are marked, on the side where they stand', () => {
    const { before, after } = diffTexts('Send an email to the recipient.', 'Send an email to everybody, always.', plenty());
    expect(plain(before)).toBe('Send an email to the recipient.');
    expect(marked(before)).toEqual(['the', 'recipient']);
    expect(marked(after)).toEqual(['everybody,', 'always']);
  });

  test('H12: an invisible character that was slipped in stands there as a marked escape', () => {
    const { before, after } = diffTexts('Reads a file.', 'Reads a\u202e\u200b file.', plenty());
    expect(marked(before)).toEqual([]);
    expect(after.find(({ kind }) => kind === 'escape')).toEqual({ kind: 'escape', text: '\\u202e\\u200b', changed: true });
  });

  test('R4: a long text keeps what stands around its change, and says how much is left out', () => {
    const { before } = diffTexts(
      `${'a '.repeat(1000)}old${' b'.repeat(1000)}`,
      `${'a '.repeat(1000)}new${' b'.repeat(1000)}`,
      plenty(),
    );
    expect(plain(before)).toMatch(/^⎵ 1840 characters, the same(a )+old( b)+⎵ 1840 characters, the same$/);
  });

  test('R4: a change longer than is shown says how long it is', () => {
    expect(plain(wholeChanged('x'.repeat(9_000)))).toBe(`${'x'.repeat(8_000)}⎵ 1000 more characters`);
  });

  test('R4: texts with too many words to compare are compared by lines', () => {
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index} has a few words of its own`);
    const changed = lines.map((line, index) => (index % 2 === 0 ? line : `other words stand in line ${index * 7}`));
    const { after } = diffTexts(lines.join('\n'), changed.join('\n'), plenty());
    expect(marked(after).join('')).not.toContain('line 0 has');
    expect(marked(after).join('')).toContain('other words stand in line 7');
  });

  test('R4: the worst texts take no more than the budget allows', () => {
    const long = (seed: number): string => Array.from({ length: 60_000 }, (_, index) => (index * seed) % 997).join(' ');
    const budget = { cells: 4_000_000 };
    diffTexts(long(7), long(13), budget);
    expect(budget.cells).toBeGreaterThanOrEqual(0);
  });
});
