import { describe, expect, test } from 'vitest';
import { argumentsAsTyped, draftOfArguments, readArguments, writeArguments } from '../../../src-renderer/tools/argument-editing';
import { initialDraft, readForm } from '../../../src-shared/tools/form-reading';
import { planForm } from '../../../src-shared/tools/schema-form';
import type { Json, JsonObject } from '../../../src-shared/tools/tool.schema';

const plan = planForm({
  type: 'object',
  required: ['query'],
  properties: {
    query: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: 500 },
    exact: { type: 'boolean' },
    order: { enum: ['newest', 'oldest', 3, null] },
    include: { type: 'array', items: { type: 'string' } },
    lines: { type: 'array', items: { type: 'integer' } },
    context: { type: 'object', properties: { before: { type: 'number' }, after: { type: 'number' } } },
    filter: { type: 'object' },
  },
});

const whole: [args: JsonObject, because: string][] = [
  [{}, 'nothing'],
  [{ query: 'dropRow(' }, 'text'],
  [{ query: 'a', limit: 12, exact: false }, 'a number, and no as an answer'],
  [{ query: 'a', order: 'oldest' }, 'a choice'],
  [{ query: 'a', order: 3 }, 'a choice that is a number'],
  [{ query: 'a', include: ['x', ''], lines: [1, 2] }, 'lists, also with an empty entry'],
  [{ query: 'a', context: { before: 2 } }, 'one part of a group'],
  [{ query: 'a', filter: { tag: ['b'], deep: { er: null } } }, 'what has a JSON field'],
  [{ query: 'a', limit: 5000 }, 'a number out of range stays until it is mended'],
  [{ query: 'a', limit: 'many' }, 'words in a number field stay until they are mended'],
];
test.each(whole)('%j survives the form and comes back unchanged (%s)', (args) => {
  const draft = draftOfArguments(plan, JSON.stringify(args));
  expect(draft.ok && argumentsAsTyped(plan, draft.value)).toEqual(args);
});

const stays: [text: string, name: string, because: string][] = [
  ['{"query":"a","extra":1}', 'extra', 'no field has that name'],
  ['{"query":""}', 'query', 'an empty field says nothing, an empty text says something'],
  ['{"query":"a","exact":null}', 'exact', 'null is not yes or no'],
  ['{"query":"a","order":"sideways"}', 'order', 'not one of the choices'],
  ['{"query":"a","lines":[1,{"b":2}]}', 'lines', 'an entry that is no number'],
  ['{"query":"a","context":{"before":1,"more":2}}', 'context', 'a part the group does not have'],
  ['{"query":"a","context":{}}', 'context', 'an empty group'],
];
test.each(stays)('%s stays JSON and names %s (%s)', (text, name) => {
  const draft = draftOfArguments(plan, text);
  expect(draft.ok ? 'moved' : draft.problem).toContain(`“${name}”`);
});

test('a number with more digits than a field keeps stays JSON, and its digits in a text do not matter', () => {
  expect(draftOfArguments(plan, '{"query":"a","limit":12345678901234567890}').ok).toBe(false);
  expect(draftOfArguments(plan, '{"query":"12345678901234567890"}').ok).toBe(true);
});

describe('what is typed', () => {
  test('is kept as text where it cannot be read yet', () => {
    const draft = { ...initialDraft(plan), query: '', limit: 'ten', lines: ['1', 'two'], filter: '{"open' };
    expect(argumentsAsTyped(plan, draft)).toEqual({ limit: 'ten', lines: ['1', 'two'], filter: '{"open' });
  });

  test('is otherwise the same as what the form sends', () => {
    const draft = { ...initialDraft(plan), query: 'a', limit: '3', order: '1', context: { before: '2', after: '' } };
    const sent = readForm(plan, draft);
    expect(sent.ok && sent.value).toEqual(argumentsAsTyped(plan, draft));
  });
});

const readable: [text: string, value: JsonObject][] = [
  ['', {}],
  [' \n', {}],
  ['{"a":[1]}', { a: [1] }],
];
test.each(readable)('%j is read as arguments', (text, value) => {
  expect(readArguments(text)).toEqual({ ok: true, value });
});

const unreadable: Json[] = ['{', '[1]', '"a"', 'null', '{"a":1,}'];
test.each(unreadable)('%j is answered with a sentence', (text) => {
  const read = readArguments(String(text));
  expect(read.ok ? '' : read.problem).toMatch(/^[A-Z].*\.$/);
});

test.each(['a\u202eb', 'zero\u200bwidth', 'tag\u{e0041}', 'line\u2028end'])(
  '%j is written with its unseen part in sight, and means the same',
  (query) => {
    const text = writeArguments({ query });
    expect(text).toMatch(/\\u[0-9a-f]{4}/);
    expect(text).not.toMatch(/[\p{Cf}\u2028]/u);
    expect(readArguments(text)).toEqual({ ok: true, value: { query } });
  },
);
