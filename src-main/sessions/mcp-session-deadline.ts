import type { Clock } from '../../src-shared/base/clock';

/** A wait that ends. Signs of life may extend it, but never beyond its total. */
export class Deadline {
  /** The longest this wait can take. */
  readonly totalMs: number;
  readonly #clock: Clock;
  readonly #stepMs: number;
  #lastMoment: number;
  readonly #onPassed: () => void;
  #cancel: () => void;
  #passed = false;
  #stopped = false;
  #nextMoment: number;
  /** When it began to stand still; null while it runs. */
  #stillSince: number | null = null;
  /** How many dialogs it stands still for. */
  #dialogs = 0;

  constructor(clock: Clock, stepMs: number, totalMs: number, onPassed: () => void) {
    this.#clock = clock;
    this.#stepMs = stepMs;
    this.totalMs = Math.max(stepMs, totalMs);
    this.#lastMoment = clock.now() + this.totalMs;
    this.#onPassed = onPassed;
    this.#nextMoment = clock.now() + stepMs;
    this.#cancel = clock.after(stepMs, () => this.#pass());
  }

  get passed(): boolean {
    return this.#passed;
  }

  /** How long the wait was when it passed, as its limits put it. */
  get waitedMs(): number {
    return this.#clock.now() >= this.#lastMoment ? this.totalMs : this.#stepMs;
  }

  extend(): void {
    if (this.#passed || this.#stopped) return;
    // While it stands still, what it has left counts from the moment it stopped.
    this.#nextMoment = Math.min((this.#stillSince ?? this.#clock.now()) + this.#stepMs, this.#lastMoment);
    if (this.#stillSince === null) this.#arm();
  }

  /** Stands still until every returned function is called: neither the step nor the total runs on meanwhile (W3). */
  pause(): () => void {
    const since = this.#stillSince ?? this.#clock.now();
    this.#stillSince = since;
    this.#dialogs += 1;
    this.#cancel();
    let over = false;
    return () => {
      if (over) return;
      over = true;
      this.#dialogs -= 1;
      if (this.#dialogs > 0) return;
      this.#stillSince = null;
      const stood = this.#clock.now() - since;
      this.#lastMoment += stood;
      this.#nextMoment += stood;
      if (!this.#passed && !this.#stopped) this.#arm();
    };
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #arm(): void {
    this.#cancel();
    this.#cancel = this.#clock.after(Math.max(0, this.#nextMoment - this.#clock.now()), () => this.#pass());
  }

  #pass(): void {
    this.#passed = true;
    this.#onPassed();
  }
}
