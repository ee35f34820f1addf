import { open } from 'node:fs/promises';
import { failed, ok, type Result } from '../../src-shared/base/result';

export const MAX_CHOSEN_BYTES = 1024 * 1024;

/** The text of a file a person chose; it is only read, and no more of it than the bound. */
export async function readChosenFile(file: string): Promise<Result<string, string>> {
  try {
    const handle = await open(file, 'r');
    try {
      if (!(await handle.stat()).isFile()) return failed('This is not a file. Choose the file that holds the entries.');
      const bytes = Buffer.alloc(MAX_CHOSEN_BYTES + 1);
      let length = 0;
      while (length < bytes.length) {
        const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      if (length > MAX_CHOSEN_BYTES) return failed('This file is larger than 1 MiB, so it was not read. Choose another one.');
      return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length)));
    } finally {
      await handle.close();
    }
  } catch (problem) {
    return problem instanceof TypeError
      ? failed('This file is not UTF-8 text. Save it as UTF-8, then choose it again.')
      : failed('This file cannot be read. Check that it is still there and that you are allowed to read it.');
  }
}
