import { createHmac } from 'node:crypto';
import { canonicalJson } from '../../src-shared/base/canonical-json';
import type { Sealer } from '../../src-main/secrets/sealer';

/** A sealer that works. Another `key` is another run without a keychain, or another computer. */
export function fakeSealer(key = 'one key'): Sealer {
  const seal = (purpose: string, value: unknown) =>
    createHmac('sha256', key)
      .update(canonicalJson([purpose, JSON.parse(JSON.stringify(value))]))
      .digest('hex');
  return { seal, holds: (purpose, value, given) => given === seal(purpose, value) };
}
