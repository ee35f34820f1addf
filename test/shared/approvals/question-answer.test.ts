import { describe, expect, test } from 'vitest';
import { checkAnswer } from '../../../src-shared/approvals/question-answer';
import type { JsonObject } from '../../../src-shared/tools/tool.schema';

const schema: JsonObject = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 4 },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    share: { type: 'number' },
    sure: { type: 'boolean' },
    mail: { type: 'string', format: 'email' },
    site: { type: 'string', format: 'uri' },
    day: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    one: { type: 'string', oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] },
    some: { type: 'array', items: { type: 'string', enum: ['x', 'y', 'z'] }, minItems: 1, maxItems: 2 },
  },
};

describe('checkAnswer', () => {
  const fits: JsonObject[] = [
    { name: 'Ada' },
    { name: '😀😀' },
    { name: 'Ada', count: 9, share: 0.5, sure: false, one: 'b', some: ['x', 'z'] },
    { name: 'Ada', mail: 'a@b.example', site: 'https://b.example', day: '2028-02-29', at: '2027-01-31T23:59:60+01:00' },
  ];
  test.each(fits)('W8: %j fits', (answer) => {
    expect(checkAnswer(schema, answer)).toEqual({ ok: true, value: answer });
  });

  const wrong: [answer: object, field: string][] = [
    [{}, 'name'],
    [{ name: 'A' }, 'name'],
    [{ name: 'Adele' }, 'name'],
    [{ name: 1 }, 'name'],
    [{ name: 'Ada', count: 1.5 }, 'count'],
    [{ name: 'Ada', count: 0 }, 'count'],
    [{ name: 'Ada', count: 10 }, 'count'],
    [{ name: 'Ada', count: '3' }, 'count'],
    [{ name: 'Ada', sure: 'yes' }, 'sure'],
    [{ name: 'Ada', mail: 'ada' }, 'mail'],
    [{ name: 'Ada', site: 'b.example' }, 'site'],
    [{ name: 'Ada', day: '2027-02-29' }, 'day'],
    [{ name: 'Ada', day: '1900-02-29' }, 'day'],
    [{ name: 'Ada', day: '2027-13-01' }, 'day'],
    [{ name: 'Ada', at: '2027-01-31' }, 'at'],
    [{ name: 'Ada', at: '2027-01-31T24:00:00Z' }, 'at'],
    [{ name: 'Ada', one: 'A' }, 'one'],
    [{ name: 'Ada', some: [] }, 'some'],
    [{ name: 'Ada', some: ['x', 'y', 'z'] }, 'some'],
    [{ name: 'Ada', some: ['x', 'x'] }, 'some'],
    [{ name: 'Ada', some: ['q'] }, 'some'],
    [{ name: 'Ada', extra: 'x' }, 'extra'],
    [JSON.parse('{"name":"Ada","__proto__":"x"}') as object, '__proto__'],
  ];
  test.each(wrong)('W8: %j is told at its field', (answer, field) => {
    const checked = checkAnswer(schema, answer);
    expect(checked).toMatchObject({ ok: false, problem: [{ path: [field], message: expect.stringMatching(/\.$/) }] });
  });

  test('O6: a number that would lose digits on its way is refused', () => {
    const fields: JsonObject = { type: 'object', properties: { id: { type: 'integer' }, share: { type: 'number' } } };
    for (const answer of [{ id: Number('9007199254740993') }, { share: 1e300 }])
      expect(checkAnswer(fields, answer).ok).toBe(false);
    expect(checkAnswer(fields, { id: Number.MAX_SAFE_INTEGER, share: 0.1 }).ok).toBe(true);
  });

  test.each([null, [], 'text', 3])('W8: %j is no answer', (answer) => {
    expect(checkAnswer(schema, answer).ok).toBe(false);
  });

  test('W8: an answer of more than 64,000 characters is refused', () => {
    expect(checkAnswer({ type: 'object', properties: { a: { type: 'string' } } }, { a: 'x'.repeat(64_001) }).ok).toBe(false);
  });
});
