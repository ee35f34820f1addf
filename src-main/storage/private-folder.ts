import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';

/** What a file in a private folder weighs and when it was last written. */
export interface FileFacts {
  name: string;
  bytes: number;
  modifiedAt: number;
}

const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** A folder only this user can enter (0700), holding files only this user can read (0600). Made when first written to. */
export class PrivateFolder {
  constructor(readonly path: string) {}

  /** The path of a file in this folder. A name that could lead elsewhere is a broken invariant. */
  file(name: string): string {
    if (!PLAIN_NAME.test(name)) throw new Error('A file name of the app must be plain letters, digits, dots and dashes.');
    return join(this.path, name);
  }

  folder(name: string): PrivateFolder {
    return new PrivateFolder(this.file(name));
  }

  /** Makes the folder, and takes other users' rights away from one that was there. */
  make(): void {
    makeFolder(this.path);
    if (process.platform !== 'win32' && (statSync(this.path).mode & 0o077) !== 0) chmodSync(this.path, 0o700);
  }

  fileNames(): string[] {
    return this.#entries()
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name);
  }

  folderNames(): string[] {
    return this.#entries()
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  }

  files(): FileFacts[] {
    return this.fileNames().flatMap((name) => {
      const facts = lstatSync(join(this.path, name), { throwIfNoEntry: false });
      return facts ? [{ name, bytes: facts.size, modifiedAt: facts.mtimeMs }] : [];
    });
  }

  has(name: string): boolean {
    return statSync(this.file(name), { throwIfNoEntry: false }) !== undefined;
  }

  /** Undefined when there is no such file. */
  read(name: string): string | undefined {
    return readIfThere(this.file(name));
  }

  /** Replaces the whole file at once: a reader sees the old text or the new, never a part. */
  write(name: string, text: string): void {
    this.make();
    replaceFile(this.file(name), text);
  }

  remove(name: string): void {
    rmSync(this.file(name), { force: true, recursive: true });
  }

  #entries() {
    try {
      return readdirSync(this.path, { withFileTypes: true });
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }
}

/** Makes a folder and its missing parents for this user alone; one that is there stays as it is. */
export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Writes beside the file, forces it to the disk, then renames: the file is whole at any moment. A symbolic link keeps pointing. */
export function replaceFile(file: string, text: string): void {
  const target = realPathIfThere(file);
  const draft = join(dirname(target), `.${randomUUID()}.draft`);
  try {
    const descriptor = openSync(draft, 'wx', 0o600);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The file a path leads to, links resolved; the path itself when nothing is there yet. */
export function realPathIfThere(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (isMissing(error)) return file;
    throw error;
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
