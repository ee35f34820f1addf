/** Which generation of the protocol a server speaks: stateless since 2026-07-28, or with a session. */
export type Era = 'modern' | 'legacy';

/** Remembers each server's era by launch fingerprint, so that a later start asks in the right way at once. */
export class EraMemory {
  readonly #eras: Map<string, Era>;

  constructor(known: Iterable<readonly [fingerprint: string, era: Era]> = []) {
    this.#eras = new Map(known);
  }

  of(fingerprint: string): Era | undefined {
    return this.#eras.get(fingerprint);
  }

  remember(fingerprint: string, era: Era): void {
    this.#eras.set(fingerprint, era);
  }

  forget(fingerprint: string): void {
    this.#eras.delete(fingerprint);
  }

  /** Everything known, for a caller that keeps it beyond this run. */
  entries(): readonly (readonly [fingerprint: string, era: Era])[] {
    return [...this.#eras];
  }
}
