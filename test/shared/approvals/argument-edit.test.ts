import { describe, expect, test } from 'vitest';
import { editableText, withEditedPart, type EditedPart } from '../../../src-shared/approvals/argument-edit';
import { failed, ok } from '../../../src-shared/base/result';

const FROZEN = JSON.stringify({ body: 'Steps:\n1. run', limit: 3, draft: false, tags: ['a'], none: null, name: 'safe\u202Egpj' });

describe('editableText', () => {
  const shown: [part: EditedPart, kind: string, text: string][] = [
    [0, 'text', 'Steps:\n1. run'],
    [1, 'number', '3'],
    [2, 'yes-no', 'false'],
    [3, 'json', '[\n  "a"\n]'],
    [4, 'json', 'null'],
    [5, 'json', '"safe\\u202egpj"'],
  ];
  test.each(shown)('A5: argument %i is edited as %s', (part, kind, text) => {
    expect(editableText(FROZEN, part)).toEqual(ok({ kind, text }));
  });

  test('A5: all of them are one JSON text in which nothing is unseen', () => {
    const all = editableText(FROZEN, null);
    expect(all).toMatchObject({ ok: true, value: { kind: 'json' } });
    expect(all.ok && all.value.text).not.toContain('\u202E');
    expect(all.ok && JSON.parse(all.value.text)).toEqual(JSON.parse(FROZEN));
  });

  test('O6: a long number is edited with its own digits', () => {
    expect(editableText('{"id":9007199254740993}', 0)).toEqual(ok({ kind: 'number', text: '9007199254740993' }));
  });

  test('A5: what is not there cannot be edited', () => {
    expect(editableText(FROZEN, 6).ok).toBe(false);
  });
});

describe('withEditedPart', () => {
  const taken: [because: string, part: EditedPart, typed: string, member: string, value: unknown][] = [
    ['text stays text, whatever it looks like', 0, '{"x":1}', 'body', '{"x":1}'],
    ['a number', 1, ' 0.5 ', 'limit', 0.5],
    ['yes', 2, 'true', 'draft', true],
    ['a list', 3, '["a", "b"]', 'tags', ['a', 'b']],
    ['another kind of value, where JSON is typed', 4, '{"a":1}', 'none', { a: 1 }],
  ];
  test.each(taken)('A5: takes %s, and leaves the others as they are', (_, part, typed, member, value) => {
    const edited = withEditedPart(FROZEN, part, typed);
    expect(edited.ok && JSON.parse(edited.value)).toEqual({ ...(JSON.parse(FROZEN) as object), [member]: value });
  });

  const refused: [because: string, part: EditedPart, typed: string][] = [
    ['no number', 1, 'three'],
    ['a number JSON has no word for', 1, '0x10'],
    ['neither yes nor no', 2, 'maybe'],
    ['half of a list', 3, '["a"'],
    ['one value and a further argument', 3, '["a"],"sneaked":true'],
    ['an argument that is not there', 9, 'x'],
    ['all of them, half done', null, '{"a":'],
  ];
  test.each(refused)('A5: refuses %s with a sentence', (_, part, typed) => {
    expect(withEditedPart(FROZEN, part, typed)).toMatchObject({ ok: false, problem: expect.stringMatching(/^[A-Z].*\.$/) });
  });

  test('O6: the other numbers keep their digits', () => {
    expect(withEditedPart('{"id":9007199254740993,"q":"x"}', 1, 'y')).toEqual(ok('{"id":9007199254740993,"q":"y"}'));
    expect(withEditedPart('{"id":9007199254740993}', 0, '18446744073709551615')).toEqual(ok('{"id":18446744073709551615}'));
  });

  test('A5: all of them at once are what was typed', () => {
    expect(withEditedPart(FROZEN, null, '{"other":1}')).toEqual(ok('{"other":1}'));
    expect(withEditedPart('{"__proto__":{"a":1},"q":"x"}', 1, 'y')).toEqual(ok('{"__proto__":{"a":1},"q":"y"}'));
  });

  test('A5: the sentence for what is gone sends the person back to the sheet', () => {
    expect(withEditedPart(FROZEN, 9, 'x')).toEqual(failed('That argument is not on the sheet. Look again.'));
  });
});
