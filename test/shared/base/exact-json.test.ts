import { describe, expect, test } from 'vitest';
import { holdsLongNumber, readExactJson } from '../../../src-shared/base/exact-json';

const rewritten = (text: string): string => {
  const exact = readExactJson(text);
  return exact.write(exact.value);
};

describe('numbers beyond 2^53', () => {
  test.each([
    '{"id":9007199254740993}',
    '[-12345678901234567890,1,"12345678901234567890"]',
    '{"a":{"b":[18446744073709551615]},"c":"\\"9007199254740993\\\\"}',
    '{"price":1234567890123456.78}',
    '1000000000000000000000001',
    '{"mark":"\u00a49007199254740993","n":9007199254740993}',
    '{"text":"\\\\","n":9007199254740993}',
  ])('O6: %s is written as it was read', (text) => {
    expect(rewritten(text)).toBe(text);
  });

  test('O6: text that looks like a marked number stays text, also when its mark is escaped', () => {
    expect(rewritten('["\\u00a4\\u00A49007199254740993",9007199254740993]')).toBe(
      '["\u00a4\u00a49007199254740993",9007199254740993]',
    );
  });

  test('O6: numbers a double holds are left to it, and what is no JSON is refused', () => {
    expect(rewritten('[0.1, 1e3, 3.1415926535897931]')).toBe('[0.1,1000,3.1415926535897931]');
    for (const text of ['[00000000000000000001]', '[1234567890123456789.]', '{"a":12345678901234567890', '["1234567890123456789'])
      expect(() => readExactJson(text)).toThrow(SyntaxError);
  });

  test('O6: reading 1 MiB this way costs at most three times a plain parse', () => {
    const rows = Array.from(
      { length: 13_500 },
      (_, n) => `{"id":${9_007_199_254_740_993n + BigInt(n)},"name":"row ${n}","note":"a \\"b\\" c and some more words"}`,
    );
    const text = `[${rows.join(',')}]`;
    const took = (run: () => void): number => {
      const startedAt = performance.now();
      run();
      return performance.now() - startedAt;
    };
    let [plain, exact] = [Infinity, Infinity];
    // In turns, and the best of many: other programs run meanwhile.
    for (let round = 0; round < 40; round += 1) {
      plain = Math.min(
        plain,
        took(() => void JSON.parse(text)),
      );
      exact = Math.min(
        exact,
        took(() => void readExactJson(text)),
      );
    }
    expect(text.length).toBeGreaterThan(1_000_000);
    expect(holdsLongNumber(text)).toBe(true);
    expect(exact / plain).toBeLessThan(3);
  }, 20_000);
});
