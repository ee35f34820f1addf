import { expect } from 'vitest';
import { fitProviderLimit } from '../../src-shared/tools/registry-plan';
import { toolForModel } from '../../src-shared/tools/description-rule';
import { schemaForGemini } from '../../src-shared/tools/schema-for-gemini';
import { hostile } from '../support/hostile-host';
import { eachMode, oneCase, type HostileCase } from './hostile-case';

const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/;
const NAMES = [
  'calendar.respondToEvent',
  'user-profile/update',
  'GET:/patterns/names',
  'New Tool',
  'suche_größe',
  '天気',
  'run🚀',
  '9lives',
  '__proto__',
  'constructor',
  'a__b',
  'tool\u200bname',
  'x'.repeat(200),
  'Echo',
  'echo',
];

/** Kind c: lists of tools. */
export const listCases: HostileCase[] = [
  oneCase('B32', 'N2', 'every name is offered under a legal one of its own, and called by its exact own', async () => {
    const server = await hostile('B32');
    const { offered, skipped } = await server.tools();
    expect(offered.map(({ rawName }) => rawName).sort()).toEqual([...NAMES].sort());
    expect(offered.every(({ published }) => LEGAL.test(published) && published.startsWith('notes__'))).toBe(true);
    expect(new Set(offered.map(({ published }) => published)).size).toBe(NAMES.length);
    expect(skipped).toEqual([{ rawName: 'entry 8', why: 'This tool has no name.' }]);
    for (const rawName of NAMES) expect(await server.callText(rawName)).toBe(`called:${JSON.stringify(rawName)}`);
    const again = await hostile('B32');
    const published = (tools: typeof offered): string[] => tools.map((tool) => tool.published);
    expect(published((await again.tools()).offered)).toEqual(published(offered));
  }),

  oneCase('B33', 'N2', 'names that differ where they are cut or rewritten stay different', async () => {
    const server = await hostile('B33');
    const { offered } = await server.tools();
    expect(new Set(offered.map(({ published }) => published)).size).toBe(5);
    expect(offered.every(({ published }) => LEGAL.test(published))).toBe(true);
    expect(new Set(offered.map(({ digest }) => digest)).size).toBe(5);
    for (const { rawName } of offered) expect(await server.callText(rawName)).toBe(`called:${rawName}`);
  }),

  ...eachMode(
    'B34',
    ['same', 'empty', 'rotate'],
    'R3',
    'a cursor that comes again ends the list, and the doubles are named',
    async (mode) => {
      const server = await hostile('B34', { mode });
      const { offered, skipped } = await server.tools();
      expect(offered).toHaveLength(8);
      expect(server.log().filter((line) => line.startsWith('tools/list')).length).toBeLessThanOrEqual(3);
      expect(skipped.length).toBeGreaterThan(0);
      expect(skipped.every(({ why }) => /^The server lists this name twice/.test(why))).toBe(true);
      expect(await server.callText('tool_1', { a: 1 })).toBe('{"a":1}');
    },
  ),

  ...eachMode('B34', ['fresh'], 'R3', 'a list without an end is read for so many pages and no further', async (mode) => {
    const server = await hostile('B34', { mode });
    const { offered, skipped } = await server.tools();
    expect(offered).toHaveLength(64);
    expect(skipped.map(({ why }) => why)).toEqual(['The server goes on after 64 pages of tools; what follows was not read.']);
    expect(server.log().filter((line) => line.startsWith('tools/list'))).toHaveLength(64);
    expect(await server.callText('t1', { a: 1 })).toBe('{"a":1}');
  }),

  oneCase('B36', 'R3', 'a broken tool costs that tool and is named with its reason', async () => {
    const server = await hostile('B36');
    const { offered, skipped } = await server.tools();
    const odd = ['schema_no_type', 'schema_zod_internals'];
    expect(offered.map(({ rawName }) => rawName)).toEqual(['good_first', ...odd, 'good_last']);
    const broken = [
      'schema_null',
      'schema_absent',
      'schema_true',
      'schema_string',
      'schema_array_type',
      'required_not_array',
      'annotations_wrong',
    ];
    const nameless = ['entry 11', 'entry 12', 'entry 13', 'entry 14', 'entry 15'];
    expect(skipped.map(({ rawName }) => rawName)).toEqual([...broken, ...nameless]);
    expect(skipped.every(({ why }) => /^[A-Z].+\.$/.test(why))).toBe(true);
    expect(await server.callText('good_last', { a: 1 })).toBe('{"a":1}');
    expect(server.hosts()).toEqual([]);
  }),

  oneCase('B37', 'R6', 'alternatives at the top of a schema keep their tool', async () => {
    const server = await hostile('B37');
    const { offered, skipped } = await server.tools();
    expect(offered.map(({ rawName }) => rawName)).toEqual([
      'top_any_of',
      'top_one_of_required',
      'top_all_of',
      'top_any_of_no_type',
      'top_ref',
    ]);
    expect(skipped).toEqual([]);
    for (const { parameters, description } of offered.map(toolForModel)) {
      expect(parameters['type']).toBe('object');
      for (const keyword of ['anyOf', 'oneOf', 'allOf', '$ref']) expect(parameters).not.toHaveProperty(keyword);
      expect(description).toMatch(/^\[from the "Notes" MCP server\] does top_/);
    }
    const membersOf = (rawName: string): [string[], unknown] => {
      const { parameters } = toolForModel(offered.find((tool) => tool.rawName === rawName)!);
      return [Object.keys(parameters['properties'] as object).sort(), parameters['required'] ?? []];
    };
    expect(membersOf('top_any_of')).toEqual([['content', 'source_url'], []]);
    expect(membersOf('top_any_of_no_type')).toEqual([['content', 'source_url'], []]);
    expect(membersOf('top_one_of_required')).toEqual([['url', 'video_id'], []]);
    expect(membersOf('top_all_of')).toEqual([
      ['content', 'source_url'],
      ['content', 'source_url'],
    ]);
    expect(membersOf('top_ref')).toEqual([['q'], ['q']]);
    expect(await server.callText('top_any_of_no_type', { content: 'x' })).toBe('{"content":"x"}');
  }),

  oneCase(
    'B39',
    'R6',
    'schemas that point in circles, at nothing or elsewhere keep their tools, and nothing is fetched',
    async () => {
      const server = await hostile('B39');
      const { offered } = await server.tools();
      expect(offered.map(({ rawName }) => rawName)).toEqual([
        'in_recursive',
        'out_recursive',
        'pointer_recursive',
        'dangling',
        'self',
        'remote',
        'good',
      ]);
      const told = JSON.stringify(offered.map(toolForModel));
      expect(told.length).toBeLessThan(200_000);
      expect(told).not.toMatch(/\$ref|169\.254/);
      for (const { rawName } of offered) expect((await server.call(rawName)).problem).toBeNull();
      expect(server.hosts()).toEqual([]);
    },
  ),

  oneCase('B41', 'R3', 'a flood of tools is bounded, quick and never cut in silence', async () => {
    const server = await hostile('B41', { limits: { maxTools: 500 } });
    await server.session();
    const startedAt = performance.now();
    const { offered } = await server.tools();
    expect(performance.now() - startedAt).toBeLessThan(3000);
    const { kept, leftOut } = fitProviderLimit(offered);
    expect([offered.length, kept.length, leftOut.length]).toEqual([325, 128, 197]);
    const huge = offered.find(({ rawName }) => rawName === 'tool_7')!;
    expect(huge.definition.description).toHaveLength(1_000_000);
    expect(toolForModel(huge).description.length).toBeLessThanOrEqual(1024);
    expect(toolForModel(huge).description).toContain('[cut]');
    const usual = await hostile('B41');
    const list = await usual.tools();
    expect([list.offered.length, list.skipped.length]).toEqual([100, 225]);
    expect(list.skipped.every(({ why }) => why.includes('more than 100 tools'))).toBe(true);
  }),

  oneCase('B43', 'R6', 'a schema of unusual words keeps its tool', async () => {
    const server = await hostile('B43');
    const { offered, skipped } = await server.tools();
    expect([offered.map(({ rawName }) => rawName), skipped]).toEqual([['everything'], []]);
    const { parameters } = toolForModel(offered[0]!);
    expect(parameters['properties']).toMatchObject(
      Object.fromEntries((parameters['required'] as string[]).map((name) => [name, expect.anything()])),
    );
    expect(JSON.stringify(parameters)).not.toMatch(/"\$(?:ref|defs|schema|id)"/);
    const refused = /"(?:const|additionalProperties|exclusiveM\w+|patternProperties|propertyNames|\$\w+)":/;
    expect(JSON.stringify(schemaForGemini(parameters))).not.toMatch(refused);
    expect((await server.call('everything', { mode: 'fast', not_a_property: 1 })).problem).toBeNull();
  }),
];
