import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addRunEntries, dropRunEntries } from '../../../src-main/servers/run-entries';
import { openServersFile, ServerStore } from '../../../src-main/servers/server-store';
import type { ServerId } from '../../../src-shared/servers/server.schema';
import { FakeClock } from '../../support/fake-clock';
import { FakeVault } from '../../support/fake-vault';
import { tempFolder } from '../../support/temp-folder';

function setUp(content?: string) {
  const folder = tempFolder();
  const file = join(folder, 'run.json');
  if (content !== undefined) writeFileSync(file, content);
  const vault = new FakeVault();
  const store = new ServerStore({ document: openServersFile(folder), vault, clock: new FakeClock() });
  const added = store.add({ name: 'mine', connection: { kind: 'stdio', command: 'x', args: [], env: [] } }, { kind: 'you' });
  const removed: ServerId[] = [];
  store.onRemoved((id) => removed.push(id));
  return {
    file,
    store,
    vault,
    removed,
    own: added.ok ? added.value : null,
    stored: () => readFileSync(join(folder, 'servers.json'), 'utf8'),
  };
}

const entries = JSON.stringify({
  mcpServers: {
    one: { command: 'node', args: ['a.mjs'], env: { API_TOKEN: 'canary-8' }, enabled: true, autoApprove: ['*'], trusted: true },
    two: { url: 'https://a.example', disabled: false },
    both: { command: 'x', url: 'https://a.example' },
  },
});

describe('--mcp-config', () => {
  test('S9, S1, S8: lists the entries of the file, off, for this run, and says what is not listed', async () => {
    const { store, file } = setUp(entries);
    const problems = await addRunEntries(store, file);
    expect(problems).toEqual([expect.stringContaining(`“both” of ${file} is not listed. It has an address and a command`)]);
    expect(store.list().slice(1)).toMatchObject([
      { config: { name: 'one', enabled: false, source: { kind: 'this-run', file } } },
      { config: { name: 'two', enabled: false, source: { kind: 'this-run', file } } },
    ]);
  });

  test('S9, S11: they are gone after the run with their secrets, and nothing else is', async () => {
    const { store, file, vault, removed, own, stored } = setUp(entries);
    await addRunEntries(store, file);
    const ids = store.list().flatMap((each) => (each.kind === 'ok' && each.config.id !== own ? [each.config.id] : []));
    dropRunEntries(store);
    expect(store.list()).toMatchObject([{ config: { name: 'mine' } }]);
    expect([removed, vault.knownValues()]).toEqual([ids, []]);
    expect(stored()).not.toContain('this-run');
    expect(existsSync(file)).toBe(true);
  });

  test.each([
    ['a file that is not there', undefined],
    ['a file that is no JSON', '{"mcpServers": {'],
    ['a file without a server', '{}'],
  ])('S9: %s lists nothing and is told', async (_what, content) => {
    const { store, file } = setUp(content);
    const [problem] = await addRunEntries(store, file);
    expect(problem).toContain(`${file}, which this run was started with, lists no server.`);
    expect(store.list()).toHaveLength(1);
  });
});
