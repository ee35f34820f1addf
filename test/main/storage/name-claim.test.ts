import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claimName } from '../../../src-main/storage/name-claim';
import { tempFolder } from '../../support/temp-folder';

const deadPid = (): number => spawnSync(process.execPath, ['-e', '']).pid;

test('P4: each holder has a name of its own, and one that was let go is given again', () => {
  const folder = tempFolder();
  const [first, second] = [claimName(folder, 'run'), claimName(folder, 'run')];
  expect([first.name, second.name, claimName(folder, 'run').name]).toEqual(['run', 'run-2', 'run-3']);
  second.release();
  expect(claimName(folder, 'run').name).toBe('run-2');
});

const free: [because: string, note: string][] = [
  ['its holder died', JSON.stringify({ pid: deadPid() })],
  ['its note was cut off', '{"pi'],
  ['its note is empty', ''],
  ['its note is no note', '"x"'],
];
test.each(free)('P4: a name is free when %s', (_because, note) => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'run.held'), note);
  expect(claimName(folder, 'run').name).toBe('run');
});

test('what a claim leaves behind is its note alone, and nothing once it is let go', () => {
  const folder = tempFolder();
  const claim = claimName(join(folder, 'new'), 'run');
  expect(readdirSync(join(folder, 'new'))).toEqual(['run.held']);
  claim.release();
  expect(readdirSync(join(folder, 'new'))).toEqual([]);
});
