import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginsLikeJson, readTolerantJson } from '../../../src-shared/servers/tolerant-json';

const plain = (text: string): unknown => {
  const read = readTolerantJson(text);
  if (!read.ok) throw new Error(read.problem);
  return JSON.parse(JSON.stringify(read.value));
};

test('S9: what is JSON reads as JSON does', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      expect(plain(text)).toEqual(JSON.parse(text));
    }),
  );
});

const read: [what: string, text: string, value: unknown][] = [
  ['comments', '// a\n{ /* b */ "a": 1, // c\r\n "b": [1 /* , */, 2] }\n// end', { a: 1, b: [1, 2] }],
  ['trailing commas', '{"a":[1,2,],}', { a: [1, 2] }],
  ['a byte order mark and CRLF', '\uFEFF{\r\n"a":\t1\r\n}\r\n', { a: 1 }],
  ['what looks like a comment in a text', '{"a":"https://x/*y*/"}', { a: 'https://x/*y*/' }],
  ['members without braces', '"a": {"b": 1},\n"c": 2,', { a: { b: 1 }, c: 2 }],
  ['escapes', '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041"', '"\\/\b\f\n\r\tA'],
  [
    'a number with more digits than a double holds, as its text',
    '[12345678901234567890, 1.0, 12]',
    ['12345678901234567890', '1.0', 12],
  ],
];
test.each(read)('S9: reads %s', (_what, text, value) => {
  expect(plain(text)).toEqual(value);
});

test('S9: a name that means something to an object is a name like any other', () => {
  const result = readTolerantJson('{"__proto__":{"polluted":true},"constructor":1}');
  const value = result.ok ? (result.value as object) : {};
  expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(value)).toBeNull();
  expect(({} as { polluted?: true }).polluted).toBeUndefined();
});

const problems: [text: string, problem: string][] = [
  ['', 'Line 1, column 1: the text ends too early.'],
  ['{"a":1}}', 'Line 1, column 8: the text goes on behind its end. Take out what stands here.'],
  ['{\r\n  "a": 1\r\n  "b": 2\r\n}', 'Line 3, column 3: a comma or } is missing here.'],
  ['{\n\n  a: 1}', 'Line 3, column 3: a name in quotes or } is missing here.'],
  ['{"a" 1}', 'Line 1, column 6: a colon is missing here.'],
  ['{"a":}', 'Line 1, column 6: a value is missing here.'],
  ['[1\n', 'Line 2, column 1: a comma or ] is missing here.'],
  ['"a": 1 "b": 2', 'Line 1, column 8: a comma is missing here.'],
  ['{"a":"b\n"}', 'Line 1, column 6: the quote that opens here is not closed on its line.'],
  ['{"a":"C:\\tools\\x"}', 'Line 1, column 15: a backslash here means nothing. Write it twice, as in C:\\\\tools.'],
  ['{"a":1} /* b', 'Line 1, column 9: a comment is opened and never closed.'],
  ['{"a":1,\n"a":2}', 'Line 2, column 1: “a” stands twice in the same place. Rename or take out one of them.'],
  ['['.repeat(1e5), 'Line 1, column 66: this is nested too deeply to be read.'],
];
test.each(problems)('S9: %.40j says where its first problem is', (text, problem) => {
  expect(readTolerantJson(text)).toEqual({ ok: false, problem });
});

test.each(['{', ' [', '"a" : 1', '// x\n{', '/* x */ "a\\"b"/**/:'])('S9: %j begins like JSON', (text) => {
  expect(beginsLikeJson(text)).toBe(true);
});
test.each(['', 'npx x', '"my tool" --x', '/usr/bin/x', '"C:\\x.exe" a:b', '/* x'])('S9: %j does not', (text) => {
  expect(beginsLikeJson(text)).toBe(false);
});
