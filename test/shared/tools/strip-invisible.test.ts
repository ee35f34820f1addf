import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stripInvisible } from '../../../src-shared/tools/strip-invisible';

const ESC = '\u001b';

describe('stripInvisible', () => {
  const table: [because: string, raw: string, text: string, removed: number][] = [
    ['plain text', 'a\n\tb', 'a\n\tb', 0],
    ['Windows line ends, which are not counted', 'a\r\nb', 'a\nb', 0],
    ['a lone carriage return', 'a\rb', 'ab', 1],
    ['NUL, bell, backspace, DEL', 'a\0\u0007\b\u007fb', 'ab', 4],
    ['C1 controls', 'a\u0080\u0085b', 'ab', 2],
    ['B49: clear screen', `a${ESC}[2Jb`, 'ab', 4],
    ['colour with parameters', `${ESC}[1;31mred${ESC}[0m`, 'red', 11],
    ['a one-byte CSI', 'a\u009b31mb', 'ab', 4],
    ['B49: OSC 0, a window title, ended by BEL', `a${ESC}]0;title\u0007b`, 'ab', 10],
    ['B49: OSC 8, a link, ended by ST', `${ESC}]8;;http://x.example${ESC}\\here${ESC}]8;;${ESC}\\`, 'here', 30],
    ['an unfinished OSC hides no text', `a${ESC}]0;visible`, 'a0;visible', 2],
    ['DCS, APC and PM strings', `${ESC}Pq${ESC}\\${ESC}_x${ESC}\\${ESC}^y${ESC}\\z`, 'z', 15],
    ['a short sequence', `a${ESC}cb`, 'ab', 2],
    ['a lone escape at the end', `a${ESC}`, 'a', 1],
    ['an escape before an escape', `${ESC}${ESC}[31mx`, 'x', 6],
    ['bidi overrides and isolates', 'a\u202e\u2066\u2069\u200f\u061cb', 'ab', 5],
    ['zero width', 'a\u200b\u200c\u200d\u2060\ufeffb', 'ab', 5],
    [
      'tag characters',
      `hi${[...'obey'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}`,
      'hi',
      4,
    ],
    ['a flag base exempts no tags', '\u{1f3f4}\u{e0067}\u{e007f}', '\u{1f3f4}', 2],
    ['soft hyphen, invisible times, annotation marks', 'a\u00ad\u2062\ufff9b', 'ab', 3],
    ['variation selectors', 'a\ufe00\ufe0f\u{e0100}\u{e01ef}b', 'ab', 4],
    ['an emoji keeps its one style selector', '❤\ufe0f!', '❤\ufe0f!', 0],
    ['but no second one', '❤\ufe0f\ufe0f', '❤\ufe0f', 1],
    ['fillers', 'a\u115f\u3164\uffa0\u034fb', 'ab', 4],
    ['lone surrogates', 'a\ud800b\udc00', 'ab', 2],
    ['line separators become line ends', 'a\u2028b\u2029c', 'a\nb\nc', 2],
    ['umlauts, CJK and emoji stay', 'größe 天気 🚀', 'größe 天気 🚀', 0],
  ];
  test.each(table)('O1: %s', (_because, raw, text, removed) => {
    expect(stripInvisible(raw)).toEqual({ text, removed });
  });

  test('O1: nothing invisible is left whatever is given, and a second time finds nothing', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom(ESC, '[', ']', ';', '\u0007', '\\', '\u009d', '\ufe0f', '❤', '\r', '\n'),
            fc.string({ unit: 'binary', maxLength: 1 }),
          ),
        }),
        (raw) => {
          const { text } = stripInvisible(raw);
          expect(text).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u);
          expect(text.replace(/\p{Extended_Pictographic}\ufe0f/gu, '')).not.toMatch(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u);
          expect(stripInvisible(text)).toEqual({ text, removed: 0 });
        },
      ),
    );
  });
});
