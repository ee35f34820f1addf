import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PrivateFolder } from '../../../src-main/storage/private-folder';
import { tempFolder } from '../../support/temp-folder';

function setUp() {
  const path = join(tempFolder(), 'kept');
  return { path, folder: new PrivateFolder(path) };
}

test('reads as empty until it is made', () => {
  const { folder } = setUp();
  expect([folder.fileNames(), folder.folderNames(), folder.files(), folder.read('a'), folder.has('a')]).toEqual([
    [],
    [],
    [],
    undefined,
    false,
  ]);
});

test('S5: is made for this user alone when first written to', () => {
  const { path, folder } = setUp();
  folder.write('a.txt', 'text');
  expect(folder.read('a.txt')).toBe('text');
  expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(statSync(join(path, 'a.txt')).mode & 0o777).toBe(0o600);
});

test('S5: takes other users’ rights away from a folder that was there', () => {
  const { path, folder } = setUp();
  mkdirSync(path);
  chmodSync(path, 0o755);
  folder.make();
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test.each(['', '.', '..', '../a', 'a/b', '/etc/passwd', 'a\\b', 'a\0b', '.hidden', 'a b', 'x'.repeat(129)])(
  'S5: refuses a name that could lead elsewhere: %j',
  (name) => {
    const { folder } = setUp();
    expect(() => folder.write(name, 'text')).toThrow('plain');
    expect(() => folder.read(name)).toThrow('plain');
    expect(() => folder.remove(name)).toThrow('plain');
  },
);

test('tells files from folders, and what a file weighs', () => {
  const { folder } = setUp();
  folder.write('a.txt', 'ü');
  folder.folder('deeper').write('b.txt', 'b');
  expect([folder.fileNames(), folder.folderNames()]).toEqual([['a.txt'], ['deeper']]);
  expect(folder.files()).toEqual([{ name: 'a.txt', bytes: 2, modifiedAt: expect.any(Number) }]);
});

test('removes a file, a folder and what is not there', () => {
  const { folder } = setUp();
  folder.write('a.txt', 'a');
  folder.folder('deeper').write('b.txt', 'b');
  for (const name of ['a.txt', 'deeper', 'none']) folder.remove(name);
  expect([folder.fileNames(), folder.folderNames()]).toEqual([[], []]);
});

test('S5: does not follow a link when it removes one', () => {
  const { path, folder } = setUp();
  const outside = tempFolder();
  writeFileSync(join(outside, 'theirs.txt'), 'theirs');
  folder.make();
  symlinkSync(outside, join(path, 'link'));
  folder.remove('link');
  expect(readFileSync(join(outside, 'theirs.txt'), 'utf8')).toBe('theirs');
  expect(lstatSync(join(path, 'link'), { throwIfNoEntry: false })).toBeUndefined();
});

test('leaves no draft behind when a write fails', () => {
  const { path, folder } = setUp();
  mkdirSync(join(path, 'taken'), { recursive: true });
  expect(() => folder.write('taken', 'text')).toThrow();
  expect(readdirSync(path)).toEqual(['taken']);
});
