import { describe, expect, test } from 'vitest';
import { MIN_OVERLAP, overlapFinder } from '../../../src-shared/approvals/text-overlap';

const PAGE = 'Gate fails when a folder is renamed while it is open. Nobody has looked at it.';
const found = (text: string, ...groups: string[][]): [string, number][] =>
  overlapFinder(groups)(text).map(({ from, to, group }) => [text.slice(from, to), group]);

describe('overlapFinder', () => {
  test('A6: finds every run of twenty characters, wherever it stands in both texts', () => {
    for (let at = 0; at + MIN_OVERLAP <= PAGE.length; at += 1) {
      const run = PAGE.slice(at, at + MIN_OVERLAP);
      for (const before of ['', '#', '## ~ ## ~ ##']) {
        expect(found(`${before}${run}|`, [PAGE])).toEqual([[run, 0]]);
      }
    }
  });

  test('A6: nineteen characters are anybody’s', () => {
    for (let at = 0; at + MIN_OVERLAP <= PAGE.length; at += 1) {
      expect(found(`#${PAGE.slice(at, at + MIN_OVERLAP - 1)}|`, [PAGE])).toEqual([]);
    }
  });

  test('A6: a run is found whole, and says whose it is', () => {
    const text = `He wrote: ${PAGE}\nThe plan: buy twenty lemons on Thursday.`;
    expect(found(text, ['buy twenty lemons on Thursday'], [PAGE])).toEqual([
      [PAGE, 1],
      ['buy twenty lemons on Thursday', 0],
    ]);
  });

  test('A6: two runs beside each other do not overlap', () => {
    const [first, second] = overlapFinder([[PAGE]])(`${PAGE.slice(30, 60)}${PAGE.slice(0, 30)}`);
    expect([first, second]).toMatchObject([
      { from: 0, to: 30 },
      { from: 30, to: 60 },
    ]);
  });

  test.each([' '.repeat(80), '-'.repeat(80), '0000000000\n'.repeat(9), '|---|---|---|---|---|---|---|'])(
    'A6: %j stands in every text and comes from none',
    (ruler) => {
      expect(found(`a ${ruler} b`, [`c ${ruler} d`])).toEqual([]);
    },
  );

  test.each<[text: string, groups: string[][]]>([
    ['', [[PAGE]]],
    ['short', [[PAGE]]],
    [PAGE, []],
    [PAGE, [[]]],
    [PAGE, [['']]],
  ])('A6: nothing is found in %j compared with %j', (text, groups) => {
    expect(found(text, ...groups)).toEqual([]);
  });

  test('A6: of more than it reads, the last of the last is compared', () => {
    const filler = Array.from({ length: 60 }, (_, nth) => `${nth} `.repeat(3000));
    expect(found(PAGE, [...filler, PAGE])).toHaveLength(1);
    expect(found(PAGE, [PAGE, ...filler])).toEqual([]);
  });

  test.each(['a', 'ab', 'abcdefghij', 'abcdefghijk', PAGE])('A6: many of %j are compared at once', (part) => {
    const many = part.repeat(150_000 / part.length);
    const started = performance.now();
    overlapFinder([[many]])(`x${many.slice(1)}`);
    overlapFinder([[many]])(many.replaceAll('a', 'b'));
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
