import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { SecretRefSchema, type SecretRef } from '../../src-shared/servers/server.schema';
import type { JsonDocument } from '../storage/json-document';

const SealedSecretSchema = z.object({ iv: z.base64(), tag: z.base64(), data: z.base64() });
type SealedSecret = z.infer<typeof SealedSecretSchema>;

/** The secrets file. References and ciphertext only: a value stands nowhere in the clear (S5). */
export const SecretsFileSchema = z.object({ version: z.literal(1), secrets: z.record(z.string(), SealedSecretSchema) });
export type SecretsFile = z.infer<typeof SecretsFileSchema>;
export const EMPTY_SECRETS_FILE: SecretsFile = { version: 1, secrets: {} };

/** Keeps secret values behind references. */
export interface SecretVault {
  /** Throws a SecretNotSavedError when the file cannot be written; the message is for people. */
  save(value: string): SecretRef;
  /** Puts another value behind the reference, and throws as `save` does; then the value before still stands. */
  replace(ref: SecretRef, value: string): void;
  /** `locked`: it is in the file and cannot be opened this time. `missing`: there is none, enter it again. */
  read(ref: SecretRef): Result<string, 'missing' | 'locked'>;
  remove(ref: SecretRef): void;
  /** Every value seen in this run, removed and replaced ones too: what `maskSecrets` takes out. The same array until it changes. */
  knownValues(): readonly string[];
}

export class SecretNotSavedError extends Error {
  override readonly name = 'SecretNotSavedError';
  readonly code = 'SECRET_NOT_SAVED';
}

/** Opens the vault. Without a key, old secrets stay closed and untouched and new ones live in memory until the app ends. */
export function openVault(parts: { document: JsonDocument<SecretsFile>; key: Buffer | null }): SecretVault {
  const vault = new FileVault(parts.document, parts.key);
  vault.load();
  if (parts.key) parts.document.onChange(() => vault.load());
  return vault;
}

class FileVault implements SecretVault {
  readonly #document: JsonDocument<SecretsFile>;
  readonly #key: Buffer | null;
  /** Opened or made in this run. */
  readonly #open = new Map<SecretRef, string>();
  #known: readonly string[] = [];

  constructor(document: JsonDocument<SecretsFile>, key: Buffer | null) {
    this.#document = document;
    this.#key = key;
  }

  /** Opens what the file holds, so that masking knows it, also what another process saved or replaced (S7). */
  load(): void {
    if (!this.#key) return;
    const file = this.#document.read();
    if (!file.ok) return;
    for (const [name, sealed] of Object.entries(file.value.secrets)) {
      const ref = SecretRefSchema.safeParse(name);
      if (!ref.success) continue;
      const value = unlock(this.#key, ref.data, sealed);
      if (value !== undefined) this.#remember(ref.data, value);
    }
  }

  save(value: string): SecretRef {
    const ref = SecretRefSchema.parse(`secret-${randomUUID()}`);
    this.#write(ref, value);
    return ref;
  }

  replace(ref: SecretRef, value: string): void {
    const before = this.read(ref);
    // Kept in memory alone, it would be the old value again at the next start.
    if (!this.#key && !before.ok && before.problem === 'locked') {
      throw new SecretNotSavedError('The keychain is locked, so a saved secret cannot be replaced. Unlock it, then start again.');
    }
    this.#write(ref, value);
  }

  read(ref: SecretRef): Result<string, 'missing' | 'locked'> {
    const open = this.#open.get(ref);
    if (open !== undefined) return ok(open);
    const file = this.#document.read();
    if (!file.ok) return failed('locked');
    const sealed = Object.hasOwn(file.value.secrets, ref) ? file.value.secrets[ref] : undefined;
    if (!sealed) return failed('missing');
    if (!this.#key) return failed('locked');
    // Made under another key or tampered with: no unlocking will ever open it.
    const value = unlock(this.#key, ref, sealed);
    if (value === undefined) return failed('missing');
    this.#remember(ref, value);
    return ok(value);
  }

  remove(ref: SecretRef): void {
    this.#open.delete(ref);
    this.#document.update((file) => ({
      ...file,
      secrets: Object.fromEntries(Object.entries(file.secrets).filter(([name]) => name !== ref)),
    }));
  }

  knownValues(): readonly string[] {
    return this.#known;
  }

  #write(ref: SecretRef, value: string): void {
    if (this.#key) {
      const sealed = lock(this.#key, ref, value);
      const saved = this.#document.update((file) => ({ ...file, secrets: { ...file.secrets, [ref]: sealed } }));
      if (!saved.ok) throw new SecretNotSavedError(saved.problem.message);
    }
    this.#remember(ref, value);
  }

  #remember(ref: SecretRef, value: string): void {
    this.#open.set(ref, value);
    if (!this.#known.includes(value)) this.#known = [...this.#known, value];
  }
}

/** Binds the ciphertext to its reference, so that two entries of the file cannot be swapped. */
const boundTo = (ref: SecretRef) => Buffer.from(`${ref}\nversion 1`);

function lock(key: Buffer, ref: SecretRef, value: string): SealedSecret {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(boundTo(ref));
  const data = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return { iv: iv.toString('base64'), tag: cipher.getAuthTag().toString('base64'), data: data.toString('base64') };
}

function unlock(key: Buffer, ref: SecretRef, sealed: SealedSecret): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(sealed.iv, 'base64'), { authTagLength: 16 })
      .setAAD(boundTo(ref))
      .setAuthTag(Buffer.from(sealed.tag, 'base64'));
    return Buffer.concat([decipher.update(sealed.data, 'base64'), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
