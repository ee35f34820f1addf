import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';

/** What this room uses of electron-store: the whole content at once, read from the disk each time. */
export interface StoreFile {
  readonly store: Record<string, unknown>;
}

interface StoreFormat {
  serialize(value: Record<string, unknown>): string;
  deserialize(text: string): Record<string, unknown>;
}

// The command line runs under plain Node, where electron-store cannot load; conf is the library under it and keeps the same file.
const makeStore: (options: StoreOptions) => StoreFile = process.versions.electron
  ? await import('electron-store').then(
      ({ default: ElectronStore }) =>
        ({ name, ...options }: StoreOptions) =>
          new ElectronStore<Record<string, unknown>>({ ...options, name }),
    )
  : await import('conf').then(
      ({ default: Conf }) =>
        ({ name, ...options }: StoreOptions) =>
          new Conf<Record<string, unknown>>({ ...options, configName: name }),
    );

interface StoreOptions extends StoreFormat {
  cwd: string;
  name: string;
  fileExtension: string;
  configFileMode: number;
}

/** Opens one JSON file through electron-store (in Electron) or conf (elsewhere). Throws when the file cannot be read. */
export function openStoreFile(file: string, format: StoreFormat): StoreFile {
  const extension = extname(file);
  return makeStore({
    ...format,
    cwd: dirname(file),
    name: basename(file, extension),
    fileExtension: extension.slice(1),
    configFileMode: 0o600,
  });
}

/**
 * Replaces the whole content: written beside the file, forced to the disk, renamed. Throws and leaves the file when that fails.
 * The library's own writing takes a short write on a full disk for a whole one, and would put half a file in place.
 */
export function writeStoreFile(file: string, text: string): void {
  const target = existsSync(file) ? realpathSync(file) : file;
  const beside = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeFileSync(beside, text, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
