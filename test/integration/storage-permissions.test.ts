import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openAppendLog } from '../../src-main/storage/append-log';
import { openJsonDocument } from '../../src-main/storage/json-document';
import { requireUnprivileged } from '../support/not-root';
import { tempFolder } from '../support/temp-folder';

const schema = z.object({ entries: z.array(z.string()) });
const TEXT = '{"entries":["one"]}';

beforeEach(requireUnprivileged);

function setUp(text = TEXT) {
  const folder = tempFolder();
  const file = join(folder, 'servers.json');
  writeFileSync(file, text);
  return { folder, file, document: openJsonDocument({ file, schema, empty: { entries: [] } }) };
}

/** Takes rights away until the test ends. */
function restrict(path: string, mode: number): void {
  chmodSync(path, mode);
  onTestFinished(() => chmodSync(path, 0o700));
}

const addTwo = (current: z.infer<typeof schema>) => ({ entries: [...current.entries, 'two'] });

test('S4: a file whose bytes cannot be had is a problem and is not written over', () => {
  const { folder, file, document } = setUp();
  restrict(file, 0o000);
  for (const outcome of [document.read(), document.update(addTwo)]) {
    expect(outcome).toMatchObject({ ok: false, problem: { kind: 'unreadable' } });
    expect(outcome).not.toHaveProperty('problem.copiedTo');
  }
  chmodSync(file, 0o600);
  expect(readFileSync(file, 'utf8')).toBe(TEXT);
  expect(readdirSync(folder)).toEqual(['servers.json']);
});

test('S4: a broken file in a folder that takes no copy stays as it is', () => {
  const { folder, file, document } = setUp('{');
  restrict(folder, 0o500);
  expect(document.read()).toMatchObject({ ok: false, problem: { kind: 'unreadable' } });
  expect(document.read()).not.toHaveProperty('problem.copiedTo');
  expect(readFileSync(file, 'utf8')).toBe('{');
});

test('S4: a folder that cannot be written to is told, and reading goes on', () => {
  const { folder, file, document } = setUp();
  restrict(folder, 0o500);
  expect(document.update(addTwo)).toMatchObject({ ok: false, problem: { kind: 'not-written' } });
  expect(document.read()).toEqual({ ok: true, value: { entries: ['one'] } });
  expect(readFileSync(file, 'utf8')).toBe(TEXT);
});

test('P4: a line that cannot be written is an error, never silence', () => {
  const { folder } = setUp();
  restrict(folder, 0o500);
  expect(() => openAppendLog({ file: join(folder, 'ledger.jsonl') }).append('one')).toThrow();
});
