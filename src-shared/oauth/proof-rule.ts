import { failed, ok, type Result } from '../base/result';

/** What a key of this app can sign proofs with, the most usual first. */
export const PROOF_ALGORITHMS = ['ES256', 'ES384', 'ES512'] as const;
export type ProofAlgorithm = (typeof PROOF_ALGORITHMS)[number];

export interface ProofFacts {
  /** What the sign-in host lists; undefined when it does not speak of proofs (RFC 9449 5.1). */
  host: readonly string[] | undefined;
  /** What the server lists (RFC 9728 2). */
  resource: readonly string[] | undefined;
  /** The server takes no token that is not bound to a key (RFC 9728 2). */
  required: boolean;
}

/** How tokens are bound to a key of this app (RFC 9449); null where they are not. A server that demands it is not signed in to without. */
export function chooseProof({ host, resource, required }: ProofFacts): Result<ProofAlgorithm | null, 'no-common-algorithm'> {
  // The host's list is optional: a server that demands proofs knows what its host can do.
  const offered = host ?? (required ? PROOF_ALGORITHMS : []);
  const chosen = PROOF_ALGORITHMS.find((each) => offered.includes(each) && (resource?.includes(each) ?? true));
  if (chosen !== undefined) return ok(chosen);
  return required ? failed('no-common-algorithm') : ok(null);
}

/** Whether tokens are bound to the key that signed the request for them; a host says so by their kind (RFC 9449 5). */
export function isBound(tokenType: string, asked: { withProof: boolean; mustBind: boolean }): Result<boolean, 'unused-kind'> {
  const kind = tokenType.toLowerCase();
  if (kind === 'dpop' && asked.withProof) return ok(true);
  return kind === 'bearer' && !asked.mustBind ? ok(false) : failed('unused-kind');
}

/** RFC 9449 8.1. A text with anything else in it, or longer than any host's, is no nonce and is not sent back. */
export function readNonce(text: string | undefined): string | null {
  return text !== undefined && /^[\x21\x23-\x5b\x5d-\x7e]{1,1024}$/.test(text) ? text : null;
}
