import { failed, ok, type Result } from '../../src-shared/base/result';
import { type SecretRef, SecretRefSchema } from '../../src-shared/servers/server.schema';
import { SecretNotSavedError, type SecretVault } from '../../src-main/secrets/secret-vault';

/** Keeps secrets in memory, in the order they came. `full` makes the next ones fail. */
export class FakeVault implements SecretVault {
  readonly #values = new Map<SecretRef, string>();
  #nth = 0;
  full = false;

  save(value: string): SecretRef {
    if (this.full) throw new SecretNotSavedError('The secret could not be saved.');
    const ref = SecretRefSchema.parse(`secret-${++this.#nth}`);
    this.#values.set(ref, value);
    return ref;
  }

  replace(ref: SecretRef, value: string): void {
    if (this.full) throw new SecretNotSavedError('The secret could not be saved.');
    this.#values.set(ref, value);
  }

  read(ref: SecretRef): Result<string, 'missing' | 'locked'> {
    const value = this.#values.get(ref);
    return value === undefined ? failed('missing') : ok(value);
  }

  remove(ref: SecretRef): void {
    this.#values.delete(ref);
  }

  knownValues(): readonly string[] {
    return [...this.#values.values()];
  }
}
