import { failed, ok, type Result } from '../../src-shared/base/result';
import type { Connection, SecretRef, ServerDraft } from '../../src-shared/servers/server.schema';
import { toStoredConnection } from '../../src-shared/servers/stored-draft-rule';
import type { SecretVault } from '../secrets/secret-vault';

/** The part of the vault that a store of entries needs. */
export type SecretKeeper = Pick<SecretVault, 'save' | 'read' | 'replace' | 'remove'>;

/** The secrets of one draft: saved before its entry is written, and put back as they were where it is not written (S5). */
export class DraftSecrets {
  readonly #vault: SecretKeeper;
  readonly #saved: SecretRef[] = [];
  /** Null stands for a secret that was missing. */
  readonly #replaced = new Map<SecretRef, string | null>();

  constructor(vault: SecretKeeper) {
    this.#vault = vault;
  }

  get replacedAny(): boolean {
    return this.#replaced.size > 0;
  }

  /** Saves what was typed anew. `before` is the entry whose secrets the draft replaces. */
  store(draft: ServerDraft['connection'], before: Connection | null): Result<Connection, string> {
    try {
      return ok(toStoredConnection(draft, before, (value, over) => this.#save(value, over)));
    } catch (error) {
      return failed(error instanceof Error ? error.message : 'The secret could not be saved.');
    }
  }

  /** Takes everything back unless the entry was written. */
  settle<T>(written: Result<T, string>): Result<T, string> {
    if (written.ok) return written;
    for (const ref of this.#saved) this.#vault.remove(ref);
    let putBack = true;
    for (const [ref, value] of this.#replaced) putBack = this.#putBack(ref, value) && putBack;
    return putBack ? written : failed(`${written.problem} The secret that stood here before is lost: enter it again.`);
  }

  #save(value: string, over: SecretRef | null): SecretRef {
    const was = over && this.#vault.read(over);
    // One that cannot be opened this time could not be put back, so it is left alone.
    if (over && was && (was.ok || was.problem === 'missing')) {
      this.#vault.replace(over, value);
      this.#replaced.set(over, was.ok ? was.value : null);
      return over;
    }
    const ref = this.#vault.save(value);
    this.#saved.push(ref);
    return ref;
  }

  #putBack(ref: SecretRef, value: string | null): boolean {
    try {
      if (value === null) this.#vault.remove(ref);
      else this.#vault.replace(ref, value);
      return true;
    } catch {
      return false;
    }
  }
}
