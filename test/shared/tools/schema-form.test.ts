import { describe, expect, test } from 'vitest';
import { checkArguments } from '../../../src-shared/tools/argument-check';
import { type FieldProblem, type FormDraft, initialDraft, readForm } from '../../../src-shared/tools/form-reading';
import { type FormField, planForm } from '../../../src-shared/tools/schema-form';
import type { Json, JsonObject } from '../../../src-shared/tools/tool.schema';

const planOf = (schema: JsonObject, required: boolean) =>
  planForm({ type: 'object', properties: { a: schema }, required: required ? ['a'] : [] });
const fieldOf = (schema: JsonObject): FormField | undefined => planOf(schema, false).fields[0];
const base = { name: 'a', label: 'a', help: '', required: false };

describe('planForm', () => {
  const fields: [because: string, schema: JsonObject, field: object][] = [
    ['text', { type: 'string' }, { ...base, kind: 'text', multiline: false, initial: '' }],
    [
      'text with bounds and a default',
      { type: 'string', minLength: 1, maxLength: 5, default: 'x' },
      { kind: 'text', minLength: 1, maxLength: 5, initial: 'x' },
    ],
    ['long text', { type: 'string', maxLength: 5000 }, { kind: 'text', multiline: true }],
    ['text with line breaks', { type: 'string', default: 'a\nb' }, { kind: 'text', multiline: true }],
    [
      'a number',
      { type: 'number', minimum: 0.5, maximum: 2, default: 1 },
      { kind: 'number', integer: false, minimum: 0.5, maximum: 2, initial: '1' },
    ],
    ['a whole number', { type: 'integer' }, { kind: 'number', integer: true, initial: '' }],
    ['yes or no', { type: 'boolean', default: true }, { kind: 'boolean', initial: true }],
    ['yes or no without a default', { type: 'boolean' }, { kind: 'boolean', initial: null }],
    [
      'a choice',
      { type: 'string', enum: ['x', 'y'], default: 'y' },
      {
        kind: 'choice',
        choices: [
          { shown: 'x', value: 'x' },
          { shown: 'y', value: 'y' },
        ],
        initial: '1',
      },
    ],
    [
      'a choice of mixed values',
      { enum: [1, null, true] },
      {
        kind: 'choice',
        choices: [
          { shown: '1', value: 1 },
          { shown: 'null', value: null },
          { shown: 'true', value: true },
        ],
        initial: '',
      },
    ],
    ['a constant', { const: 'only' }, { kind: 'choice', choices: [{ shown: 'only', value: 'only' }] }],
    [
      'a hidden character in a choice is not shown but sent',
      { enum: ['x\u202e'] },
      { kind: 'choice', choices: [{ shown: 'x', value: 'x\u202e' }] },
    ],
    [
      'a list of texts',
      { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3, default: ['p'] },
      { kind: 'list', item: 'text', minItems: 1, maxItems: 3, initial: ['p'] },
    ],
    [
      'a list of numbers',
      { type: 'array', items: { type: 'integer', minimum: 1 } },
      { kind: 'list', item: 'integer', minimum: 1, initial: [] },
    ],
    [
      'a group',
      { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] },
      {
        kind: 'group',
        fields: [{ name: 'b', label: 'b', help: '', required: true, kind: 'text', multiline: false, initial: '' }],
      },
    ],
    [
      'help and title, treated',
      { type: 'string', title: 'My\nfield\u200b', description: 'Line 1\nLine\u202e 2' },
      { label: 'My field', help: 'Line 1\nLine 2' },
    ],
    ['a union as JSON', { anyOf: [{ type: 'string' }], default: 'x' }, { kind: 'json', initial: '"x"' }],
    ['a reference as JSON', { $ref: '#/$defs/x' }, { kind: 'json', initial: '' }],
    ['several types as JSON', { type: ['string', 'null'] }, { kind: 'json' }],
    ['no type as JSON', {}, { kind: 'json' }],
    ['a choice of objects as JSON', { enum: [{}] }, { kind: 'json' }],
    ['an empty choice as JSON', { enum: [] }, { kind: 'json' }],
    ['a list of objects as JSON', { type: 'array', items: { type: 'object' } }, { kind: 'json' }],
    [
      'several of a list',
      { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2, default: ['c', 'a'] },
      {
        kind: 'choices',
        choices: [{ value: 'a' }, { value: 'b' }, { value: 'c' }],
        minItems: 1,
        maxItems: 2,
        initial: ['0', '2'],
      },
    ],
    [
      'several of a list with titles',
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'First' }] } },
      { kind: 'choices', choices: [{ shown: 'First', value: 'a' }], initial: [] },
    ],
    [
      'a choice with titles',
      { type: 'string', oneOf: [{ const: 'a', title: 'First\u200b' }, { const: 'b' }], default: 'b' },
      { kind: 'choice', choices: [{ shown: 'First', value: 'a' }, { shown: 'b' }], initial: '1' },
    ],
    ['a choice with names beside it', { enum: ['a'], enumNames: ['First'] }, { kind: 'choice', choices: [{ shown: 'First' }] }],
    ['a list of anything as JSON', { type: 'array' }, { kind: 'json' }],
    [
      'an open object as JSON',
      { type: 'object', properties: { b: {} }, additionalProperties: { type: 'string' } },
      { kind: 'json' },
    ],
    ['an object without members as JSON', { type: 'object' }, { kind: 'json' }],
  ];
  test.each(fields)('A1: plans %s', (_because, schema, field) => {
    expect(fieldOf(schema)).toMatchObject(field);
  });

  test('A1: a group within a group is JSON', () => {
    const field = fieldOf({ type: 'object', properties: { b: { type: 'object', properties: { c: {} } } } });
    expect(field?.kind === 'group' && field.fields[0]?.kind).toBe('json');
  });

  test('A1: a text that is named like prose gets room', () => {
    expect(planForm({ properties: { body: { type: 'string' }, path: { type: 'string' } } }).fields).toMatchObject([
      { multiline: true },
      { multiline: false },
    ]);
  });

  test.each<JsonObject>([{}, { properties: [] as Json }, { properties: null }, { type: 'object', required: 'a' as Json }])(
    'A1: %j has no fields',
    (schema) => {
      expect(planForm(schema)).toEqual({ fields: [], partial: false });
    },
  );

  test.each(['anyOf', 'oneOf', 'allOf', '$ref', 'if', 'patternProperties'])(
    'A1: a schema with %s says that the form is not all of it',
    (keyword) => {
      expect(planForm({ [keyword]: [] }).partial).toBe(true);
    },
  );

  test('A1: a member that is no schema is still a field, and required counts', () => {
    expect(planForm({ properties: { a: true }, required: ['a', 4] }).fields).toMatchObject([{ kind: 'json', required: true }]);
  });
});

describe('readForm', () => {
  type Typed = FormDraft[string];
  const read: [because: string, schema: JsonObject, typed: Typed | undefined, value: Json][] = [
    ['text', { type: 'string' }, ' x ', ' x '],
    ['a number', { type: 'number' }, ' 1.5 ', 1.5],
    ['a number with an exponent', { type: 'number' }, '-2e3', -2000],
    ['a whole number at its bounds', { type: 'integer', minimum: 1, maximum: 1 }, '1', 1],
    ['no', { type: 'boolean' }, false, false],
    ['a choice of null', { enum: ['x', null] }, '1', null],
    ['a list', { type: 'array', items: { type: 'string' } }, ['', 'b'], ['', 'b']],
    ['a list of yes and no', { type: 'array', items: { type: 'boolean' } }, ['true', 'false'], [true, false]],
    ['a list of numbers', { type: 'array', items: { type: 'number' } }, ['1', '2.5'], [1, 2.5]],
    ['JSON', {}, '{"x":[1]}', { x: [1] }],
    ['JSON null', {}, 'null', null],
    ['a group', { type: 'object', properties: { b: { type: 'string' }, c: { type: 'string' } } }, { b: 'x', c: '' }, { b: 'x' }],
  ];
  test.each(read)('A1: reads %s, required or not', (_because, schema, typed, value) => {
    for (const required of [true, false]) {
      expect(readForm(planOf(schema, required), typed === undefined ? {} : { a: typed })).toEqual({
        ok: true,
        value: { a: value },
      });
    }
  });

  const empty: [because: string, schema: JsonObject, typed: Typed | undefined, whenRequired: string][] = [
    ['text', { type: 'string' }, '', 'Enter some text.'],
    ['an untouched field', { type: 'string' }, undefined, 'Enter some text.'],
    ['a number', { type: 'number' }, ' ', 'Enter a number.'],
    ['a bounded whole number', { type: 'integer', minimum: 1, maximum: 500 }, '', 'Enter a whole number from 1 to 500.'],
    ['yes or no', { type: 'boolean' }, null, 'Choose yes or no.'],
    ['a choice', { enum: ['x'] }, '', 'Choose one of the list.'],
    ['a choice that is not there', { enum: ['x'] }, '7', 'Choose one of the list.'],
    ['JSON', {}, '', 'Enter a value as JSON.'],
    ['a list that needs an entry', { type: 'array', items: { type: 'string' }, minItems: 1 }, [], 'Add at least one entry.'],
  ];
  test.each(empty)('A1: an empty %s is left out, or asked for when required', (_because, schema, typed, sentence) => {
    const draft = typed === undefined ? {} : { a: typed };
    expect(readForm(planOf(schema, false), draft)).toEqual({ ok: true, value: {} });
    expect(readForm(planOf(schema, true), draft)).toEqual({ ok: false, problem: [{ path: ['a'], message: sentence }] });
  });

  const wrong: [schema: JsonObject, typed: Typed, sentence: string][] = [
    [{ type: 'number', minimum: 1, maximum: 500 }, '501', 'Enter a number from 1 to 500.'],
    [{ type: 'number', minimum: 1, maximum: 500 }, '0', 'Enter a number from 1 to 500.'],
    [{ type: 'number', minimum: 1 }, 'x', 'Enter a number of at least 1.'],
    [{ type: 'number', maximum: 1 }, '2', 'Enter a number of at most 1.'],
    [{ type: 'integer' }, '1.5', 'Enter a whole number.'],
    [{ type: 'number' }, '0x10', 'Enter a number.'],
    [{ type: 'number' }, '1e999', 'Enter a number.'],
    [{ type: 'number' }, 'Infinity', 'Enter a number.'],
    [{ type: 'string', minLength: 3 }, 'ab', 'Enter at least 3 characters.'],
    [{ type: 'string', maxLength: 1 }, 'ab', 'Enter at most 1 character.'],
    [{}, '{', 'Enter valid JSON, such as {"name": "value"} or [1, 2].'],
    [{ type: 'array', items: { type: 'integer' } }, ['1', 'x'], 'Entry 2: Enter a whole number.'],
    [{ type: 'array', items: { type: 'number' } }, [''], 'Entry 1: Enter a number.'],
    [{ type: 'array', items: { type: 'boolean' } }, ['yes'], 'Entry 1: Enter true or false.'],
    [{ type: 'array', items: { type: 'string' }, minItems: 2 }, ['x'], 'Add at least 2 entries.'],
    [{ type: 'array', items: { type: 'string' }, maxItems: 1 }, ['x', 'y'], 'Keep at most 1 entry.'],
  ];
  test.each(wrong)('A1: %j does not take %j', (schema, typed, message) => {
    for (const required of [true, false]) {
      expect(readForm(planOf(schema, required), { a: typed })).toEqual({
        ok: false,
        problem: [{ path: ['a'], message }] satisfies FieldProblem[],
      });
    }
  });

  test('A1: a required list may be empty where the schema takes that', () => {
    expect(readForm(planOf({ type: 'array', items: { type: 'string' } }, true), { a: [] })).toEqual({
      ok: true,
      value: { a: [] },
    });
  });

  describe('a group', () => {
    const group: JsonObject = { type: 'object', properties: { b: { type: 'string' }, c: { type: 'boolean' } }, required: ['b'] };
    test('A1: optional and untouched is left out, touched asks for what it requires', () => {
      expect(readForm(planOf(group, false), { a: { b: '', c: null } })).toEqual({ ok: true, value: {} });
      expect(readForm(planOf(group, false), {})).toEqual({ ok: true, value: {} });
      expect(readForm(planOf(group, false), { a: { c: true } })).toEqual({
        ok: false,
        problem: [{ path: ['a', 'b'], message: 'Enter some text.' }],
      });
    });
    test('A1: required is asked for, and sent empty where it requires nothing', () => {
      expect(readForm(planOf(group, true), {})).toMatchObject({ ok: false });
      expect(readForm(planOf({ type: 'object', properties: { b: { type: 'string' } } }, true), {})).toEqual({
        ok: true,
        value: { a: {} },
      });
    });
  });

  test('A1: every problem of a form is told at once', () => {
    const plan = planForm({ properties: { a: { type: 'string' }, b: { type: 'integer' } }, required: ['a', 'b'] });
    expect(readForm(plan, {})).toEqual({
      ok: false,
      problem: [
        { path: ['a'], message: 'Enter some text.' },
        { path: ['b'], message: 'Enter a whole number.' },
      ],
    });
  });

  test('A1: members with the names of every object are ordinary fields', () => {
    const plan = planForm(
      JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}') as JsonObject,
    );
    const draft = JSON.parse('{"__proto__":"x","constructor":"y"}') as FormDraft;
    const result = readForm(plan, draft);
    expect(JSON.stringify(result)).toBe('{"ok":true,"value":{"__proto__":"x","constructor":"y"}}');
    expect(readForm(plan, {})).toEqual({ ok: true, value: {} });
  });

  test('A1: what the fields show at first is what the schema presets, and a finished form passes the argument check', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: {
        path: { type: 'string', default: '/tmp' },
        limit: { type: 'integer', default: 5 },
        mode: { enum: ['fast', 'slow'], default: 'slow' },
        tags: { type: 'array', items: { type: 'string' }, default: ['t'] },
        all: { type: 'boolean' },
        dry: { type: 'boolean' },
        filter: { type: 'object', properties: { from: { type: 'string', default: 'x' } } },
        extra: { default: { k: 1 } },
      },
      required: ['path', 'all'],
    };
    const plan = planForm(schema);
    expect(initialDraft(plan)).toEqual({
      path: '/tmp',
      limit: '5',
      mode: '1',
      tags: ['t'],
      all: false,
      dry: null,
      filter: { from: 'x' },
      extra: '{\n  "k": 1\n}',
    });
    const value = { path: '/tmp', limit: 5, mode: 'slow', tags: ['t'], all: false, filter: { from: 'x' }, extra: { k: 1 } };
    expect(readForm(plan, initialDraft(plan))).toEqual({ ok: true, value });
    expect(checkArguments(schema, JSON.stringify(value)).ok).toBe(true);
  });
});
