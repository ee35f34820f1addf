import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../src-shared/base/canonical-json';
import { checkJsonBounds, type JsonBoundsProblem } from '../../../src-shared/base/json-bounds';
import { sha256Hex } from '../../../src-shared/base/sha256';
import type { Json } from '../../../src-shared/tools/tool.schema';

describe('canonicalJson', () => {
  const table: [value: Json, text: string][] = [
    [{ b: 1, a: [true, null] }, '{"a":[true,null],"b":1}'],
    [{ a: { d: 'x', c: '"' } }, '{"a":{"c":"\\"","d":"x"}}'],
    ['\ud800', '"\\ud800"'],
    [-0, '0'],
    [JSON.parse('{"__proto__":{"x":1}}') as Json, '{"__proto__":{"x":1}}'],
    [{ '10': 1, '9': 2 }, '{"10":1,"9":2}'],
  ];
  test.each(table)('R4: writes %j as %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  test('R4: two values share a text exactly when they are equal', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        const sameText = canonicalJson(left as Json) === canonicalJson(right as Json);
        const sameValue =
          canonicalJson(JSON.parse(JSON.stringify(left)) as Json) === canonicalJson(JSON.parse(JSON.stringify(right)) as Json);
        expect(sameText).toBe(sameValue);
        expect(JSON.stringify(JSON.parse(canonicalJson(left as Json)))).toHaveLength(JSON.stringify(left).length);
      }),
    );
  });

  test.each([Number.NaN, Infinity])('R4: %s has no form, because JSON would write null for it', (value) => {
    expect(() => canonicalJson([value])).toThrow();
  });
});

describe('sha256Hex', () => {
  const known: [text: string, digest: string][] = [
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ['ä€😀', sha256Hex('ä€😀')],
  ];
  test.each(known)('R4: digests %j', (text, digest) => {
    expect(sha256Hex(text)).toBe(digest);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('checkJsonBounds', () => {
  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  const table: [value: unknown, problem: JsonBoundsProblem | null, because: string][] = [
    [{ a: [1, 'x', null, false] }, null, 'plain JSON'],
    [nested(10), null, 'just deep enough'],
    [nested(11), 'too-deep', 'one level more'],
    ['x'.repeat(999), 'too-big', 'text with its quotes is over the bound'],
    [{ ['k'.repeat(1000)]: 1 }, 'too-big', 'names count'],
    [Array.from({ length: 600 }, () => 1), null, 'many small values that fit'],
    [[1, undefined], 'not-json', 'undefined'],
    [[() => 1], 'not-json', 'a function'],
    [[1n], 'not-json', 'a bigint'],
    [[Infinity], 'not-json', 'a number JSON cannot hold'],
  ];
  test.each(table)('R3: row %# is %s (%s)', (value, problem) => {
    expect(checkJsonBounds(value, { maxDepth: 10, maxChars: 1000 })).toBe(problem);
  });

  // Made inside the test: a row of a table this deep cannot be handed from one process to another.
  test('R3: what is deep enough to exhaust a recursive walk is too deep', () => {
    expect(checkJsonBounds(nested(5000), { maxDepth: 10, maxChars: 1000 })).toBe('too-deep');
  });
});
