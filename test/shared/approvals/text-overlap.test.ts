import { describe, expect, test } from 'vitest';
import { markSpans } from '../../../src-shared/approvals/outbound-check';
import { MIN_OVERLAP, overlapFinder } from '../../../src-shared/approvals/text-overlap';
import { toVisibleText, visibleToString } from '../../../src-shared/base/visible-text';

const PAGE = 'Gate fails when a folder is renamed while it is open. Nobody has looked at it.';
const found = (text: string, ...groups: string[][]): [string, number][] =>
  overlapFinder(groups)(text).map(({ from, to, group }) => [text.slice(from, to), group]);

describe('overlapFinder', () => {
  test('A6: finds every run of twenty characters, wherever it stands in both texts', () => {
    for (let at = 0; at + MIN_OVERLAP <= PAGE.length; at += 1) {
      const run = PAGE.slice(at, at + MIN_OVERLAP);
      for (const before of ['', '#', '## ~ ## ~ ##']) {
        expect(found(`${before}${run}|`, [PAGE])).toEqual([[run.trim(), 0]]);
      }
    }
  });

  test.each<[what: string, text: string, source: string, words: string]>([
    [
      'half of a character at its end',
      'It was a good day for all 😀',
      'It was a good day for all 😁',
      'It was a good day for all',
    ],
    [
      'half of a character at its start',
      '😀 is how it felt to all of us',
      '🤀 is how it felt to all of us',
      'is how it felt to all of us',
    ],
    [
      'half of a character between words',
      'It was a good day for all😀',
      'It was a good day for all😁',
      'It was a good day for all',
    ],
    [
      'half of one before the words',
      `\u{1f600}is how it felt to all of us`,
      `\u{1fa00}is how it felt to all of us`,
      'is how it felt to all of us',
    ],
    ['blanks', `#${' '.repeat(6)}${PAGE}${' '.repeat(6)}#`, `${' '.repeat(5)}${PAGE}${' '.repeat(5)}`, PAGE],
  ])('A6, A5: %s is no part of a run, so that nothing is shown otherwise for its mark', (_what, text, source, words) => {
    expect(found(text, [source])).toEqual([[words, 0]]);
    const overlaps = overlapFinder([[source]])(text);
    expect(visibleToString(markSpans(text, [], overlaps))).toBe(visibleToString(toVisibleText(text)));
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

  test('A6: two runs beside each other do not overlap, even where both hold what lies between', () => {
    const [first, second] = overlapFinder([[PAGE]])(`${PAGE.slice(30, 60)}${PAGE.slice(0, 30)}`);
    expect([first, second]).toMatchObject([
      { from: 0, to: 30 },
      { from: 30, to: 60 },
    ]);
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
    const text = `${letters}0123456789abcdefghijkl`;
    expect(overlapFinder([[letters], [text.slice(20)]])(text)).toEqual([
      { from: 0, to: 26, group: 0 },
      { from: 26, to: text.length, group: 1 },
    ]);
  });

  test('A6: of several places the longest run counts, and of more than eight the first eight', () => {
    const block = 'abcdefghij';
    const wanted = `${block}klmnopqrstuvwxyz`;
    expect(found(wanted, [`${block}klmnopqrst`, wanted, `${block}klmnopqrstuv`])).toEqual([[wanted, 0]]);
    // Of these twenty only the middle is a whole block of the text that holds them.
    const twenty = `ZYXWVUTSR${block}Q`;
    const decoys = (count: number): string[] => Array.from({ length: count }, (_, nth) => `#########${nth}${block}##########`);
    expect(found(twenty, [`#${twenty}`, ...decoys(7)])).toEqual([[twenty, 0]]);
    expect(found(twenty, [`#${twenty}`, ...decoys(8)])).toEqual([]);
  });

  test('A6: five different letters in a row of ten are words', () => {
    const words = 'abcdeabcdeabcdeabcde';
    expect(found(`#${words}#`, [`!${words}!`.slice(1)])).toEqual([[words, 0]]);
    expect(found('#abcdabcdabcdabcdabcdabcd#', ['abcdabcdabcdabcdabcdabcd'])).toEqual([]);
  });

  test('A6: in made-up texts what is found stands there, and what stands there is found', () => {
    let seed = 7;
    const next = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const letters = (count: number): string => Array.from({ length: count }, () => String.fromCharCode(97 + next(26))).join('');
    for (let round = 0; round < 300; round += 1) {
      const groups = Array.from({ length: 3 }, () => [letters(60 + next(60))]);
      const [own = ''] = groups[next(3)] ?? [];
      const from = next(40);
      const copied = own.slice(from, from + 15 + next(20));
      const text = `${letters(next(30))}${copied}${letters(next(30))}`;
      let end = 0;
      const runs = overlapFinder(groups)(text);
      for (const run of runs) {
        expect(groups[run.group]?.[0]).toContain(text.slice(run.from, run.to));
        expect(run.from).toBeGreaterThanOrEqual(end);
        expect(run.to).toBeLessThanOrEqual(text.length);
        expect(run.to - run.from).toBeGreaterThanOrEqual(MIN_OVERLAP);
        end = run.to;
      }
      expect(runs.some((run) => text.slice(run.from, run.to).includes(copied))).toBe(
        copied.length >= MIN_OVERLAP || runs.length > 0,
      );
    }
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

  test('A6: a run that ends both texts ends where they end, and what stands behind a million characters is not read', () => {
    expect(overlapFinder([[PAGE]])(`#${PAGE}`)).toEqual([{ from: 1, to: 1 + PAGE.length, group: 0 }]);
    expect(found(`${'#'.repeat(999_900)}${PAGE}`, [PAGE])).toEqual([[PAGE, 0]]);
    expect(found(`${'#'.repeat(1_000_000)}${PAGE}`, [PAGE])).toEqual([]);
  });

  test('A6: of more than it reads, the last of the last is compared', () => {
    const filler = Array.from({ length: 60 }, (_, nth) => `${nth} `.repeat(3000));
    expect(found(PAGE, [...filler, PAGE])).toHaveLength(1);
    expect(found(PAGE, [PAGE, ...filler])).toEqual([]);
    expect(found(PAGE, filler, [PAGE])).toHaveLength(1);
    expect(found(PAGE, [PAGE], filler)).toEqual([]);
  });

  test.each(['a', 'ab', 'abcdefghij', 'abcdefghijk', PAGE])('A6: many of %j are compared at once', (part) => {
    const many = part.repeat(150_000 / part.length);
    const started = performance.now();
    overlapFinder([[many]])(`x${many.slice(1)}`);
    overlapFinder([[many]])(many.replaceAll('a', 'b'));
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
