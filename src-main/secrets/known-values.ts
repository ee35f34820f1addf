/** Every value that is masked by now: what the vault keeps, and what was filled in from variables in this run (S5, S6). */
export class KnownValues {
  readonly #kept: () => readonly string[];
  readonly #filledIn = new Set<string>();
  #joined: { kept: readonly string[]; filledIn: number; all: readonly string[] } | null = null;

  constructor(kept: () => readonly string[]) {
    this.#kept = kept;
  }

  add(values: readonly string[]): void {
    for (const value of values) this.#filledIn.add(value);
  }

  /** The same list until there is more: what searches for them is made anew for each new one. */
  all(): readonly string[] {
    const kept = this.#kept();
    const filledIn = this.#filledIn.size;
    if (this.#joined?.kept !== kept || this.#joined.filledIn !== filledIn) {
      this.#joined = { kept, filledIn, all: filledIn === 0 ? kept : [...kept, ...this.#filledIn] };
    }
    return this.#joined.all;
  }
}
