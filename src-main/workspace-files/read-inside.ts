import { constants, type Stats } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { failed, ok, type Result } from '../../src-shared/base/result';

/** The text of one file of a workspace, or that there is none. */
export type ReadInside = { kind: 'text'; text: string } | { kind: 'absent' };

// Windows has no such flag; the comparison of real paths holds there alone.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants> & typeof constants;

/**
 * Reads a file under a root without following a link anywhere below it, and no more of it than `maxBytes` (G8, T3).
 * The root is a real path. What was opened is compared with what lies at the path, so that a folder swapped for a link meanwhile is no way out.
 */
export async function readInside(root: string, name: string, maxBytes: number): Promise<Result<ReadInside, string>> {
  const path = join(root, ...name.split('/'));
  let file: FileHandle | null = null;
  try {
    file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const opened = await file.stat();
    if (!opened.isFile()) return failed('It is not a file, so it was not read.');
    if ((await realpath(path)) !== path || !isSame(opened, await lstat(path))) return failed(LINKED);
    const bytes = await readUpTo(file, maxBytes + 1);
    if (bytes.length > maxBytes) return failed(`It is larger than ${maxBytes / 1024} KiB, so it was not read.`);
    return ok({ kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) });
  } catch (problem) {
    const code = problem instanceof Error && 'code' in problem ? problem.code : null;
    if (code === 'ENOENT' || code === 'ENOTDIR') return absence(root);
    if (code === 'ELOOP' || code === 'EMLINK') return failed(LINKED);
    if (problem instanceof TypeError) return failed('It is not UTF-8 text, so it was not read.');
    return failed('It cannot be read. Check that you are allowed to read it.');
  } finally {
    await file?.close();
  }
}

const LINKED = 'It is a link, or lies behind one, so it was not read.';

/** A folder that is not there, such as one of a disk taken out, says nothing of its files. */
async function absence(root: string): Promise<Result<ReadInside, string>> {
  const isThere = await lstat(root).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
  return isThere ? ok({ kind: 'absent' }) : failed('Its folder is not there now.');
}

const isSame = (one: Stats, other: Stats): boolean => one.ino === other.ino && one.dev === other.dev;

async function readUpTo(file: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let have = 0;
  while (have < length) {
    const { bytesRead } = await file.read(bytes, have, length - have, have);
    if (bytesRead === 0) break;
    have += bytesRead;
  }
  return bytes.subarray(0, have);
}
