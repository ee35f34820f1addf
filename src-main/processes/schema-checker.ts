import { Worker } from 'node:worker_threads';
import type { Clock } from '../../src-shared/base/clock';

/** `unreadable`: the schema cannot be used. `too-slow`: nothing was known when time was up. Both mean "not validated". */
export type SchemaVerdict = 'fits' | 'differs' | 'unreadable' | 'too-slow';

export interface SchemaChecker {
  check(schema: unknown, value: unknown): Promise<SchemaVerdict>;
  end(): void;
}

/** A check that takes longer is ended, together with its thread (R6). */
export const CHECK_MS = 250;
/** The first check of a thread waits for it to be read from disk. */
const START_MS = 2_000;
const IDLE_MS = 30_000;
const THREAD_LIMITS = { maxOldGenerationSizeMb: 64, stackSizeMb: 2 };

/** Checks values against a stranger's schemas in a thread of its own, started at need and ended when idle (R6). */
export class ThreadSchemaChecker implements SchemaChecker {
  readonly #waiting = new Map<number, (verdict: SchemaVerdict) => void>();
  #worker: Worker | undefined;
  #warm = false;
  #cancelIdle: (() => void) | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #nextId = 1;

  constructor(
    private readonly script: string,
    private readonly clock: Clock,
  ) {}

  /** One after another, so that a slow schema takes no time of another's. */
  check(schema: unknown, value: unknown): Promise<SchemaVerdict> {
    const verdict = this.#last.then(() => this.#check(schema, value));
    this.#last = verdict;
    return verdict;
  }

  end(): void {
    this.#cancelIdle?.();
    const worker = this.#worker;
    this.#worker = undefined;
    this.#warm = false;
    void worker?.terminate();
    for (const settle of [...this.#waiting.values()]) settle('too-slow');
  }

  #check(schema: unknown, value: unknown): Promise<SchemaVerdict> {
    this.#cancelIdle?.();
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const cancel = this.clock.after(this.#warm ? CHECK_MS : START_MS, () => this.end());
      this.#waiting.set(id, (verdict) => {
        cancel();
        this.#waiting.delete(id);
        resolve(verdict);
        if (this.#worker) this.#cancelIdle = this.clock.after(IDLE_MS, () => this.end());
      });
      try {
        this.#running().postMessage({ id, schema, value });
      } catch {
        this.end();
      }
    });
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(this.script, { env: {}, resourceLimits: THREAD_LIMITS, stdout: true, stderr: true });
    worker.unref();
    worker.on('message', ({ id, verdict }: { id: number; verdict: SchemaVerdict }) => {
      if (worker !== this.#worker) return;
      this.#warm = true;
      this.#waiting.get(id)?.(verdict);
    });
    const ended = (): void => {
      if (worker === this.#worker) this.end();
    };
    worker.on('error', ended);
    worker.on('exit', ended);
    this.#worker = worker;
    return worker;
  }
}
