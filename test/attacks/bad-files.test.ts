import { lstatSync, readFileSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { openServersFile, ServerStore } from '../../src-main/servers/server-store';
import { readChosenFile } from '../../src-main/storage/chosen-file';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { FakeClock } from '../support/fake-clock';
import { FakeVault } from '../support/fake-vault';
import { tempFolder } from '../support/temp-folder';

const data = resolve(import.meta.dirname, '../fixtures/hostile/data');
const FIXTURES = readdirSync(data);
const SLOW_MACHINE_MS = 60_000;
const BIG = 50 * 1024 * 1024;
const until = (check: () => void) => vi.waitFor(check, { timeout: 8_000, interval: 50 });
const draft = (name: string) => ({ name, connection: { kind: 'stdio' as const, command: 'node', args: [], env: [] } });
const entry = (id: string) => ({
  id,
  name: id,
  namespace: id,
  connection: { kind: 'stdio', command: 'node', args: [], env: [] },
  enabled: true,
});
const fileOf = (...entries: unknown[]) => JSON.stringify({ version: 1, servers: entries });

function setUp(bytes: string | Buffer) {
  const folder = tempFolder();
  const file = join(folder, 'servers.json');
  writeFileSync(file, bytes);
  const open = () => new ServerStore({ document: openServersFile(folder), vault: new FakeVault(), clock: new FakeClock(1000) });
  return { folder, file, open, bytes: () => readFileSync(file) };
}

describe('S4: servers.json is not what the app wrote', () => {
  test.each(FIXTURES)('S4, S2: %s in its place runs nothing, and no byte that was in it is lost', (name) => {
    const before = readFileSync(join(data, name));
    const { folder, open, bytes } = setUp(before);
    const store = open();
    expect(store.list().filter((stored) => stored.kind === 'ok')).toEqual([]);
    const added = store.add(draft('new'), { kind: 'you' });
    if (added.ok) {
      // What the app did not understand stays beside what it adds.
      const kept = JSON.parse(bytes().toString('utf8')) as Record<string, unknown>;
      expect(kept).toMatchObject(JSON.parse(before.toString('utf8').replace(/^\uFEFF/, '')) as object);
    } else {
      expect(bytes().equals(before)).toBe(true);
      expect(store.problem()).toContain('servers.json could not be read, so it is left as it is');
      expect(readdirSync(folder).filter((file) => file.includes('unreadable'))).toHaveLength(1);
    }
    store.close();
  });

  test(
    'S4: 50 MB of broken text is a sentence, stays as it is, and is copied once',
    () => {
      const before = Buffer.alloc(BIG, '[');
      const { folder, open, bytes } = setUp(before);
      const store = open();
      expect(store.list()).toEqual([]);
      expect(store.add(draft('new'), { kind: 'you' }).ok).toBe(false);
      expect(bytes().equals(before)).toBe(true);
      expect(readdirSync(folder)).toHaveLength(2);
      store.close();
    },
    SLOW_MACHINE_MS,
  );

  test(
    'S4, S2: among 50 MB of entries that are none the good one loads, and a save loses nothing',
    () => {
      const odd = { id: 'odd', name: 'Odd', padding: 'x'.repeat(BIG) };
      const { open, bytes } = setUp(fileOf(entry('good'), odd, null));
      const store = open();
      expect(store.list().map(({ kind }) => kind)).toEqual(['ok', 'refused', 'refused']);
      for (const stored of store.list()) if (stored.kind === 'refused') expect(stored.reason).toMatch(/\.$/);
      expect(store.add(draft('new'), { kind: 'you' }).ok).toBe(true);
      const { servers } = JSON.parse(bytes().toString('utf8')) as { servers: unknown[] };
      expect(servers).toHaveLength(4);
      expect(servers[1]).toEqual(odd);
      store.close();
    },
    SLOW_MACHINE_MS,
  );

  test('S4, S7: a file that is half there is not taken for an empty one, and counts once it is whole', async () => {
    const whole = fileOf(entry('one'), entry('two'));
    const { file, open } = setUp(fileOf(entry('one')));
    const store = open();
    store.onChange(() => undefined);
    writeFileSync(file, whole.slice(0, whole.length - 9));
    expect(store.add(draft('new'), { kind: 'you' }).ok).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe(whole.slice(0, whole.length - 9));
    writeFileSync(`${file}.new`, whole);
    renameSync(`${file}.new`, file);
    await until(() => expect(store.get('two' as ServerId)?.kind).toBe('ok'));
    store.close();
  });

  test('S4: two stores that save at once lose neither entry', () => {
    const { open } = setUp(fileOf(entry('one')));
    const [first, second] = [open(), open()];
    for (let nth = 0; nth < 5; nth++) {
      expect(first.add(draft(`a${nth}`), { kind: 'you' }).ok).toBe(true);
      expect(second.add(draft(`b${nth}`), { kind: 'you' }).ok).toBe(true);
    }
    const third = open();
    expect(third.list()).toHaveLength(11);
    for (const store of [first, second, third]) store.close();
  });

  test('S4: a file that is a link stays a link, and the file behind it is the one that is saved', () => {
    const { folder, file, open } = setUp(fileOf(entry('one')));
    renameSync(file, join(folder, 'real.json'));
    symlinkSync('real.json', file);
    const store = open();
    expect(store.add(draft('new'), { kind: 'you' }).ok).toBe(true);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(join(folder, 'real.json'), 'utf8')).servers).toHaveLength(2);
    store.close();
  });
});

test('S9: 50 MB that a person picked are not read to their end, and say so', async () => {
  const { file, bytes } = setUp(Buffer.alloc(BIG, ' '));
  expect(await readChosenFile(file)).toMatchObject({ ok: false, problem: expect.stringContaining('larger than 1 MiB') });
  expect(bytes()).toHaveLength(BIG);
});
