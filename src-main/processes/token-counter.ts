import { Worker } from 'node:worker_threads';
import type { Clock } from '../../src-shared/base/clock';

/** A batch that takes longer is given up, together with its thread: its texts stay uncounted. */
const BATCH_MS = 20_000;
const IDLE_MS = 10_000;
const THREAD_LIMITS = { maxOldGenerationSizeMb: 256, stackSizeMb: 2 };

/** Counts o200k tokens in a thread of its own, started at need and ended when idle, so that the main thread never waits (R7). */
export class ThreadTokenCounter {
  readonly #waiting = new Map<number, (counts: number[] | null) => void>();
  #worker: Worker | undefined;
  #cancelIdle: (() => void) | undefined;
  #nextId = 1;

  constructor(
    private readonly script: string,
    private readonly clock: Clock,
  ) {}

  /** Null when they could not be counted. */
  count(texts: readonly string[]): Promise<number[] | null> {
    this.#cancelIdle?.();
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const cancel = this.clock.after(BATCH_MS, () => this.end());
      this.#waiting.set(id, (counts) => {
        cancel();
        this.#waiting.delete(id);
        resolve(counts);
        if (this.#worker && this.#waiting.size === 0) this.#cancelIdle = this.clock.after(IDLE_MS, () => this.end());
      });
      try {
        this.#running().postMessage({ id, texts });
      } catch {
        this.end();
      }
    });
  }

  end(): void {
    this.#cancelIdle?.();
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
    for (const settle of [...this.#waiting.values()]) settle(null);
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(this.script, { env: {}, resourceLimits: THREAD_LIMITS, stdout: true, stderr: true });
    worker.unref();
    worker.on('message', ({ id, counts }: { id: number; counts: number[] }) => {
      if (worker === this.#worker) this.#waiting.get(id)?.(counts);
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
