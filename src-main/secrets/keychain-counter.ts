import type { Keychain } from './keychain';

/** A number in the keychain that only rises, so that a file which carries it cannot be replaced by an older one unnoticed (S10). */
export interface Counter {
  readonly value: number;
  /** At once for this run; the keychain follows in the background. A lower number changes nothing. */
  raise(to: number): void;
  /** Resolves when the keychain has what it will get. */
  settled(): Promise<void>;
}

/** A counter that starts at `value`. Without a keychain it lasts for this run. */
export function openCounter(parts: { value: number; keep: { keychain: Keychain; account: string } | null }): Counter {
  return new KeptCounter(parts.value, parts.keep);
}

/** What the keychain holds, as a number. Nothing there, and what no counter wrote, is 0. */
export const countIn = (item: string | null): number => (item !== null && /^\d{1,15}$/.test(item) ? Number(item) : 0);

class KeptCounter implements Counter {
  readonly #keep: { keychain: Keychain; account: string } | null;
  #value: number;
  #kept: number;
  #isKeeping = false;
  #keeping: Promise<void> = Promise.resolve();

  constructor(value: number, keep: { keychain: Keychain; account: string } | null) {
    this.#value = value;
    this.#kept = value;
    this.#keep = keep;
  }

  get value(): number {
    return this.#value;
  }

  raise(to: number): void {
    if (to <= this.#value) return;
    this.#value = to;
    if (this.#keep && !this.#isKeeping) this.#keeping = this.#write(this.#keep);
  }

  settled(): Promise<void> {
    return this.#keeping;
  }

  /** One write at a time, of the number as it is by then. What fails is tried again with the next rise, or at the next start. */
  async #write({ keychain, account }: { keychain: Keychain; account: string }): Promise<void> {
    this.#isKeeping = true;
    try {
      while (this.#kept < this.#value) {
        const to = this.#value;
        // A second process can have gone further, and the number must not fall behind it.
        const there = await keychain.read(account);
        if (!there.ok) return;
        const count = countIn(there.value);
        if (count < to && !(await keychain.write(account, String(to))).ok) return;
        this.#kept = Math.max(to, count);
      }
    } finally {
      this.#isKeeping = false;
    }
  }
}
