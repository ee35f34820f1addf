import { randomBytes } from 'node:crypto';
import { copyFileSync, constants, chmodSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { z } from 'zod';
import type { Clock } from '../../src-shared/base/clock';
import { checkJsonBounds } from '../../src-shared/base/json-bounds';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { takeLock, type FileLock } from './file-lock';
import { watchForChanges } from './file-watch';
import { makeFolder, readIfThere } from './private-folder';
import { openStoreFile, writeStoreFile, type StoreFile } from './store-library';

/** Why a document could not be read or changed. `message` is for people; `copiedTo` names the copy of an unreadable file. */
export interface DocumentProblem {
  kind: 'unreadable' | 'locked' | 'not-written';
  message: string;
  copiedTo?: string;
}

/** One JSON file of the app that people, sync tools and a second process can change too (S4, S7). */
export interface JsonDocument<T> {
  /** Reads the file as it stands now. A file that is not there reads as empty. */
  read(): Result<T, DocumentProblem>;
  /** For a file that changed while the app runs: tries again 3 times in 2 s, because its writer is perhaps not done (S4). */
  readPatiently(clock: Clock): Promise<Result<T, DocumentProblem>>;
  /** Takes the lock, reads, changes and replaces the file. Changes nothing when it fails. */
  update(change: (current: T) => T): Result<T, DocumentProblem>;
  /** Called once for each change of the file, from here or from outside, until the returned function is called. */
  onChange(listener: () => void): () => void;
}

/** Deeper than anything this app writes. What walks a value walks it by recursion, and a file can be anyone's. */
const BOUNDS = { maxDepth: 256, maxChars: Number.MAX_SAFE_INTEGER };
const RETRY_DELAYS_MS = [500, 500, 1_000];

/** Opens one JSON file with its schema. Nothing is written until the first `update`. */
export function openJsonDocument<T extends object>(parts: { file: string; schema: z.ZodType<T>; empty: T }): JsonDocument<T> {
  return new StoredDocument(parts.file, parts.schema, parts.empty);
}

class StoredDocument<T extends object> implements JsonDocument<T> {
  readonly #file: string;
  readonly #schema: z.ZodType<T>;
  readonly #empty: T;
  readonly #listeners = new Set<() => void>();
  #storeFile: StoreFile | undefined;
  #stopWatching: (() => void) | undefined;
  #announced: string | undefined;

  constructor(file: string, schema: z.ZodType<T>, empty: T) {
    this.#file = file;
    this.#schema = schema;
    this.#empty = empty;
  }

  read(): Result<T, DocumentProblem> {
    const decoded = this.#decode();
    return decoded.ok ? decoded : failed(this.#unreadable());
  }

  async readPatiently(clock: Clock): Promise<Result<T, DocumentProblem>> {
    for (const delay of RETRY_DELAYS_MS) {
      const decoded = this.#decode();
      if (decoded.ok) return decoded;
      await new Promise<void>((resolve) => void clock.after(delay, resolve));
    }
    return this.read();
  }

  update(change: (current: T) => T): Result<T, DocumentProblem> {
    let lock: FileLock | null;
    try {
      makeFolder(dirname(this.#file));
      lock = takeLock(this.#file);
    } catch {
      return failed(this.#notWritten());
    }
    if (!lock) return failed(this.#locked());
    try {
      const current = this.read();
      if (!current.ok) return current;
      const next = change(current.value);
      if (JSON.stringify(next) === JSON.stringify(current.value)) return current;
      if (!this.#schema.safeParse(JSON.parse(JSON.stringify(next))).success) {
        throw new Error(`A change to ${basename(this.#file)} would have made it unreadable.`);
      }
      if (!lock.stillHeld()) return failed(this.#locked());
      if (!this.#write(next)) return failed(this.#notWritten());
      return ok(next);
    } finally {
      lock.release();
      this.#announce();
    }
  }

  onChange(listener: () => void): () => void {
    const entry = () => listener();
    if (this.#listeners.size === 0) {
      this.#announced = this.#text();
      this.#stopWatching = watchForChanges(this.#file, () => this.#announce());
    }
    this.#listeners.add(entry);
    return () => {
      if (!this.#listeners.delete(entry) || this.#listeners.size > 0) return;
      this.#stopWatching?.();
      this.#stopWatching = undefined;
    };
  }

  #decode(): Result<T, null> {
    try {
      if (readIfThere(this.#file) === undefined) return ok(this.#empty);
      const stored: unknown = this.#store().store;
      if (checkJsonBounds(stored, BOUNDS) !== null) return failed(null);
      const decoded = this.#schema.safeParse(stored);
      return decoded.success ? ok(decoded.data) : failed(null);
    } catch {
      return failed(null);
    }
  }

  #write(value: T): boolean {
    try {
      writeStoreFile(this.#file, serialize(Object.fromEntries(Object.entries(value))));
      return true;
    } catch {
      return false;
    }
  }

  #store(): StoreFile {
    this.#storeFile ??= openStoreFile(this.#file, { serialize, deserialize });
    return this.#storeFile;
  }

  /** A listener hears of a text once, whether its own process wrote it or the watcher saw it. */
  #announce(): void {
    if (this.#listeners.size === 0) return;
    const text = this.#text();
    if (text === this.#announced) return;
    this.#announced = text;
    for (const listener of [...this.#listeners]) listener();
  }

  #text(): string | undefined {
    try {
      return readIfThere(this.#file);
    } catch {
      return undefined;
    }
  }

  #unreadable(): DocumentProblem {
    const name = basename(this.#file);
    const copiedTo = copyAside(this.#file);
    const left = `${name} could not be read, so it is left as it is and nothing is saved to it.`;
    if (copiedTo === undefined) return { kind: 'unreadable', message: `${left} Repair it, or move it away and start again.` };
    return {
      kind: 'unreadable',
      message: `${left} A copy is in ${basename(copiedTo)}. Repair ${name}, or move it away and start again.`,
      copiedTo,
    };
  }

  #locked(): DocumentProblem {
    return {
      kind: 'locked',
      message: `Another program is changing ${basename(this.#file)}. Nothing was saved. Try again in a moment.`,
    };
  }

  #notWritten(): DocumentProblem {
    const name = basename(this.#file);
    return {
      kind: 'not-written',
      message: `${name} could not be saved. Check that the disk has room and that its folder can be written to.`,
    };
  }
}

const serialize = (value: Record<string, unknown>): string => `${JSON.stringify(value, null, 2)}\n`;

function deserialize(text: string): Record<string, unknown> {
  // Parsing tens of millions of open brackets takes seconds, in which the whole app stands still.
  if (isDeeper(text, BOUNDS.maxDepth)) throw new Error('It is nested too deep.');
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('The top level is not an object.');
  return { ...value };
}

function isDeeper(text: string, most: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (quoted && char === '\\') at += 1;
    else if (char === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth -= 1;
    if (depth > most) return true;
  }
  return false;
}

/** Copies an unreadable file beside itself, once for each content. Undefined when not even its bytes can be had. */
function copyAside(file: string): string | undefined {
  const folder = dirname(file);
  const prefix = `${basename(file)}.unreadable-`;
  try {
    const bytes = readFileSync(file);
    const earlier = readdirSync(folder).find((name) => name.startsWith(prefix) && readFileSync(join(folder, name)).equals(bytes));
    if (earlier !== undefined) return join(folder, earlier);
    const copy = join(folder, `${prefix}${new Date().toISOString().replaceAll(':', '-')}-${randomBytes(2).toString('hex')}`);
    copyFileSync(file, copy, constants.COPYFILE_EXCL);
    chmodSync(copy, 0o600);
    return copy;
  } catch {
    return undefined;
  }
}
