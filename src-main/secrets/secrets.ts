import { createHash, randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { KeychainState } from '../../src-shared/settings/shell.schema';
import { openJsonDocument, type JsonDocument } from '../storage/json-document';
import type { Keychain } from './keychain';
import { countIn, openCounter, type Counter } from './keychain-counter';
import { deriveKey, makeSealer, type Sealer } from './sealer';
import { EMPTY_SECRETS_FILE, openVault, SecretsFileSchema, type SecretsFile, type SecretVault } from './secret-vault';

/** Everything that hangs on the one master key (S5, S10). */
export interface Secrets {
  readonly state: KeychainState;
  readonly vault: SecretVault;
  readonly sealer: Sealer;
  /** A key of 32 bytes for one purpose. Without a keychain it lasts until the app ends. */
  keyFor(purpose: string): Buffer;
  /** How often this profile's trust file was written. An older file has a lower number and does not count (S10). */
  readonly trustGeneration: Counter;
}

const ACCOUNT = 'master-key-v1';
const KEY_BYTES = 32;

// Profiles share the keychain. The folder tells them apart, and not a name from a file in it, which its writer could choose anew.
const generationAccount = (folder: string): string =>
  `trust-generation-v1-${createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16)}`;

/** Says that a master key was made. Without it, "locked" would look like "never made", and a new key would orphan every secret. */
const IndexSchema = z.object({ masterKeyMadeAt: z.number().nullable() });
type Index = z.infer<typeof IndexSchema>;

/**
 * Reads or makes the master key and reads the counter, then lets go of the keychain.
 * Whenever the state is not `ready`, nothing is written: secrets and seals last for this run only.
 */
export async function openSecrets(parts: { folder: string; keychain: Keychain }): Promise<Secrets> {
  const { folder, keychain } = parts;
  const index = openJsonDocument<Index>({
    file: join(folder, 'keychain-index.json'),
    schema: IndexSchema,
    empty: { masterKeyMadeAt: null },
  });
  const document = openJsonDocument<SecretsFile>({
    file: join(folder, 'secrets.json'),
    schema: SecretsFileSchema,
    empty: EMPTY_SECRETS_FILE,
  });
  try {
    const account = generationAccount(folder);
    const { state, key, generation } = await withGeneration(await masterKey(keychain, index, document), keychain, account);
    const runKey = key ?? randomBytes(KEY_BYTES);
    return {
      state,
      vault: openVault({ document, key: key && deriveKey(key, 'vault') }),
      sealer: makeSealer(runKey),
      keyFor: (purpose) => deriveKey(runKey, `key:${purpose}`),
      // Seals of another run do not hold without the key, so there is nothing to hold a number against.
      trustGeneration: openCounter({ value: generation, keep: key && { keychain, account } }),
    };
  } finally {
    keychain.end();
  }
}

type Opened = { state: 'ready'; key: Buffer } | { state: Exclude<KeychainState, 'ready'>; key: null };

async function withGeneration(opened: Opened, keychain: Keychain, account: string): Promise<Opened & { generation: number }> {
  if (opened.key === null) return { ...opened, generation: 0 };
  const found = await keychain.read(account);
  // Read as 0, an older trust file would count again. So a keychain that gave the key and then fell silent gave nothing.
  return found.ok ? { ...opened, generation: countIn(found.value) } : { state: 'absent', key: null, generation: 0 };
}

async function masterKey(keychain: Keychain, index: JsonDocument<Index>, document: JsonDocument<SecretsFile>): Promise<Opened> {
  const found = await keychain.read(ACCOUNT);
  if (!found.ok) return { state: 'absent', key: null };
  if (found.value !== null) return ready(found.value, index);
  if (wasMade(index, document)) return { state: 'locked', key: null };

  const made = randomBytes(KEY_BYTES).toString('base64');
  const written = await keychain.write(ACCOUNT, made);
  if (!written.ok) return { state: 'memory-only', key: null };
  // Read back, because a second process can have made one in the same moment, and because not every keychain keeps what it takes.
  const kept = await keychain.read(ACCOUNT);
  if (!kept.ok || kept.value === null) return { state: 'memory-only', key: null };
  return ready(kept.value, index);
}

function ready(encoded: string, index: JsonDocument<Index>): Opened {
  const key = Buffer.from(encoded, 'base64');
  // Something else stands under our name. It is not ours to replace.
  if (key.length !== KEY_BYTES) return { state: 'locked', key: null };
  index.update((current) => (current.masterKeyMadeAt === null ? { masterKeyMadeAt: Date.now() } : current));
  return { state: 'ready', key };
}

/** In doubt yes: a file that cannot be read, or secrets without an index, speak for a key that exists. */
function wasMade(index: JsonDocument<Index>, document: JsonDocument<SecretsFile>): boolean {
  const indexed = index.read();
  const stored = document.read();
  if (!indexed.ok || !stored.ok) return true;
  return indexed.value.masterKeyMadeAt !== null || Object.keys(stored.value.secrets).length > 0;
}
