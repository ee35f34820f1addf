import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digestIfWritable } from '../../../src-main/processes/file-digest';
import { bundleForNode } from '../../support/bundle-for-node';
import { tempFolder } from '../../support/temp-folder';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('T2: a file the user can write is told by its content, through links too', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'server.js'), 'one');
  symlinkSync(join(folder, 'server.js'), join(folder, 'link.js'));
  expect(await digestIfWritable(join(folder, 'server.js'))).toBe(sha256('one'));
  expect(await digestIfWritable(join(folder, 'link.js'))).toBe(sha256('one'));
});

test('T2: a file made read-only by its owner is still one the user can change', async () => {
  const file = join(tempFolder(), 'server.js');
  writeFileSync(file, 'one');
  chmodSync(file, 0o444);
  expect(await digestIfWritable(file)).toBe(sha256('one'));
});

test('T2: a change of content shows at once, also with size and time put back', async () => {
  const file = join(tempFolder(), 'server.js');
  writeFileSync(file, 'one');
  utimesSync(file, 1, 1);
  const before = await digestIfWritable(file);
  writeFileSync(file, 'two');
  utimesSync(file, 1, 1);
  expect([before, await digestIfWritable(file)]).toEqual([sha256('one'), sha256('two')]);
});

test('T2: a settled file is remembered only until it changes, also with size and time put back', async () => {
  const file = join(tempFolder(), 'server.js');
  writeFileSync(file, 'one');
  utimesSync(file, 1, 1);
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  expect(await digestIfWritable(file)).toBe(sha256('one'));
  expect(await digestIfWritable(file)).toBe(sha256('one'));
  writeFileSync(file, 'two');
  utimesSync(file, 1, 1);
  expect(await digestIfWritable(file)).toBe(sha256('two'));
});

test('T2: a file too large to read is told by identity and times, and any write shows', async () => {
  const file = join(tempFolder(), 'large.bin');
  writeFileSync(file, 'x'.repeat(100));
  const before = await digestIfWritable(file, 50);
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  expect(before).not.toBe(sha256('x'.repeat(100)));
  expect(await digestIfWritable(file, 50)).toBe(before);
  appendFileSync(file, 'y');
  expect(await digestIfWritable(file, 50)).not.toBe(before);
});

test('folders, missing paths and odd names have no digest', async () => {
  const folder = tempFolder();
  mkdirSync(join(folder, 'sub'));
  for (const path of [folder, join(folder, 'sub'), join(folder, 'missing'), '/dev/null', 'a\0b', '']) {
    expect([path, await digestIfWritable(path)]).toEqual([path, null]);
  }
});

test('T2: a system file has no digest for an ordinary user, a file in a folder of theirs has', async () => {
  const folder = tempFolder();
  chmodSync(folder, 0o777);
  writeFileSync(join(folder, 'script.js'), 'one', { mode: 0o444 });
  const bundle = readFileSync(await bundleForNode('test/fixtures/programs/digest-of.ts'));
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const run = spawnSync(process.execPath, ['--input-type=module', '-'], {
    input: bundle,
    cwd: '/',
    env: { PATHS: `/bin/sh:${join(folder, 'script.js')}` },
    ...nobody,
  });
  expect(JSON.parse(run.stdout.toString())).toEqual([null, sha256('one')]);
});
