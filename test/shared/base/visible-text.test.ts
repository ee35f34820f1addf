import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { VisibleText } from '../../../src-shared/approvals/approval.schema';
import { toVisibleText, visibleToString } from '../../../src-shared/base/visible-text';
import { characterBoundary, cutAtCharacter } from '../../../src-shared/base/hidden-characters';

const text = (shown: string) => ({ kind: 'text' as const, text: shown });
const escape = (shown: string) => ({ kind: 'escape' as const, text: shown });
const blank = (shown: string) => ({ kind: 'blank' as const, text: shown });

describe('toVisibleText', () => {
  const table: [because: string, raw: string, shown: VisibleText][] = [
    ['nothing', '', []],
    ['plain text', 'echo ok', [text('echo ok')]],
    ['newline and tab stay', 'a\n\tb', [text('a\n\tb')]],
    ['umlauts, CJK and emoji stay', 'größe 天気 🚀', [text('größe 天気 🚀')]],
    [
      'B83: 5000 spaces before a payload',
      `echo ok${' '.repeat(5000)}; rm -rf ~`,
      [text('echo ok'), blank('⎵ 5000 spaces'), text('; rm -rf ~')],
    ],
    [
      'B83: 300 newlines before a payload',
      `echo ok${'\n'.repeat(300)}rm`,
      [text('echo ok'), blank('⎵ 300 line breaks'), text('rm')],
    ],
    ['B83: right-to-left override', 'a\u202eb', [text('a'), escape('\\u202e'), text('b')]],
    ['B83: zero width space', 'a\u200bb', [text('a'), escape('\\u200b'), text('b')]],
    [
      'B87: terminal codes',
      'x; touch /tmp/pwned \u001b[38D\u001b[K',
      [text('x; touch /tmp/pwned '), escape('\\u001b'), text('[38D'), escape('\\u001b'), text('[K')],
    ],
    ['B87: a reversed extension', '\u202egpj.exe', [escape('\\u202e'), text('gpj.exe')]],
    ['tag characters', 'hi\u{e0041}\u{e0042}', [text('hi'), escape('\\u{e0041}\\u{e0042}')]],
    ['a lone surrogate', 'a\ud800b', [text('a'), escape('\\ud800'), text('b')]],
    ['line and paragraph separators', '\u2028\u2029', [escape('\\u2028\\u2029')]],
    ['no-break space', 'a\u00a0b', [text('a'), escape('\\u00a0'), text('b')]],
    ['ideographic, braille and Hangul blanks', '\u3000\u2800\u3164', [escape('\\u3000\\u2800\\u3164')]],
    ['carriage return', 'a\rb', [text('a'), escape('\\u000d'), text('b')]],
    ['NUL, DEL and C1', '\u0000\u007f\u009b', [escape('\\u0000\\u007f\\u009b')]],
    ['soft hyphen and variation selector', '\u00ad\ufe00\u{e0100}', [escape('\\u00ad\\ufe00\\u{e0100}')]],
    ['private use and noncharacters', '\ue000\uffff', [escape('\\ue000\\uffff')]],
    ['eight spaces are still readable', `a${' '.repeat(8)}b`, [text(`a${' '.repeat(8)}b`)]],
    ['nine are told', `a${' '.repeat(9)}b`, [text('a'), blank('⎵ 9 spaces'), text('b')]],
    ['spaces and tabs by turns', `a${' \t'.repeat(5)}b`, [text('a'), blank('⎵ 5 spaces, 5 tabs'), text('b')]],
    ['three blank lines are still readable', 'a\n\n\n\nb', [text('a\n\n\n\nb')]],
    ['four are told', 'a\n\n\n\n\nb', [text('a'), blank('⎵ 5 line breaks'), text('b')]],
    ['blank lines that hold a space', `a${'\n '.repeat(6)}b`, [text('a'), blank('⎵ 6 line breaks, 6 spaces'), text('b')]],
    ['a long indent after a line break', `a\n${' '.repeat(10)}b`, [text('a\n'), blank('⎵ 10 spaces'), text('b')]],
    ['a literal escape is text, not an escape', '\\u202e', [text('\\u202e')]],
  ];
  test.each(table)('A5: %s', (_because, raw, shown) => {
    expect(toVisibleText(raw)).toEqual(shown);
  });

  test('A5: whatever is given, nothing hidden is left and every visible character is there in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (raw) => {
        const shown = toVisibleText(raw);
        expect(visibleToString(shown)).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}]/u);
        const plain = shown
          .filter((segment) => segment.kind === 'text')
          .map((segment) => segment.text)
          .join('');
        let from = 0;
        for (const character of plain) {
          from = raw.indexOf(character, from);
          expect(from).toBeGreaterThanOrEqual(0);
          from += character.length;
        }
      }),
    );
  });

  const large: [because: string, raw: string][] = [
    ['letters', 'x'.repeat(1_000_000)],
    ['spaces', ' '.repeat(4_000_000)],
    ['zero width spaces', '\u200b'.repeat(1_000_000)],
    ['tag characters', '\u{e0041}'.repeat(1_000_000)],
    ['letters and hidden ones by turns', 'x\u200b'.repeat(500_000)],
    ['line breaks and letters by turns', '\n\n\n\n\nx'.repeat(170_000)],
  ];
  test.each(large)('A5: a payload of 1 MB of %s is shown whole and in linear time', (_because, raw) => {
    const started = performance.now();
    const shown = toVisibleText(`${raw}!`);
    expect(performance.now() - started).toBeLessThan(4000);
    expect(visibleToString(shown).endsWith('!')).toBe(true);
  });
});

describe('cutAtCharacter', () => {
  const table: [text: string, max: number, cut: string][] = [
    ['abc', 2, 'ab'],
    ['abc', 9, 'abc'],
    ['a😀b', 2, 'a'],
    ['a😀b', 3, 'a😀'],
    ['😀', 0, ''],
    ['\ud83d', 1, '\ud83d'],
  ];
  test.each(table)('O3: cuts %j at %i to %j', (raw, max, cut) => {
    expect(cutAtCharacter(raw, max)).toBe(cut);
  });

  test('O3: a boundary is never outside the text', () => {
    expect([characterBoundary('abc', -5), characterBoundary('abc', 99)]).toEqual([0, 3]);
  });
});
