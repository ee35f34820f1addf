import type { Clock } from '../../src-shared/base/clock';

/** A wait that ends. Signs of life may extend it, but never beyond its total. */
export class Deadline {
  /** The longest this wait can take. */
  readonly totalMs: number;
  readonly #clock: Clock;
  readonly #stepMs: number;
  readonly #lastMoment: number;
  readonly #onPassed: () => void;
  #cancel: () => void;
  #passed = false;

  constructor(clock: Clock, stepMs: number, totalMs: number, onPassed: () => void) {
    this.#clock = clock;
    this.#stepMs = stepMs;
    this.totalMs = Math.max(stepMs, totalMs);
    this.#lastMoment = clock.now() + this.totalMs;
    this.#onPassed = onPassed;
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
    if (this.#passed) return;
    this.#cancel();
    const rest = Math.max(0, this.#lastMoment - this.#clock.now());
    this.#cancel = this.#clock.after(Math.min(this.#stepMs, rest), () => this.#pass());
  }

  stop(): void {
    this.#cancel();
  }

  #pass(): void {
    this.#passed = true;
    this.#onPassed();
  }
}
