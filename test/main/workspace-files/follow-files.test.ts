import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { followFiles } from '../../../src-main/workspace-files/follow-files';
import { FakeClock } from '../../support/fake-clock';
import { tempFolder } from '../../support/temp-folder';

const LONG_ENOUGH_MS = 2_000;

function setUp() {
  const root = tempFolder();
  const clock = new FakeClock();
  let told = 0;
  const stop = followFiles(root, ['.mcp.json', '.vscode/mcp.json'], clock, () => told++);
  onTestFinished(stop);
  const after = (change: () => void) => {
    const before = told;
    change();
    clock.advance(LONG_ENOUGH_MS);
    return told - before;
  };
  return { root, after, stop };
}

test('S7: tells once of a file that is made, changed, replaced or removed, also in a folder that was not there', () => {
  const { root, after } = setUp();
  const file = join(root, '.vscode/mcp.json');
  expect(after(() => undefined)).toBe(0);
  expect(after(() => (mkdirSync(join(root, '.vscode')), writeFileSync(file, 'a')))).toBe(1);
  expect(after(() => writeFileSync(file, 'bb'))).toBe(1);
  expect(after(() => (writeFileSync(`${file}.new`, 'cc'), renameSync(`${file}.new`, file)))).toBe(1);
  expect(after(() => rmSync(join(root, '.vscode'), { recursive: true }))).toBe(1);
});

test('T3: makes nothing in the folder, and is silent about other files', () => {
  const { root, after } = setUp();
  expect(after(() => writeFileSync(join(root, 'other.json'), 'x'))).toBe(0);
  expect(after(() => symlinkSync('/etc', join(root, '.portcullis')))).toBe(0);
});

test('S7: tells nothing once it is stopped', () => {
  const { root, after, stop } = setUp();
  stop();
  expect(after(() => writeFileSync(join(root, '.mcp.json'), 'x'))).toBe(0);
});
