import type { Clock } from '../../src-shared/base/clock';
import { failed, ok, type Result } from '../../src-shared/base/result';
import type { JsonDocument } from './json-document';

/** What one file held when it could last be read, followed while the app runs (S4, S7). */
export class LiveDocument<T extends object> {
  readonly #document: JsonDocument<T>;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  readonly #stopFollowing: () => void;
  #current: T;
  #problem: string | null = null;
  #reading = 0;

  constructor(parts: { document: JsonDocument<T>; empty: T; clock: Clock }) {
    this.#document = parts.document;
    this.#clock = parts.clock;
    const first = parts.document.read();
    // S4: unreadable at start reads as nothing, so nothing runs.
    this.#current = first.ok ? first.value : parts.empty;
    if (!first.ok) this.#problem = first.problem.message;
    this.#stopFollowing = parts.document.onChange(() => void this.#follow());
  }

  get current(): T {
    return this.#current;
  }

  /** One sentence while the file cannot be read; what it held before stays in force, and nothing new is to start (S4). */
  get problem(): string | null {
    return this.#problem;
  }

  update(change: (current: T) => T): Result<T, string> {
    const written = this.#document.update(change);
    if (!written.ok) return failed(written.problem.message);
    this.#reading++;
    this.#take(written.value);
    return ok(written.value);
  }

  /** The listener hears of changes of the content and of the problem. */
  onChange(listener: () => void): () => void {
    const entry = () => listener();
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  close(): void {
    this.#stopFollowing();
    this.#listeners.clear();
  }

  async #follow(): Promise<void> {
    const reading = ++this.#reading;
    const read = await this.#document.readPatiently(this.#clock);
    if (reading !== this.#reading) return;
    if (read.ok) return this.#take(read.value);
    this.#problem = read.problem.message;
    this.#tell();
  }

  #take(value: T): void {
    const same = this.#problem === null && JSON.stringify(value) === JSON.stringify(this.#current);
    this.#current = value;
    this.#problem = null;
    if (!same) this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
