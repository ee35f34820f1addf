import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src-shared/tools/tool.schema';
import { withoutBrokenHeaders } from '../../../src-main/sessions/mcp-session-header-rule';

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
