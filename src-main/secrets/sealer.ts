import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../../src-shared/base/canonical-json';

/** Marks values as written by this app, so that whoever merely edits a file cannot turn anything on (S10). */
export interface Sealer {
  /** HMAC-SHA-256 of the value. `purpose` keeps a seal for one thing from standing for another. */
  seal(purpose: string, value: unknown): string;
  /** False for a wrong, a malformed and a missing seal alike. */
  holds(purpose: string, value: unknown, seal: unknown): boolean;
}

/** Derives a key for one use. Different labels give unrelated keys. */
export function deriveKey(masterKey: Buffer, label: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, 'Portcullis', label, 32));
}

export function makeSealer(masterKey: Buffer): Sealer {
  // Deriving a key costs more than the seal itself, and a thousand grants share one.
  const keys = new Map<string, Buffer>();
  const keyFor = (purpose: string): Buffer => {
    const key = keys.get(purpose) ?? deriveKey(masterKey, `seal:${purpose}`);
    keys.set(purpose, key);
    return key;
  };
  const sealOf = (purpose: string, value: unknown): string => {
    // Sealed as it reads once it has been through a file, where fields that are undefined are gone.
    const stored = JSON.parse(JSON.stringify(value ?? null));
    return createHmac('sha256', keyFor(purpose)).update(canonicalJson(stored)).digest('base64url');
  };
  return {
    seal: sealOf,
    holds: (purpose, value, seal) => {
      if (typeof seal !== 'string') return false;
      const given = Buffer.from(seal);
      const expected = Buffer.from(sealOf(purpose, value));
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
