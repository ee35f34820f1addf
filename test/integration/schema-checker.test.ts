import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ThreadSchemaChecker } from '../../src-main/processes/schema-checker';
import { argumentsProblem, resultNotes } from '../../src-main/tools/schema-verdicts';
import { systemClock } from '../../src-main/app/system-clock';
import { bundleForNode } from '../support/bundle-for-node';

const folder = mkdtempSync(join(tmpdir(), 'portcullis-schema-'));
let script: string;
beforeAll(async () => {
  script = await bundleForNode('src-main/processes/schema-worker.ts', folder);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

function setUp(): ThreadSchemaChecker {
  const checker = new ThreadSchemaChecker(script, systemClock);
  onTestFinished(() => checker.end());
  return checker;
}

const definition = (inputSchema: object, outputSchema?: object) =>
  ({ rawName: 'find', description: '', inputSchema, claims: {}, ...(outputSchema ? { outputSchema } : {}) }) as never;

describe('checking against a schema', () => {
  test('R6: what fits passes and what differs is told, also deep down', async () => {
    const checker = setUp();
    const schema = { type: 'object', properties: { a: { type: 'object', properties: { b: { items: { type: 'integer' } } } } } };
    expect(await checker.check(schema, { a: { b: [1, 2] } })).toBe('fits');
    expect(await checker.check(schema, { a: { b: [1, 'x'] } })).toBe('differs');
  });

  test('R6: a pattern that runs for ever is ended in time, blocks nobody, and the next check runs', async () => {
    const checker = setUp();
    await checker.check({}, 1);
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 10);
    const startedAt = performance.now();
    expect(await checker.check({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`)).toBe('too-slow');
    clearInterval(ticking);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(ticks).toBeGreaterThan(3);
    expect(await checker.check({ type: 'string' }, 'x')).toBe('fits');
  });

  test('R6: a schema 3,000 levels deep and one that points elsewhere are not validated, and nothing is fetched', async () => {
    const checker = setUp();
    let deep: object = { type: 'string' };
    for (let level = 0; level < 3_000; level += 1) deep = { properties: { a: deep } };
    expect(await checker.check(deep, { a: {} })).not.toBe('differs');
    expect(await checker.check({ $ref: 'http://127.0.0.1:9/schema' }, {})).toBe('unreadable');
    expect(await checker.check({ type: 'string' }, 'x')).toBe('fits');
  });

  test('R6: arguments that break the schema are not sent; what cannot be checked is left to the server', async () => {
    const checker = setUp();
    expect(await argumentsProblem(checker, definition({ minProperties: 1 }), {})).toContain('not run');
    expect(await argumentsProblem(checker, definition({ $ref: '#/$defs/gone' }), {})).toBeNull();
    expect(await argumentsProblem(undefined, definition({ minProperties: 1 }), {})).toBeNull();
  });

  test('R6: a result of another shape is kept, with a note', async () => {
    const checker = setUp();
    const tool = definition({}, { type: 'object', required: ['x'] });
    expect(await resultNotes(checker, tool, { structuredContent: { x: 1 } })).toEqual([]);
    expect(await resultNotes(checker, tool, { structuredContent: {} })).toEqual([
      'The result does not have the shape that the tool promises.',
    ]);
    expect(await resultNotes(checker, tool, { content: [] })).toEqual([]);
    expect(await resultNotes(checker, definition({}, { $ref: '#/$defs/gone' }), { structuredContent: 1 })).toHaveLength(1);
  });
});
