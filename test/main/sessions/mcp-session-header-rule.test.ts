import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src-shared/tools/tool.schema';
import { argumentHeaders, withoutBrokenHeaders } from '../../../src-main/sessions/mcp-session-header-rule';

const keeps = (inputSchema: JsonObject): boolean =>
  withoutBrokenHeaders({ tools: [{ rawName: 'a', description: '', inputSchema, claims: {} }], skipped: [] }).tools.length === 1;
const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
const city = { type: 'string', 'x-mcp-header': 'City' };

const kept: [schema: JsonObject, because: string][] = [
  [object({ a: { type: 'string' } }), 'no annotation'],
  [object({ city }), 'a primitive property'],
  [object({ place: object({ city }) }), 'a property of a property'],
  [object({ a: { type: 'integer', 'x-mcp-header': 'N' }, b: { type: 'boolean', 'x-mcp-header': 'B' } }), 'two names'],
  [object({ a: { type: 'string', default: { 'x-mcp-header': 1 } } }), 'data, not an annotation'],
  [object({ 'x-mcp-header': { type: 'object' } }), 'a property of that name'],
];
test.each(kept)('W1: keeps %j (%s)', (schema) => {
  expect(keeps(schema)).toBe(true);
});

const left: [schema: JsonObject, because: string][] = [
  [{ type: 'object', 'x-mcp-header': 'Root' }, 'the whole call'],
  [object({ a: { type: 'number', 'x-mcp-header': 'N' } }), 'a number has no one spelling'],
  [object({ a: { type: 'object', 'x-mcp-header': 'N' } }), 'not a primitive'],
  [object({ a: { 'x-mcp-header': 'N' } }), 'no type'],
  [object({ a: { type: 'string', 'x-mcp-header': 'a b' } }), 'no token'],
  [object({ a: { type: 'string', 'x-mcp-header': 'a\r\nb' } }), 'a line break'],
  [object({ a: { type: 'string', 'x-mcp-header': '' } }), 'no name'],
  [object({ a: { type: 'string', 'x-mcp-header': 7 } }), 'not text'],
  [object({ a: city, b: { type: 'string', 'x-mcp-header': 'CITY' } }), 'one name twice'],
  [object({ list: { type: 'array', items: city } }), 'in a list'],
  [{ type: 'object', anyOf: [object({ city })] }, 'in an alternative'],
  [{ type: 'object', $defs: { city } }, 'in a definition'],
  [object({ a: { type: 'object', additionalProperties: city } }), 'under any name'],
];
test.each(left)('W1: leaves out %j (%s)', (schema) => {
  expect(keeps(schema)).toBe(false);
});

const many = object({
  city,
  place: object({ zip: { type: 'integer', 'x-mcp-header': 'Zip' } }),
  flag: { type: 'boolean', 'x-mcp-header': 'Flag' },
  plain: { type: 'string' },
});
const repeated: [given: JsonObject, headers: object, because: string][] = [
  [{ city: 'Bern' }, { 'mcp-param-city': 'Bern' }, 'as it is'],
  [{ city: 'Zürich' }, { 'mcp-param-city': '=?base64?WsO8cmljaA==?=' }, 'no header takes such a character'],
  [{ city: ' a' }, { 'mcp-param-city': '=?base64?IGE=?=' }, 'a header loses blanks at its ends'],
  [{ city: '' }, { 'mcp-param-city': '=?base64??=' }, 'a header of nothing is none'],
  [{ city: '=?base64?=' }, { 'mcp-param-city': '=?base64?PT9iYXNlNjQ/PQ==?=' }, 'it reads like an encoded one'],
  [{ city: 'a\r\nx: y' }, { 'mcp-param-city': '=?base64?YQ0KeDogeQ==?=' }, 'it would begin a header of its own'],
  [{ place: { zip: 3000 }, flag: false }, { 'mcp-param-zip': '3000', 'mcp-param-flag': 'false' }, 'deeper, and no text'],
  [{ place: { zip: 2 ** 53 } }, {}, 'a number that can have lost digits'],
  [{ city: null, place: 'x', flag: ['x'], plain: 'x' }, {}, 'nothing of the kind that was asked for'],
];
test.each(repeated)('W1: arguments %j go into headers %j (%s)', (given, headers) => {
  expect(argumentHeaders(many, given)).toEqual(headers);
});

test('W1: a schema that asks for it in a way that is not allowed puts nothing into headers', () => {
  expect(argumentHeaders(object({ city, list: { type: 'array', items: city } }), { city: 'Bern' })).toEqual({});
  const inherited = object({ constructor: object({ name: { type: 'string', 'x-mcp-header': 'Name' } }) });
  expect(argumentHeaders(inherited, {})).toEqual({});
});
