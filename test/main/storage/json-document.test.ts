import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openJsonDocument } from '../../../src-main/storage/json-document';
import { bundleForNode } from '../../support/bundle-for-node';
import { FakeClock } from '../../support/fake-clock';
import { tempFolder } from '../../support/temp-folder';

const schema = z.object({ entries: z.array(z.string()) });
const run = promisify(execFile);

function setUp(text?: string) {
  const folder = tempFolder();
  const file = join(folder, 'servers.json');
  if (text !== undefined) writeFileSync(file, text);
  const document = openJsonDocument({ file, schema, empty: { entries: [] } });
  return { folder, file, document };
}

const withEntry = (name: string) => (current: z.infer<typeof schema>) => ({ entries: [...current.entries, name] });
const copiesIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('servers.json.unreadable-'));
const soon = (check: () => void) => expect.poll(check, { timeout: 3_000 });

describe('reading', () => {
  const readable: [because: string, text: string | undefined, entries: string[]][] = [
    ['a file that is not there', undefined, []],
    ['a plain file', '{"entries":["one"]}', ['one']],
    ['a file with a byte order mark', '\uFEFF{"entries":["one"]}', ['one']],
    ['a file with Windows line ends', '{\r\n  "entries": [\r\n"one"\r\n]\r\n}\r\n', ['one']],
  ];
  test.each(readable)('S9: reads %s', (_because, text, entries) => {
    expect(setUp(text).document.read()).toEqual({ ok: true, value: { entries } });
  });

  const unreadable: [because: string, text: string][] = [
    ['half a file', '{"entries":["one"'],
    ['an empty file', ''],
    ['a file of another shape', '{"entries":"one"}'],
    ['a list at the top', '["one"]'],
    ['a null', 'null'],
    ['bytes that are no text', '\u0000\u0001\uFFFD'],
    ['a file nested deeper than a walk can go', `{"entries":[],"more":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
  ];
  test.each(unreadable)('S4: reads %s as a problem, copies it aside once and never writes over it', (_because, text) => {
    const { folder, file, document } = setUp(text);
    const first = document.read();
    const second = document.update(withEntry('two'));
    const reopened = openJsonDocument({ file, schema, empty: { entries: [] } }).read();

    const [copy = ''] = copiesIn(folder);
    expect(copiesIn(folder)).toHaveLength(1);
    expect(readFileSync(join(folder, copy), 'utf8')).toBe(text);
    expect(statSync(join(folder, copy)).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe(text);
    for (const outcome of [first, second, reopened]) {
      expect(outcome).toMatchObject({ ok: false, problem: { kind: 'unreadable', copiedTo: join(folder, copy) } });
    }
  });

  test('S4: copies a file that broke in a second way aside as well', () => {
    const { folder, file, document } = setUp('{');
    document.read();
    writeFileSync(file, '[');
    document.read();
    expect(copiesIn(folder)).toHaveLength(2);
  });

  test('S4: works again once the file was repaired', () => {
    const { file, document } = setUp('{');
    document.read();
    writeFileSync(file, '{"entries":["one"]}');
    expect(document.update(withEntry('two'))).toEqual({ ok: true, value: { entries: ['one', 'two'] } });
  });

  test('S4: a read that fails while running is tried again 3 times in 2 s', async () => {
    const { folder, file, document } = setUp('{"entries":');
    const clock = new FakeClock();
    const patient = document.readPatiently(clock);
    await clock.advanceSettling(1_999);
    writeFileSync(file, '{"entries":["late"]}');
    await clock.advanceSettling(1);
    await expect(patient).resolves.toEqual({ ok: true, value: { entries: ['late'] } });
    expect(copiesIn(folder)).toEqual([]);
  });

  test('S4: after those tries the problem is told and the file copied aside', async () => {
    const { folder, document } = setUp('{"entries":');
    const clock = new FakeClock();
    const patient = document.readPatiently(clock);
    await clock.advanceSettling(2_000);
    await expect(patient).resolves.toMatchObject({ ok: false, problem: { kind: 'unreadable' } });
    expect(clock.waiting).toBe(0);
    expect(copiesIn(folder)).toHaveLength(1);
  });
});

describe('writing', () => {
  test('S5: makes the file for this user alone, and its folder too', () => {
    const folder = join(tempFolder(), 'deeper');
    const file = join(folder, 'servers.json');
    openJsonDocument({ file, schema, empty: { entries: [] } }).update(withEntry('one'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('S5: takes other users’ rights away from a file it writes', () => {
    const { file, document } = setUp('{"entries":[]}');
    expect(statSync(file).mode & 0o077).not.toBe(0);
    document.update(withEntry('one'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('S4: replaces the file by a rename, also when started from an editor packed as a snap', () => {
    const { file, document } = setUp('{"entries":[]}');
    const before = statSync(file).ino;
    process.env.SNAP = '/snap/editor';
    onTestFinished(() => void delete process.env.SNAP);
    document.update(withEntry('one'));
    expect(statSync(file).ino).not.toBe(before);
    expect(process.env.SNAP).toBe('/snap/editor');
  });

  test('writes nothing before the first change', () => {
    const { folder, document } = setUp();
    document.read();
    document.update((current) => current);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('keeps a symbolic link and writes the file behind it', () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'synced'));
    const target = join(folder, 'synced', 'real.json');
    writeFileSync(target, '{"entries":["one"]}');
    const file = join(folder, 'servers.json');
    symlinkSync(target, file);
    openJsonDocument({ file, schema, empty: { entries: [] } }).update(withEntry('two'));
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({ entries: ['one', 'two'] });
  });

  test('S4: two writers in one process do not lose each other’s entries', () => {
    const { file, document } = setUp();
    const other = openJsonDocument({ file, schema, empty: { entries: [] } });
    for (let nth = 0; nth < 20; nth += 1) {
      document.update(withEntry(`a${nth}`));
      other.update(withEntry(`b${nth}`));
    }
    const read = document.read();
    expect(read.ok && read.value.entries).toHaveLength(40);
  });

  test('S4: two processes writing at once do not lose each other’s entries', async () => {
    const script = await bundleForNode('test/fixtures/storage/add-many.ts');
    const { folder, file, document } = setUp();
    await Promise.all(['a', 'b', 'c'].map((name) => run(process.execPath, [script, file, name, '40'])));
    const read = document.read();
    expect(read.ok && new Set(read.value.entries).size).toBe(120);
    expect(readdirSync(folder)).toEqual(['servers.json']);
  }, 30_000);

  test('S4: a change that throws leaves file and lock as they were', () => {
    const { folder, file, document } = setUp('{"entries":["one"]}');
    expect(() =>
      document.update(() => {
        throw new Error('the rule said no');
      }),
    ).toThrow('the rule said no');
    expect(readFileSync(file, 'utf8')).toBe('{"entries":["one"]}');
    expect(readdirSync(folder)).toEqual(['servers.json']);
  });

  test('S4: refuses to write what it could not read back', () => {
    const { file, document } = setUp('{"entries":["one"]}');
    expect(() => document.update(() => JSON.parse('{"entries":[1]}'))).toThrow('unreadable');
    expect(readFileSync(file, 'utf8')).toBe('{"entries":["one"]}');
  });
});

describe('the lock', () => {
  const lockOf = (file: string, pid: number, at: number) =>
    writeFileSync(`${file}.lock`, JSON.stringify({ pid, at, token: 'theirs' }));
  const A_DEAD_PID = 2 ** 22 + 1;

  test('S4: a writer that is at work is waited for, then named as the reason', () => {
    const { file, document } = setUp('{"entries":["one"]}');
    lockOf(file, process.pid, Date.now());
    expect(document.update(withEntry('two'))).toMatchObject({ ok: false, problem: { kind: 'locked' } });
    expect(readFileSync(file, 'utf8')).toBe('{"entries":["one"]}');
    expect(existsSync(`${file}.lock`)).toBe(true);
  });

  const stale: [because: string, pid: number, age: number][] = [
    ['of a process that is gone', A_DEAD_PID, 0],
    ['older than 10 s', process.pid, 10_500],
    ['from the future, after the clock was set back', process.pid, -60_000],
  ];
  test.each(stale)('S4: a lock %s is taken over', (_because, pid, age) => {
    const { folder, file, document } = setUp();
    lockOf(file, pid, Date.now() - age);
    expect(document.update(withEntry('one')).ok).toBe(true);
    expect(readdirSync(folder)).toEqual(['servers.json']);
  });

  test('S4: a takeover that was itself cut off does not stand in the way', () => {
    const { file, document } = setUp();
    lockOf(file, A_DEAD_PID, Date.now());
    writeFileSync(`${file}.lock.takeover`, JSON.stringify({ pid: A_DEAD_PID, at: Date.now(), token: 'theirs' }));
    expect(document.update(withEntry('one')).ok).toBe(true);
  });

  test('S4: a writer that slept through its turn does not write over the one that took it', () => {
    const { file, document } = setUp('{"entries":["one"]}');
    const slept = document.update((current) => {
      lockOf(file, process.pid, Date.now());
      return withEntry('late')(current);
    });
    expect(slept).toMatchObject({ ok: false, problem: { kind: 'locked' } });
    expect(readFileSync(file, 'utf8')).toBe('{"entries":["one"]}');
    expect(existsSync(`${file}.lock`)).toBe(true);
  });
});

describe('watching', () => {
  test('S7: tells of a change from outside, and of a file replaced by a rename', async () => {
    const { file, document } = setUp('{"entries":[]}');
    let heard = 0;
    const stop = document.onChange(() => (heard += 1));
    writeFileSync(file, '{"entries":["edited"]}');
    await soon(() => heard).toBe(1);
    openJsonDocument({ file, schema, empty: { entries: [] } }).update(withEntry('other'));
    await soon(() => heard).toBe(2);
    stop();
    writeFileSync(file, '{"entries":[]}');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(heard).toBe(2);
  });

  test('S7: tells of its own change once, at once', async () => {
    const { document } = setUp();
    let heard = 0;
    const stop = document.onChange(() => (heard += 1));
    document.update(withEntry('one'));
    expect(heard).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(heard).toBe(1);
    stop();
  });

  test('S7: tells of a change to the file behind a link', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'synced'));
    const target = join(folder, 'synced', 'real.json');
    writeFileSync(target, '{"entries":["one"]}');
    symlinkSync(target, join(folder, 'servers.json'));
    const document = openJsonDocument({ file: join(folder, 'servers.json'), schema, empty: { entries: [] } });
    let heard = 0;
    const stop = document.onChange(() => (heard += 1));
    writeFileSync(target, '{"entries":["two"]}');
    await soon(() => heard).toBe(1);
    stop();
  });
});
