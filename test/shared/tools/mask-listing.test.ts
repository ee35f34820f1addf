import { expect, test } from 'vitest';
import { maskListing } from '../../../src-shared/tools/mask-listing';
import type { ToolDefinition } from '../../../src-shared/tools/tool.schema';

const mask = (text: string): string => text.replaceAll('hunter2', '[secret]');
const define = (changes: Partial<ToolDefinition>): ToolDefinition => ({
  rawName: 'find',
  description: '',
  inputSchema: { type: 'object', properties: {} },
  claims: {},
  ...changes,
});

const hidingPlaces: [place: string, tool: ToolDefinition][] = [
  ['the description', define({ description: 'key hunter2' })],
  ['the title', define({ title: 'hunter2' })],
  ['an enum', define({ inputSchema: { properties: { q: { enum: ['a', 'hunter2'] } } } })],
  ['the name of a property', define({ inputSchema: { properties: { hunter2: {} } } })],
  ['the output schema', define({ outputSchema: { description: 'hunter2' } })],
  ['pieces held apart by invisible characters', define({ description: 'hun\u200bter2', title: 'hun\u0007ter2' })],
];
test.each(hidingPlaces)('S5, X10: a saved secret in %s is masked', (_place, tool) => {
  const { tools, skipped } = maskListing({ tools: [tool], skipped: [] }, mask);
  expect([tools.length, skipped.length]).toEqual([1, 0]);
  expect(JSON.stringify(tools)).toContain('[secret]');
  expect(JSON.stringify(tools).replaceAll(/\\u0007|\u200b/g, '')).not.toContain('hunter2');
});

test('S5: a tool with a saved secret in its name is left out, and named without it', () => {
  const listing = maskListing({ tools: [define({ rawName: 'a-hunter2' })], skipped: [{ rawName: 'hunter2', why: 'x' }] }, mask);
  expect(listing.tools).toEqual([]);
  expect(listing.skipped.map(({ rawName }) => rawName)).toEqual(['[secret]', 'a-[secret]']);
});

test('R4: a definition without a secret stays the very same', () => {
  const tool = define({ description: 'a\u200bb' });
  expect(maskListing({ tools: [tool], skipped: [] }, mask).tools[0]).toBe(tool);
});
