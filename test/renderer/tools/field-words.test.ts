import { expect, test } from 'vitest';
import { fieldLines, fieldWords } from '../../../src-renderer/tools/field-words';
import { planForm } from '../../../src-shared/tools/schema-form';
import type { JsonObject } from '../../../src-shared/tools/tool.schema';

const fieldsOf = (properties: JsonObject, required: string[] = []) => planForm({ type: 'object', properties, required }).fields;

const words: [schema: JsonObject, required: boolean, words: string][] = [
  [{ type: 'string' }, true, 'text, needed'],
  [{ type: 'string' }, false, 'text'],
  [{ type: 'integer', minimum: 1, maximum: 500 }, false, 'whole number, 1 to 500'],
  [{ type: 'number', minimum: 0 }, true, 'number, from 0, needed'],
  [{ type: 'number', maximum: 9 }, false, 'number, up to 9'],
  [{ enum: ['a', 'b', 'c'] }, false, 'one of 3'],
  [{ type: 'boolean' }, false, 'yes or no'],
  [{ type: 'array', items: { type: 'string' } }, false, 'list of text'],
  [{ type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } }, false, '2 parts'],
  [{ type: 'object' }, false, 'any value, as JSON'],
];
test.each(words)('%j, needed %s, is said as “%s”', (schema, required, said) => {
  expect(fieldsOf({ one: schema }, required ? ['one'] : []).map(fieldWords)).toEqual([said]);
});

test('two short fields share a line, and long ones never do', () => {
  const fields = fieldsOf({
    query: { type: 'string' },
    limit: { type: 'integer' },
    order: { enum: ['a', 'b'] },
    page: { type: 'integer' },
    include: { type: 'array', items: { type: 'string' } },
    last: { type: 'number' },
  });
  expect(fieldLines(fields).map((line) => line.map((field) => field.name))).toEqual([
    ['query'],
    ['limit', 'order'],
    ['page'],
    ['include'],
    ['last'],
  ]);
});
