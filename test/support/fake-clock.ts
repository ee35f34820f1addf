import type { Clock } from '../../src-shared/base/clock';

/** A clock that moves only when a test says so. */
export class FakeClock implements Clock {
  #now: number;
  #tasks: { dueAt: number; run: () => void }[] = [];

  constructor(now = 1_700_000_000_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): () => void {
    const task = { dueAt: this.#now + delayMs, run };
    this.#tasks.push(task);
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== task);
    };
  }

  /** Runs everything that falls due, in order. Code that awaits between two timers needs `advanceSettling`. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (let next = this.#nextDue(until); next; next = this.#nextDue(until)) this.#runTask(next);
    this.#now = until;
  }

  /** Like `advance`, and lets promises settle before and after each timer. */
  async advanceSettling(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (let next = this.#nextDue(until); next; next = this.#nextDue(until)) {
      this.#runTask(next);
      await settle();
    }
    this.#now = until;
  }

  /** Time goes on and no timer runs, as while a computer sleeps. */
  sleep(ms: number): void {
    this.#now += ms;
  }

  /** How many timers are still to run. */
  get waiting(): number {
    return this.#tasks.length;
  }

  #runTask(task: { dueAt: number; run: () => void }): void {
    this.#tasks.splice(this.#tasks.indexOf(task), 1);
    this.#now = task.dueAt;
    task.run();
  }

  #nextDue(until: number) {
    return this.#tasks.filter((task) => task.dueAt <= until).sort((a, b) => a.dueAt - b.dueAt)[0];
  }
}

/** One turn of the event loop: every promise that can settle without I/O has settled. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
