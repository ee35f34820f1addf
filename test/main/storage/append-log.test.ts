import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openAppendLog } from '../../../src-main/storage/append-log';
import { bundleForNode } from '../../support/bundle-for-node';
import { tempFolder } from '../../support/temp-folder';

function setUp() {
  const file = join(tempFolder(), 'deeper', 'ledger.jsonl');
  return { file, log: openAppendLog({ file }) };
}

test('reads as no lines before the first append, and makes no file', () => {
  const { file, log } = setUp();
  expect(log.lines()).toEqual([]);
  expect(() => statSync(file)).toThrow();
});

test('S5: makes the file and its folder for this user alone', () => {
  const { file, log } = setUp();
  log.append('one');
  log.close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
});

test.each([true, false])('gives lines back in order, with fsync %s', (fsync) => {
  const file = join(tempFolder(), 'log');
  const log = openAppendLog({ file, fsync });
  for (const line of ['one', 'zwei ü', '{"three":3}']) log.append(line);
  log.close();
  expect(openAppendLog({ file }).lines()).toEqual(['one', 'zwei ü', '{"three":3}']);
});

test('G3: drops a torn last line on reading and cuts it off before the next append', () => {
  const { file, log } = setUp();
  log.append('one');
  log.close();
  appendFileSync(file, '{"torn":"hal');
  const reopened = openAppendLog({ file });
  expect(reopened.lines()).toEqual(['one']);
  reopened.append('two');
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
  reopened.close();
});

test('G3: a file that is nothing but a torn line begins again', () => {
  const file = join(tempFolder(), 'log');
  writeFileSync(file, '{"torn":"ü');
  const log = openAppendLog({ file });
  expect(log.lines()).toEqual([]);
  log.append('one');
  expect(log.lines()).toEqual(['one']);
  log.close();
});

test('refuses a line that would be two', () => {
  expect(() => setUp().log.append('one\ntwo')).toThrow('newline');
});

test('rewrite replaces everything, and appending goes on in the new file', () => {
  const { file, log } = setUp();
  log.append('one');
  log.rewrite(['two', 'three']);
  log.append('four');
  expect(log.lines()).toEqual(['two', 'three', 'four']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  log.close();
});

test('rewrite keeps a symbolic link', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'real'), 'one\n');
  symlinkSync(join(folder, 'real'), join(folder, 'log'));
  openAppendLog({ file: join(folder, 'log') }).rewrite(['two']);
  expect(lstatSync(join(folder, 'log')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, 'real'), 'utf8')).toBe('two\n');
});

test('P4: every line whose append returned is there after a kill -9', async () => {
  const script = await bundleForNode('test/fixtures/storage/append-until-killed.ts');
  const file = join(tempFolder(), 'log');
  const writer = spawn(process.execPath, [script, file]);
  let said = '';
  const enough = new Promise<void>((resolve) => {
    writer.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.length > 500) resolve();
    });
  });
  await enough;
  writer.kill('SIGKILL');
  await once(writer, 'close');

  const returned = said.split('\n').length - 1;
  const kept = openAppendLog({ file }).lines();
  expect(kept.length).toBeGreaterThanOrEqual(returned);
  expect(kept.map((line) => JSON.parse(line).nth)).toEqual(kept.map((_line, nth) => nth));
}, 30_000);
