import { randomUUID } from 'node:crypto';
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { readIfThere } from './private-folder';

/** A lock that stands longer than this was left behind: writing takes milliseconds. */
export const LOCK_STALE_MS = 10_000;
/** How long a writer waits for its turn before it gives up. */
export const LOCK_WAIT_MS = 2_000;
const LOCK_POLL_MS = 10;

const LockNoteSchema = z.object({ pid: z.number().int().positive(), at: z.number(), token: z.string() });

/** One writer's turn at a file. */
export interface FileLock {
  /** False once another process took the lock over, which it does when this one slept through its turn. */
  stillHeld(): boolean;
  release(): void;
}

/** Waits for the turn to write `file`, across processes. Null when another writer did not finish in time. */
export function takeLock(file: string): FileLock | null {
  const path = `${file}.lock`;
  const token = randomUUID();
  const giveUpAt = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    if (createNote(path, token)) return heldLock(path, token);
    if (isStale(path)) removeStale(path);
    else if (Date.now() >= giveUpAt) return null;
    else pause(LOCK_POLL_MS);
  }
}

function heldLock(path: string, token: string): FileLock {
  const stillHeld = () => readNote(path)?.token === token;
  return {
    stillHeld,
    release: () => {
      if (stillHeld()) rmSync(path, { force: true });
    },
  };
}

function createNote(path: string, token: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeSync(descriptor, JSON.stringify({ pid: process.pid, at: Date.now(), token }));
  } finally {
    closeSync(descriptor);
  }
  return true;
}

function readNote(path: string) {
  try {
    return LockNoteSchema.safeParse(JSON.parse(readIfThere(path) ?? 'null')).data;
  } catch {
    // Between being made and being filled a note is empty; its age decides.
    return undefined;
  }
}

function isStale(path: string): boolean {
  const note = readNote(path);
  const since = note?.at ?? statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (since === undefined) return false;
  // A clock that was set back leaves locks from the future, hence the absolute value.
  return Math.abs(Date.now() - since) > LOCK_STALE_MS || (note !== undefined && !isAlive(note.pid));
}

/** Two processes can find the same stale lock; without a guard the slower one would remove the faster one's fresh lock. */
function removeStale(path: string): void {
  const guard = `${path}.takeover`;
  if (!createNote(guard, randomUUID())) {
    if (isStale(guard)) rmSync(guard, { force: true });
    else pause(LOCK_POLL_MS);
    return;
  }
  try {
    if (isStale(path)) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

/** Whether a process of this number runs, ours or not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
