import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { isMissing, makeFolder, readIfThere, replaceFile } from './private-folder';

/** A file of lines that only grows. One process writes it; what `append` has returned from survives a kill of that process. */
export interface AppendLog {
  append(line: string): void;
  /** All whole lines. A last line without its newline was cut off by a crash and is left out. */
  lines(): string[];
  /** Replaces everything at once. */
  rewrite(lines: readonly string[]): void;
  close(): void;
}

const NEWLINE = 0x0a;

/** Opens a log; the file is made by the first `append`. `fsync` makes every line survive a power loss, at the cost of a disk write each. */
export function openAppendLog(parts: { file: string; fsync?: boolean }): AppendLog {
  return new FileAppendLog(parts.file, parts.fsync ?? false);
}

class FileAppendLog implements AppendLog {
  readonly #file: string;
  readonly #fsync: boolean;
  #descriptor: number | undefined;

  constructor(file: string, fsync: boolean) {
    this.#file = file;
    this.#fsync = fsync;
  }

  append(line: string): void {
    if (line.includes('\n')) throw new Error('A line of a log cannot hold a newline.');
    const descriptor = this.#open();
    const bytes = Buffer.from(`${line}\n`);
    const written = writeSync(descriptor, bytes);
    if (written < bytes.length) {
      // Closing makes the next append look at the tail and cut this piece off.
      this.close();
      throw new Error('The disk took only a part of a log line.');
    }
    if (this.#fsync) fsyncSync(descriptor);
  }

  lines(): string[] {
    const text = readIfThere(this.#file) ?? '';
    return text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .filter((line) => line !== '');
  }

  rewrite(lines: readonly string[]): void {
    this.close();
    makeFolder(dirname(this.#file));
    replaceFile(this.#file, lines.map((line) => `${line}\n`).join(''));
  }

  close(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #open(): number {
    if (this.#descriptor !== undefined) return this.#descriptor;
    const flags = constants.O_APPEND | constants.O_CREAT | constants.O_RDWR;
    let descriptor: number;
    try {
      descriptor = openSync(this.#file, flags, 0o600);
    } catch (error) {
      if (!isMissing(error)) throw error;
      makeFolder(dirname(this.#file));
      descriptor = openSync(this.#file, flags, 0o600);
    }
    cutTornTail(descriptor);
    this.#descriptor = descriptor;
    return descriptor;
  }
}

/** A line cut off by a crash would otherwise swallow the next one. */
function cutTornTail(descriptor: number): void {
  const { size } = fstatSync(descriptor);
  if (size === 0) return;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  if (last[0] === NEWLINE) return;
  const whole = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(descriptor, whole, filled, size - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  ftruncateSync(descriptor, whole.lastIndexOf(NEWLINE) + 1);
}
