import { realpath, stat } from 'node:fs/promises';
import { relative, isAbsolute } from 'node:path';
import { failed, ok, type Result } from '../../src-shared/base/result';

export interface OwnPlaces {
  home: string;
  /** Where the app keeps its own files. */
  ownFolder: string;
}

/** The real path of a folder that can be a workspace: not the home folder, nothing above it, and not the app's own (G8). */
export async function checkWorkspaceFolder(path: string, { home, ownFolder }: OwnPlaces): Promise<Result<string, string>> {
  try {
    const folder = await realpath(path);
    if (!(await stat(folder)).isDirectory()) return failed('This is not a folder. Choose the folder of one project.');
    const own = await realIfThere(ownFolder);
    if (holds(folder, await realIfThere(home))) {
      return failed('This folder holds your whole home folder, so it is not opened. Choose the folder of one project.');
    }
    if (holds(folder, own) || holds(own, folder)) {
      return failed(
        'This folder has to do with the files of Portcullis itself, so it is not opened. Choose the folder of one project.',
      );
    }
    return ok(folder);
  } catch {
    return failed('This folder cannot be read. Check that it is still there and that you are allowed to read it.');
  }
}

/** Whether `inner` is `outer` or lies inside it. Both are real paths. */
function holds(outer: string, inner: string): boolean {
  const way = relative(outer, inner);
  return way === '' || (!isAbsolute(way) && way.split(/[/\\]/)[0] !== '..');
}

const realIfThere = (path: string): Promise<string> => realpath(path).catch(() => path);
