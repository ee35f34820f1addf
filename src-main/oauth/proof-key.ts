import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, webcrypto } from 'node:crypto';
import { PROOF_ALGORITHMS, type ProofAlgorithm } from '../../src-shared/oauth/proof-rule';
import type { ServerId } from '../../src-shared/servers/server.schema';

/** Signs proofs with one key, and remembers the nonce of each origin. */
export type ProofSession = import('@modelcontextprotocol/client').DpopSession;

const CURVES: Record<ProofAlgorithm, string> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

/** A private key for one sign-in, as the text that is kept as a secret (S5). */
export function newProofKey(algorithm: ProofAlgorithm): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: CURVES[algorithm] });
  return privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
}

/** Opens a kept key. What signs cannot be taken out again. Throws for a text that is no such key. */
export async function openProofKey(text: string): Promise<ProofSession> {
  const der = Buffer.from(text, 'base64');
  const publicHalf = createPublicKey(createPrivateKey({ key: der, type: 'pkcs8', format: 'der' }));
  const { crv = '', x = '', y = '' } = publicHalf.export({ format: 'jwk' });
  const alg = PROOF_ALGORITHMS.find((each) => CURVES[each] === crv);
  if (alg === undefined || y === '') throw new Error('This is no key that proofs are signed with.');
  const publicJwk = { crv, kty: 'EC', x, y };
  const kind = { name: 'ECDSA', namedCurve: crv };
  const spki = publicHalf.export({ type: 'spki', format: 'der' });
  const { DpopSession } = await import('@modelcontextprotocol/client');
  return DpopSession.create({
    keyPair: {
      privateKey: await webcrypto.subtle.importKey('pkcs8', der, kind, false, ['sign']),
      publicKey: await webcrypto.subtle.importKey('spki', spki, kind, true, ['verify']),
      publicJwk,
      // RFC 7638 3.2: the members an EC key needs, in the order of their names, as they stand above.
      thumbprint: createHash('sha256').update(JSON.stringify(publicJwk)).digest('base64url'),
      alg,
    },
  });
}

/** One open key a server: that of its sign-in, and of no other (K3). */
export class ProofSessions {
  readonly #open = new Map<ServerId, { key: string; session: Promise<ProofSession> }>();

  of(id: ServerId, key: string): Promise<ProofSession> {
    const known = this.#open.get(id);
    if (known?.key === key) return known.session;
    const session = openProofKey(key);
    this.#open.set(id, { key, session });
    return session;
  }

  forget(id: ServerId): void {
    this.#open.delete(id);
  }
}
