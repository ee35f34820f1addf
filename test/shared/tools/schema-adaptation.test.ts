import { describe, expect, test } from 'vitest';
import { adaptSchema } from '../../../src-shared/tools/schema-adaptation';
import { schemaForGemini } from '../../../src-shared/tools/schema-for-gemini';
import type { Json, JsonObject } from '../../../src-shared/tools/tool.schema';

const text: JsonObject = { type: 'string' };
const two: JsonObject[] = [
  { type: 'object', properties: { content: text, title: text }, required: ['content', 'title'] },
  { type: 'object', properties: { url: text, title: text }, required: ['url', 'title'] },
];

/** Every object in a schema, with the keyword path to it. */
function* everyObject(value: Json, path = ''): Generator<[string, JsonObject]> {
  if (Array.isArray(value)) for (const [index, each] of value.entries()) yield* everyObject(each, `${path}/${index}`);
  else if (typeof value === 'object' && value !== null) {
    yield [path, value];
    for (const [name, member] of Object.entries(value)) yield* everyObject(member, `${path}/${name}`);
  }
}

/** What providers are known to answer 400 to. */
function refusals(parameters: JsonObject): string[] {
  const problems: string[] = [];
  if (parameters['type'] !== 'object') problems.push('no object at the top');
  if (typeof parameters['properties'] !== 'object') problems.push('no properties at the top');
  for (const keyword of ['anyOf', 'oneOf', 'allOf', 'not', 'enum'])
    if (keyword in parameters) problems.push(`${keyword} at the top`);
  for (const [path, schema] of everyObject(parameters)) {
    if ('$ref' in schema || '$defs' in schema) problems.push(`a reference in ${path}`);
    if (schema['type'] === 'array' && !('items' in schema)) problems.push(`no items in ${path}`);
    if ('required' in schema && !path.endsWith('/properties') && !Array.isArray(schema['required']))
      problems.push(`required in ${path}`);
    for (const [keyword, value] of Object.entries(schema))
      if (value === null && keyword !== 'default' && keyword !== 'const') problems.push(`null in ${path}/${keyword}`);
  }
  return problems;
}

const recursive: JsonObject = {
  type: 'object',
  properties: { root: { $ref: '#/$defs/Node' } },
  $defs: { Node: { type: 'object', properties: { value: text, children: { type: 'array', items: { $ref: '#/$defs/Node' } } } } },
};

describe('what a provider is sent of a schema', () => {
  test.each<[name: string, schema: JsonObject, properties: string[], required: string[], note: string]>([
    [
      'B37: anyOf',
      { type: 'object', anyOf: two },
      ['content', 'title', 'url'],
      ['title'],
      'Give at least one of: content; or url.',
    ],
    [
      'B37: anyOf without a type',
      { anyOf: two },
      ['content', 'title', 'url'],
      ['title'],
      'Give at least one of: content; or url.',
    ],
    ['B37: allOf', { type: 'object', allOf: two }, ['content', 'title', 'url'], ['content', 'title', 'url'], ''],
    [
      'B37: oneOf of required lists',
      { type: 'object', properties: { id: text, url: text }, oneOf: [{ required: ['id'] }, { required: ['url'] }] },
      ['id', 'url'],
      [],
      'Give exactly one of: id; or url.',
    ],
    [
      'B37: a reference at the top',
      { $ref: '#/$defs/Args', $defs: { Args: { type: 'object', properties: { q: text }, required: ['q'] } } },
      ['q'],
      ['q'],
      '',
    ],
    [
      'B37: a choice inside of allOf',
      { allOf: [{ anyOf: two }, { properties: { n: { type: 'number' } }, required: ['n'] }] },
      ['content', 'title', 'url', 'n'],
      ['title', 'n'],
      'Give at least one of: content; or url.',
    ],
    ['B37: null beside an object', { anyOf: [two[0]!, { type: 'null' }] }, ['content', 'title'], ['content', 'title'], ''],
    ['B39: itself', { type: 'object', $ref: '#' }, [], [], ''],
    ['B39: recursion', recursive, ['root'], [], ''],
    ['B39: a remote reference', { properties: { x: { $ref: 'http://169.254.169.254/latest' } } }, ['x'], [], ''],
    ['B39: a dangling reference', { properties: { x: { $ref: '#/$defs/Missing' } } }, ['x'], [], ''],
    ['B36: nulls', { properties: { a: { type: 'string', minLength: null, format: null } }, required: null }, ['a'], [], ''],
    ['B36: required that is no list', { type: 'object', properties: { a: text }, required: 'a' }, ['a'], [], ''],
    ['B43: required that is not described', { properties: {}, required: ['ghost'] }, ['ghost'], ['ghost'], ''],
    ['a list without items', { properties: { a: { type: 'array' } } }, ['a'], [], ''],
    ['true in place of a schema', { properties: { a: true } }, ['a'], [], ''],
    ['conditions', { if: { required: ['a'] }, then: { properties: { b: text }, required: ['b'] } }, ['b'], [], ''],
    [
      'a name that providers refuse',
      { properties: { 'a b': text, ok: text }, required: ['a b'] },
      ['ok'],
      [],
      'The argument "a b" cannot be told here.',
    ],
    ['nothing', {}, [], [], ''],
  ])('R6, %s', (_name, schema, properties, required, note) => {
    const adapted = adaptSchema(schema);
    expect(refusals(adapted.parameters)).toEqual([]);
    expect(Object.keys(adapted.parameters['properties'] as JsonObject)).toEqual(properties);
    expect(adapted.parameters['required'] ?? []).toEqual(required);
    expect(adapted.note).toBe(note);
  });

  test('R6: one argument with two meanings keeps both', () => {
    const { parameters } = adaptSchema({ anyOf: [{ properties: { a: text } }, { properties: { a: { type: 'number' } } }] });
    expect(parameters['properties']).toEqual({ a: { anyOf: [{ type: 'string' }, { type: 'number' }] } });
  });

  test('R6: what stands beside a reference holds too', () => {
    const schema: JsonObject = {
      properties: { a: { $ref: '#/$defs/A', description: 'Mine.' } },
      $defs: { A: { ...text, minLength: 2 } },
    };
    expect(adaptSchema(schema).parameters['properties']).toEqual({ a: { type: 'string', minLength: 2, description: 'Mine.' } });
  });

  test('B39, R6: a shape that contains itself is told a few levels deep and then cut', () => {
    const told = JSON.stringify(adaptSchema(recursive).parameters);
    expect(told.match(/"value"/g)!.length).toBeGreaterThan(1);
    expect(told.length).toBeLessThan(1000);
  });

  test('R6: references that multiply stay within a bound', () => {
    const $defs: JsonObject = { d0: text };
    for (let level = 1; level <= 12; level += 1) {
      const $ref = `#/$defs/d${level - 1}`;
      $defs[`d${level}`] = { type: 'object', properties: { a: { $ref }, b: { $ref }, c: { $ref }, d: { $ref } } };
    }
    const startedAt = performance.now();
    const { parameters } = adaptSchema({ type: 'object', properties: { x: { $ref: '#/$defs/d12' } }, $defs });
    expect(JSON.stringify(parameters).length).toBeLessThan(200_000);
    expect(performance.now() - startedAt).toBeLessThan(500);
  });

  test('B41, R6: a choice of thousands is told by its first values', () => {
    const cities = Array.from({ length: 5000 }, (_, n) => `c${n}`);
    const { parameters } = adaptSchema({ properties: { a: { type: 'string', description: 'A city.', enum: cities } } });
    const { a } = parameters['properties'] as { a: JsonObject };
    expect(a['enum']).toBeUndefined();
    expect(a['description']).toMatch(/^A city\. One of 5000 values, such as "c0", "c1".*\.$/);
  });

  test('R6: null is a value where data stands', () => {
    const { parameters } = adaptSchema({ properties: { a: { default: null, const: null, enum: [null, 1] } } });
    expect(parameters['properties']).toEqual({ a: { default: null, const: null, enum: [null, 1] } });
  });

  test('X24: an argument called like a prototype stays an argument', () => {
    const schema = JSON.parse('{"anyOf":[{"properties":{"__proto__":{"type":"string"}}},{"properties":{"b":{}}}]}') as JsonObject;
    const { parameters } = adaptSchema(schema);
    expect(Object.keys(parameters['properties'] as object)).toEqual(['__proto__', 'b']);
    expect(Object.getPrototypeOf(parameters['properties'])).toBe(Object.prototype);
  });
});

describe('what Gemini is sent of a schema', () => {
  test('B43, R6: every keyword it refuses is translated, told in words or left out', () => {
    const { parameters } = adaptSchema({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: false,
      properties: {
        mode: { const: 'fast' },
        n: { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10, default: 3 },
        maybe: { type: ['string', 'null'], pattern: '^a+$' },
        when: { type: 'string', format: 'uri' },
        map: { type: 'object', patternProperties: { '^x': text }, propertyNames: { maxLength: 5 } },
        rows: { type: 'array', items: { anyOf: [{ type: 'array', items: text }, text] } },
        odd: { type: 'string', properties: { a: text }, required: ['a'] },
        num: { type: 'integer', enum: [1, 2, 3] },
        target: { anyOf: [{ $ref: '#/$defs/T' }, { type: 'null' }] },
        many: { type: ['string', 'integer'] },
        anything: true,
      },
      required: ['mode'],
      $defs: { T: { type: 'object', properties: { id: text }, required: ['id', 'absent'] } },
    });
    expect(schemaForGemini(parameters)).toEqual({
      type: 'object',
      properties: {
        mode: { type: 'string', enum: ['fast'] },
        n: { type: 'integer', minimum: 1, maximum: 9 },
        maybe: { type: 'string', nullable: true, pattern: '^a+$' },
        when: { type: 'string' },
        map: { type: 'object' },
        rows: { type: 'array', items: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] } },
        odd: { type: 'string' },
        num: { type: 'integer', description: 'One of 1, 2, 3.' },
        target: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'], nullable: true },
        many: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
        anything: { type: 'string' },
      },
      required: ['mode'],
    });
  });
});
