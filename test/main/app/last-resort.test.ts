import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { standLastResort } from '../../../src-main/app/last-resort';

const CONTENT = 'the argument hunter2';

function setUp() {
  let written = '';
  const source = Object.assign(new EventEmitter(), { stderr: { write: (text: string) => void (written += text) } });
  standLastResort(source);
  return { source, written: () => written };
}

const faults: [what: string, fault: unknown][] = [
  ['an error', new Error(CONTENT)],
  ['a message that looks like frames', new Error(`x\n    at hunter2 (/hunter2.js:1:1)`)],
  ['a code that is content', Object.assign(new Error(CONTENT), { code: CONTENT })],
  ['a message put in later', Object.assign(new Error('before hunter2'), { message: 'other' })],
  ['a cause', new Error('x', { cause: new Error(CONTENT) })],
  ['a text', CONTENT],
  ['an object', { message: CONTENT }],
];
test.each(faults)('P8: %s that nobody caught is named without its words', (_what, fault) => {
  const { source, written } = setUp();
  source.emit('unhandledRejection', fault);
  source.emit('uncaughtException', fault);
  expect(written()).toContain('unhandledRejection: ');
  expect(written()).toContain('uncaughtException: ');
  expect(written()).not.toContain('hunter2');
});

test('P8: what is left says where to look', () => {
  const { source, written } = setUp();
  source.emit('uncaughtException', Object.assign(new Error(CONTENT), { code: 'ENOSPC' }));
  expect(written()).toMatch(/^uncaughtException: ENOSPC\n {4}at .*last-resort\.test\.ts/);
});

const importsOf = (name: string): string[] => {
  const source = readFileSync(join(import.meta.dirname, '../../../src-main/app', name), 'utf8');
  return [...source.matchAll(/^import\b[^']*'([^']+)'/gm)].map(([, from = '']) => from);
};

test('P8: it stands before the rest of the main process is loaded, and loads nothing itself', () => {
  expect(importsOf('main.ts')[0]).toBe('./stand-last-resort');
  expect(importsOf('stand-last-resort.ts')).toEqual(['./last-resort']);
  expect(importsOf('last-resort.ts')).toEqual([]);
});
