import { expect, test } from 'vitest';
import { ServerAbouts } from '../../../src-main/app/server-abouts';
import { ServerConfigSchema, type ServerId } from '../../../src-shared/servers/server.schema';
import type { ToolRow } from '../../../src-shared/tools/tool.schema';

const own = 'own' as ServerId;
const row = (state: ToolRow['state'], tokens?: number): ToolRow => ({
  serverId: own,
  rawName: `${state} tool`,
  published: null,
  title: '',
  description: '',
  claims: {},
  state,
  why: '',
  digest: null,
  ...(tokens !== undefined && { tokens }),
});

function setUp() {
  const names = ['Mail', 'Other'];
  const stored = (id: string, name: string) => ({
    kind: 'ok' as const,
    config: ServerConfigSchema.parse({ id, name, namespace: id, connection: { kind: 'stdio', command: 'x', args: [], env: [] } }),
  });
  const abouts = new ServerAbouts({
    stored: () => [
      stored('own', names[0]!),
      stored('other', names[1]!),
      { kind: 'refused', id: 'bad' as ServerId, name: 'Notes', reason: '', source: { kind: 'you' }, addedAt: 0 },
    ],
    instructionsOf: () => ({ state: 'none', digest: null, told: false }),
    claimsOf: () => ({ name: 'm', version: '1', protocol: 'p', era: 'modern', offers: [], at: 7 }),
    lastContactOf: () => null,
  });
  return { abouts, names };
}

test('R4, R7: what waits is counted by its kind, and only what is on costs anything', () => {
  const { abouts } = setUp();
  const rows = [row('on', 30), row('on', 12), row('off', 500), row('changed', 70), row('new'), row('gone')];
  expect(abouts.of(own, rows)).toMatchObject({ review: { changed: 1, added: 1, gone: 1 }, tokens: 42, lastContactAt: 7 });
  expect(abouts.of(own, [row('on', 30), row('on')])).not.toHaveProperty('tokens');
});

test('N7: a row and a sheet say whose name a name looks like, also that of a refused entry, and follow a new name', () => {
  const { abouts, names } = setUp();
  expect(abouts.of(own, []).looksLike).toEqual([]);
  expect(abouts.ofCall(own, 'rеad_file\u200b')).toEqual([
    { name: 'rеad_file\\u200b', words: 'looks like “read_file”, which is one of Portcullis’s own tools' },
  ]);
  names[0] = 'N0tes';
  expect(abouts.of(own, []).looksLike).toEqual([{ name: 'N0tes', words: 'looks like “Notes”, which is another server' }]);
  expect(abouts.ofCall(own, 'find')).toHaveLength(1);
  expect(abouts.ofTool('other' as ServerId, 'own')).toBe('looks like “own”, which is another server');
});
