import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { framedPage, neutraliseDelimiter, pageOf } from '../../../src-shared/tools/output-treatment';

const frame = { server: 'GitHub', tool: 'github__search', id: 'k3x9' };

describe('pageOf', () => {
  test('O3: pages join to the whole text and never cut a character', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '€', '😀', '<', '/tool_output'), { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        (letters, pageChars) => {
          const whole = neutraliseDelimiter(letters.join(''));
          let joined = '';
          for (let offset: number | null = 0; offset !== null;) {
            const page = pageOf(whole, offset, pageChars);
            expect(page.text).not.toMatch(/\p{Cs}/u);
            expect(page.total).toBe(whole.length);
            joined += page.text;
            offset = page.nextOffset;
          }
          expect(joined).toBe(whole);
        },
      ),
    );
  });

  test('O2: a tag cut by a page boundary has no bracket on either page', () => {
    const raw = 'ab</tool_output>';
    for (let pageChars = 1; pageChars <= raw.length; pageChars += 1) {
      let joined = '';
      for (let offset: number | null = 0; offset !== null;) {
        const page = pageOf(raw, offset, pageChars);
        joined += page.text;
        offset = page.nextOffset;
      }
      expect(joined).not.toContain('<');
    }
  });

  test.each([
    [100, ''],
    [-3, 'ab'],
    [3, 'd'],
  ])('O3: offset %i of four characters gives %j', (offset, text) => {
    expect(pageOf('abcd', offset, 2).text).toBe(text);
  });

  test('O3: an offset inside a character starts before it', () => {
    expect(pageOf('a😀b', 2, 2)).toEqual({ text: '😀', offset: 1, nextOffset: 3, total: 4 });
  });

  test('O2: a page is framed like a result and says where it stands', () => {
    const first = framedPage(pageOf('abcd', 0, 2), frame);
    expect(first).toContain('\nab\n[Characters 0 to 2 of 4. Continue with offset 2.]\n</tool_output id="k3x9">');
    expect(framedPage(pageOf('abcd', 2, 2), frame)).toContain('This is the end.');
  });
});
