import { expect, test } from 'vitest';
import { shownArguments } from '../../../src-shared/approvals/shown-arguments';
import { visibleToString } from '../../../src-shared/base/visible-text';

const nothing = { keys: () => [], overlaps: () => [] };
const shown = (value: unknown) => shownArguments(JSON.stringify({ value }), nothing)[0]!;

const ends: [text: string, shows: string][] = [
  ['one line', 'one line'],
  ['a line end\n', 'a line end\\n'],
  ['three\n\n\n', 'three\\n\\n\\n'],
  ['\n', '\\n'],
  ['', ''],
];
test.each(ends)('A5: %j is shown with its end', (text, shows) => {
  expect(visibleToString(shown(text).value)).toBe(shows);
});

test('A5: the ends of lines stand apart from the text, and a text without them stands alone', () => {
  expect(shown('one').value).toEqual([{ kind: 'text', text: 'one' }]);
  expect(shown('one\n').value).toEqual([
    { kind: 'text', text: 'one' },
    { kind: 'escape', text: '\\n' },
  ]);
});

test('A5: a long run of line ends is told, not shown as nothing', () => {
  expect(shown(`x${'\n'.repeat(300)}`).value.some(({ kind }) => kind === 'blank')).toBe(true);
});

test('O6, A5: a long number is shown with the digits that are sent', () => {
  const [id, inner] = shownArguments('{"id":9007199254740993,"inner":[18446744073709551615]}', nothing);
  expect([id!.type, visibleToString(id!.value)]).toEqual(['number', '9007199254740993']);
  expect(visibleToString(inner!.value)).toContain('18446744073709551615');
});

const types: [value: unknown, words: string][] = [
  ['x', 'text'],
  [1, 'number'],
  [true, 'yes or no'],
  [null, 'nothing'],
  [[1, 2], 'list of 2'],
  [{ a: 1 }, '1 part'],
  [{ a: 1, b: 2 }, '2 parts'],
];
test.each(types)('A5: %j is called %s', (value, words) => {
  expect(shown(value).type).toBe(words);
});
