import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { RUN_MARKER } from './process-group';
import { endRun, settled } from './stop-run';
import { Watchdog } from './watchdog';

/** How long a program has to take its input before a write is given up. */
export const WRITE_TIMEOUT_MS = 10_000;
/** What waits in front of a program that does not read. */
const MAX_QUEUED_BYTES = 16 * 1024 * 1024;
/** After the exit, a helper that still holds the pipes does not keep the last words from being told. */
const LAST_WORDS_MS = 200;

export interface ProgramExit {
  code: number | null;
  signal: string | null;
}

export interface ProgramStart {
  realPath: string;
  /** What the program is told it was called; absent means its real path. */
  calledAs?: string;
  args: readonly string[];
  cwd: string;
  /** Exactly this and the run marker; nothing is inherited. */
  env: Readonly<Record<string, string>>;
  onStdout(chunk: Buffer): void;
  onStderr(chunk: Buffer): void;
  /** Called once, after the last output was handed over. */
  onExit?(exit: ProgramExit): void;
  writeTimeoutMs?: number;
}

export interface Program {
  readonly pid: number;
  /** Resolves once the pipe has taken the bytes; rejects when the program is gone or does not read. */
  write(bytes: Uint8Array): Promise<void>;
  endInput(): void;
  /** Input closed, a wait, TERM, a wait, KILL, then whatever left the group. Resolves when nothing of it runs. */
  stop(): Promise<void>;
  /** The same without the waits. */
  kill(): Promise<void>;
  readonly exited: Promise<ProgramExit>;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const watchdog = new Watchdog();

/** Starts a program without a shell, in a process group of its own, guarded against outliving this process (W5). */
export async function startProgram(start: ProgramStart): Promise<Result<Program, string>> {
  const marker = randomBytes(16).toString('hex');
  watchdog.watch(marker);
  let child: Child;
  try {
    child = spawn(start.realPath, [...start.args], {
      cwd: start.cwd,
      env: { ...start.env, [RUN_MARKER]: marker },
      ...(start.calledAs === undefined ? {} : { argv0: start.calledAs }),
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    watchdog.drop(marker);
    return failed(whyNotStarted(start, error));
  }
  if (child.pid === undefined) {
    const error = await new Promise<unknown>((tell) => child.once('error', tell));
    watchdog.drop(marker);
    return failed(whyNotStarted(start, error));
  }
  watchdog.watch(marker, child.pid);
  return ok(new RunningProgram(child, child.pid, marker, start));
}

class RunningProgram implements Program {
  readonly exited: Promise<ProgramExit>;
  readonly #child: Child;
  readonly #marker: string;
  readonly #writeTimeoutMs: number;
  readonly #ended: Promise<void>;
  readonly #hurry = new AbortController();
  #stopping: Promise<void> | null = null;

  constructor(
    child: Child,
    readonly pid: number,
    marker: string,
    start: ProgramStart,
  ) {
    this.#child = child;
    this.#marker = marker;
    this.#writeTimeoutMs = start.writeTimeoutMs ?? WRITE_TIMEOUT_MS;
    child.stdout.on('data', (chunk: Buffer) => start.onStdout(chunk));
    child.stderr.on('data', (chunk: Buffer) => start.onStderr(chunk));
    // A broken pipe is told to the writer; here it only must not take the app down.
    for (const stream of [child, child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
    this.#ended = new Promise((resolve) => child.once('exit', () => resolve()));
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        const told = () => {
          clearTimeout(timer);
          resolve({ code, signal });
        };
        const timer = setTimeout(told, LAST_WORDS_MS);
        child.once('close', told);
      });
    });
    void this.exited.then((exit) => start.onExit?.(exit));
    // Whatever ended it, its children are ended too, and the watchdog lets go only then.
    void this.#ended.then(() => this.stop());
  }

  write(bytes: Uint8Array): Promise<void> {
    const stdin = this.#child.stdin;
    if (!stdin.writable || this.#child.exitCode !== null || this.#child.signalCode !== null) {
      return Promise.reject(new Error('The program no longer takes input.'));
    }
    if (stdin.writableLength > MAX_QUEUED_BYTES) return Promise.reject(new Error('The program does not read its input.'));
    return new Promise((resolve, reject) => {
      let giveUpWaiting = (): void => undefined;
      stdin.write(bytes, (error) => {
        giveUpWaiting();
        if (error) reject(new Error('The program no longer takes input.', { cause: error }));
        else resolve();
      });
      // Most writes are taken at once and need no timer.
      if (stdin.writableLength === 0) return;
      const timer = setTimeout(() => reject(new Error('The program does not read its input.')), this.#writeTimeoutMs);
      giveUpWaiting = () => clearTimeout(timer);
    });
  }

  endInput(): void {
    this.#child.stdin.end();
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  kill(): Promise<void> {
    this.#hurry.abort();
    return this.stop();
  }

  async #stop(): Promise<void> {
    this.endInput();
    await endRun({ group: this.pid, marker: this.#marker, ended: this.#ended, hurry: this.#hurry.signal });
    // Not ended even by KILL: it hangs in the kernel, and waiting longer would hang the app as well.
    await settled(this.exited, 1_000);
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
    watchdog.drop(this.#marker);
  }
}

function whyNotStarted(start: ProgramStart, error: unknown): string {
  // The system reports a missing working folder as a missing program.
  if (!existsSync(start.cwd)) return `The working folder ${start.cwd} does not exist. Create it, or choose another one.`;
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return `${start.realPath} does not exist, or the program named in its first line does not. Check the command.`;
    case 'EACCES':
      return `${start.realPath} is not marked as a program that can run. Mark it as executable, or enter the program that runs it.`;
    case 'E2BIG':
      return `The arguments and variables for ${start.realPath} are too long for this computer. Shorten them.`;
    default:
      return `${start.realPath} could not be started. Check that it is a program for this computer.`;
  }
}
