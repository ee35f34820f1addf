import type { Clock } from '../../src-shared/base/clock';

export interface TokenCostParts {
  clock: Clock;
  /** Null when they could not be counted. */
  count(texts: readonly string[]): Promise<number[] | null>;
  /** Some counts are known now that were not. */
  changed(): void;
}

/** Off the start path: whoever opens the app does not wait for what it costs. */
const FIRST_MS = 1_500;
const NEXT_MS = 50;
/** Making the texts of one batch takes the main thread no longer than this. */
const SLICE_MS = 20;
const MAX_BATCH = 200;
const MAX_KEPT = 20_000;

/** What each tool costs a model in tokens, about: counted once for each text, in the background (R7). */
export class TokenCosts {
  readonly #counts = new Map<string, number | null>();
  readonly #wanted = new Map<string, () => string>();
  #warm = false;
  #waits = false;

  constructor(private readonly parts: TokenCostParts) {}

  /** Null while it is not known. `key` names the text; it is made only when its turn comes. */
  of(key: string, text: () => string): number | null {
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    this.#wanted.set(key, text);
    this.#countLater();
    return null;
  }

  #countLater(): void {
    if (this.#waits) return;
    this.#waits = true;
    this.parts.clock.after(this.#warm ? NEXT_MS : FIRST_MS, () => void this.#countSome());
  }

  async #countSome(): Promise<void> {
    this.#warm = true;
    const keys: string[] = [];
    const texts: string[] = [];
    const until = this.parts.clock.now() + SLICE_MS;
    for (const [key, text] of this.#wanted) {
      keys.push(key);
      texts.push(text());
      this.#wanted.delete(key);
      if (texts.length >= MAX_BATCH || this.parts.clock.now() >= until) break;
    }
    const counts = await this.parts.count(texts);
    if (this.#counts.size + keys.length > MAX_KEPT) this.#counts.clear();
    // What could not be counted is not tried again in this run: the next try would take as long.
    for (const [index, key] of keys.entries()) this.#counts.set(key, counts?.[index] ?? null);
    this.#waits = false;
    if (this.#wanted.size > 0) this.#countLater();
    this.parts.changed();
  }
}
