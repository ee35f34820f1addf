import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_CHOSEN_BYTES, readChosenFile } from '../../../src-main/storage/chosen-file';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chosen-'));
  file = join(folder, 'mcp.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a chosen file', () => {
  const cases: [what: string, content: string | Uint8Array, problem: RegExp | null][] = [
    ['of 1 MiB', ' '.repeat(MAX_CHOSEN_BYTES), null],
    ['larger than that', ' '.repeat(MAX_CHOSEN_BYTES + 1), /larger than 1 MiB/],
    ['that is not UTF-8', Uint8Array.of(0x7b, 0xff, 0xfe), /not UTF-8/],
  ];
  test.each(cases)('S9: %s', async (_what, content, problem) => {
    writeFileSync(file, content);
    const read = await readChosenFile(file);
    if (problem === null) expect(read.ok).toBe(true);
    else expect(read.ok ? '' : read.problem).toMatch(problem);
  });
  test('S9: that is a folder, or gone, is said', async () => {
    for (const path of [folder, join(folder, 'gone')]) expect((await readChosenFile(path)).ok).toBe(false);
  });
});
