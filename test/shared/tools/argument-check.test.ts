import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkArguments } from '../../../src-shared/tools/argument-check';
import type { Json, JsonObject } from '../../../src-shared/tools/tool.schema';

const anything: JsonObject = {};
const deep = '['.repeat(5000) + ']'.repeat(5000);

describe('checkArguments reads', () => {
  const read: [because: string, given: unknown, frozenText: string][] = [
    ['empty text', '', '{}'],
    ['blanks', ' \n\t', '{}'],
    ['absent', undefined, '{}'],
    ['null', null, '{}'],
    ['an empty object', '{}', '{}'],
    ['an object that is not text', { a: 1 }, '{"a":1}'],
    ['blanks around and within', ' { "b" : 1,\n "a": [ 2 ] } ', '{"b":1,"a":[2]}'],
    ['a doubled key: the last one counts, and is the one shown', '{"a":1,"a":2}', '{"a":2}'],
    ['escapes', '{"a":"\\u0041\\u202e"}', '{"a":"A\u202e"}'],
    ['__proto__ as a plain name', '{"__proto__":{"x":1}}', '{"__proto__":{"x":1}}'],
  ];
  test.each(read)('G2 (B79): %s', (_because, given, frozenText) => {
    const checked = checkArguments(anything, given);
    expect(checked).toEqual({ ok: true, value: { frozenText, value: JSON.parse(frozenText) as unknown } });
  });

  const broken: [because: string, given: unknown, problem: string][] = [
    [
      'broken',
      '{"q":',
      'The arguments are not one JSON object. They begin with {"q": and end there. Send one whole JSON object.',
    ],
    ['doubled', '{}{}', 'The arguments are not one JSON object. They begin with {}{} and end there. Send one whole JSON object.'],
    ['a list', '[1]', 'The arguments must be a JSON object, not a list.'],
    ['the text null', 'null', 'The arguments must be a JSON object, not null.'],
    ['a text', '"x"', 'The arguments must be a JSON object, not text.'],
    ['a number', '5', 'The arguments must be a JSON object, not a number.'],
    ['true', 'true', 'The arguments must be a JSON object, not true or false.'],
    ['a list that is not text', [1], 'The arguments must be a JSON object, not a list.'],
    ['a number beyond JSON', '{"a":1e999}', 'The arguments hold a number that is too large for JSON.'],
    ['an object with no JSON in it', { a: undefined }, 'The arguments hold a number that is too large for JSON.'],
    ['endless nesting', `{"a":${deep}}`, 'The arguments are nested more than 256 levels deep.'],
    ['over 4 MB', `{"a":"${'x'.repeat(4_000_001)}"}`, 'The arguments are larger than 4 MB.'],
    [
      'a hidden character where it breaks',
      '{\u202e',
      'The arguments are not one JSON object. They begin with {\\u202e and end there. Send one whole JSON object.',
    ],
  ];
  test.each(broken)('G2 (B79): %s is a sentence and never {}', (_because, given, problem) => {
    expect(checkArguments(anything, given)).toEqual({ ok: false, problem });
  });

  test('G2: only the start of a long broken text is quoted', () => {
    const checked = checkArguments(anything, `{${'x'.repeat(1000)}`);
    expect(checked.ok ? '' : checked.problem).toHaveLength(
      'The arguments are not one JSON object. They begin with '.length + 60 + ' … Send one whole JSON object.'.length,
    );
  });

  test('O6: a long number is frozen with the digits it was written with', () => {
    const checked = checkArguments(
      { properties: { id: { type: 'integer' } } },
      '{"id": 9007199254740993, "b":[-12345678901234567890]}',
    );
    expect(checked.ok && checked.value.frozenText).toBe('{"id":9007199254740993,"b":[-12345678901234567890]}');
  });

  test('A5: the value is exactly what the frozen bytes say', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
        const checked = checkArguments(anything, JSON.stringify(given));
        if (!checked.ok) throw new Error(checked.problem);
        expect(JSON.stringify(checked.value.value)).toBe(checked.value.frozenText);
        expect(checked.value.frozenText).toBe(JSON.stringify(JSON.parse(JSON.stringify(given))));
      }),
    );
  });
});

describe('checkArguments checks', () => {
  const member = (schema: Json): JsonObject => ({ type: 'object', properties: { a: schema } });
  const refused: [schema: JsonObject, given: Json, problem: string][] = [
    [{ required: ['path'] }, {}, '"path" is missing.'],
    [{ required: ['toString'] }, {}, '"toString" is missing.'],
    [member({ type: 'string' }), { a: 1 }, '"a" must be text, not a number.'],
    [member({ type: 'number' }), { a: '1' }, '"a" must be a number, not text.'],
    [member({ type: 'integer' }), { a: 1.5 }, '"a" must be a whole number, not a number.'],
    [member({ type: 'boolean' }), { a: null }, '"a" must be true or false, not null.'],
    [member({ type: 'array' }), { a: {} }, '"a" must be a list, not an object.'],
    [member({ type: 'object' }), { a: [] }, '"a" must be an object, not a list.'],
    [member({ type: 'null' }), { a: false }, '"a" must be null, not true or false.'],
    [member({ type: ['string', 'null'] }), { a: 3 }, '"a" must be text or null, not a number.'],
    [member({ enum: ['x', 'y', 3] }), { a: 'z' }, '"a" must be one of "x", "y", 3.'],
    [member({ const: { k: 1 } }), { a: {} }, '"a" must be one of {"k":1}.'],
    [
      member({ enum: Array.from({ length: 12 }, (_, index) => index) }),
      { a: 99 },
      '"a" must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 or 2 more.',
    ],
    [member({ minimum: 1 }), { a: 0 }, '"a" must be at least 1.'],
    [member({ maximum: 5 }), { a: 6 }, '"a" must be at most 5.'],
    [member({ exclusiveMinimum: 1 }), { a: 1 }, '"a" must be more than 1.'],
    [member({ exclusiveMaximum: 5 }), { a: 5 }, '"a" must be less than 5.'],
    [member({ minLength: 2 }), { a: '😀' }, '"a" must have at least 2 characters.'],
    [member({ maxLength: 1 }), { a: 'xy' }, '"a" must have at most 1 character.'],
    [member(member({ type: 'string' })), { a: { a: 1 } }, '"a.a" must be text, not a number.'],
    [member({ required: ['b'] }), { a: {} }, '"a.b" is missing.'],
    [{ properties: { 'n\u202e': { type: 'string' } } }, { 'n\u202e': 1 }, '"n\\u202e" must be text, not a number.'],
  ];
  test.each(refused)('G2: %j refuses %j', (schema, given, problem) => {
    expect(checkArguments(schema, JSON.stringify(given))).toEqual({ ok: false, problem });
  });

  const allowed: [because: string, schema: JsonObject, given: Json][] = [
    ['a member the schema does not name', member({ type: 'string' }), { b: 1 }],
    ['additionalProperties, left to the full validator', { additionalProperties: false }, { b: 1 }],
    ['1.0 is a whole number', member({ type: 'integer' }), { a: 1.0 }],
    ['bounds reached', member({ minimum: 1, maximum: 1 }), { a: 1 }],
    ['bounds on another type', member({ minimum: 1, minLength: 9 }), { a: null }],
    ['draft 4 exclusiveMinimum', member({ minimum: 1, exclusiveMinimum: true }), { a: 1 }],
    ['one emoji is one character', member({ maxLength: 1 }), { a: '😀' }],
    ['nullable', member({ type: 'string', nullable: true }), { a: null }],
    ['one of several types', member({ type: ['string', 'null'] }), { a: null }],
    ['an unknown type', member({ type: 'date' }), { a: 1 }],
    ['an unknown type beside a known one', member({ type: ['string', 'date'] }), { a: 1 }],
    ['types that are no list of texts', member({ type: [1] }), { a: 1 }],
    ['a type named like a member of every object', member({ type: 'toString' }), { a: 1 }],
    ['keywords beside a $ref', member({ $ref: '#/x', type: 'string' }), { a: 1 }],
    ['unions', member({ anyOf: [{ type: 'string' }] }), { a: 1 }],
    ['enum in another key order', member({ enum: [{ x: 1, y: 2 }] }), { a: { y: 2, x: 1 } }],
    ['a boolean schema', member(true), { a: 1 }],
    ['the third level', member(member(member({ type: 'string' }))), { a: { a: { a: 1 } } }],
    ['a draft 3 required', member({ required: true, type: 'string' }), { a: 'x' }],
    ['a member that is a name of every object', { properties: {} }, { toString: 1, constructor: 2 }],
    ['a pattern', member({ pattern: '^(a+)+$' }), { a: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' }],
    ['a format', member({ type: 'string', format: 'email' }), { a: 'x' }],
  ];
  test.each(allowed)('G2: %s passes', (_because, schema, given) => {
    expect(checkArguments(schema, JSON.stringify(given)).ok).toBe(true);
  });
});
