import { readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contract } from '../../src-shared/ipc/contract';

const root = resolve(import.meta.dirname, '../..');
const filesIn = (folder: string) =>
  readdirSync(resolve(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${resolve(entry.parentPath, entry.name).slice(root.length + 1)}`)
    .filter((path) => !path.includes('/fixtures/'));
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');

const sources = ['src-shared', 'src-main', 'src-renderer'].flatMap(filesIn).filter((path) => /\.tsx?$/.test(path));
const main = sources.filter((path) => path.startsWith('src-main/')).map((path) => ({ path, text: read(path) }));
const handlers = main.filter(({ path }) => path.endsWith('-calls.ts'));
const tests = ['test', 'e2e'].flatMap(filesIn).filter((path) => /\.tsx?$/.test(path) && !path.startsWith('test/architecture/'));
const testText = tests.map(read).join('\n');

describe('the contract', () => {
  test.each(Object.keys(contract.calls))('%s has exactly one handler', (name) => {
    const key = new RegExp(`(?:^|[{,])\\s*(?:async )?'${name.replace('.', '\\.')}'\\s*[:(]`, 'm');
    expect(handlers.filter(({ text }) => key.test(text)).map(({ path }) => path)).toHaveLength(1);
  });

  test.each(Object.keys(contract.calls))('%s is named by a test', (name) => {
    expect(testText.includes(`'${name}'`)).toBe(true);
  });

  test.each(Object.keys(contract.views))('the view %s has exactly one publisher', (name) => {
    const publishers = main.flatMap(({ path, text }) =>
      [...text.matchAll(new RegExp(`publish\\(\\s*'${name}'`, 'g'))].map(() => path),
    );
    expect(publishers).toHaveLength(1);
  });
});

describe('the files of the house', () => {
  test('no file is over 300 lines', () => {
    expect(sources.filter((path) => read(path).split('\n').length > 301)).toEqual([]);
  });

  test('no file has a drawer name', () => {
    const drawer = /(?:^|[/.-])(?:utils?|helpers?|misc|common|managers?|services?|data|info)(?=[/.-])/i;
    expect(sources.filter((path) => drawer.test(path))).toEqual([]);
  });
});
