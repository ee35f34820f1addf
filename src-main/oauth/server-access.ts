import { asksForNonce, readChallenge, uniteScopes, type Challenge } from '../../src-shared/oauth/challenge-rule';
import { readNonce } from '../../src-shared/oauth/proof-rule';
import type { ServerId } from '../../src-shared/servers/server.schema';
import type { ProofSessions } from './proof-key';
import type { SignInStore } from './sign-in-store';
import { authorizationOf, type TokenRenewal } from './token-renewal';

/** A 401 or 403 as the transport saw it. */
export interface AccessRefusal {
  status: number;
  /** The WWW-Authenticate header. */
  header: string | undefined;
  /** What was sent as Authorization from here; null when nothing was. */
  sent: string | null;
  /** Whether a person can be asked for more on behalf of this request. */
  mayStepUp: boolean;
  signal?: AbortSignal | undefined;
}

/** The answer to a request that carried a proof. */
export interface ProvedAnswer {
  url: string;
  status: number;
  /** The WWW-Authenticate header. */
  header: string | undefined;
  /** The DPoP-Nonce header. */
  nonce: string | undefined;
}

export interface ServerAccessParts {
  id: ServerId;
  /** Tokens made for another address are none. */
  endpoint: string;
  store: SignInStore;
  renewal: TokenRenewal;
  proofs: ProofSessions;
  nameOf(): string;
  /** The server answered with a 401. */
  asked(challenge: Challenge, wasAuthorized: boolean): void;
  /** Whether the host took the tokens back. */
  noteLoss(isLost: boolean): void;
  /** Asks the person for the scope named; true when it was granted. */
  stepUp(challenge: Challenge, scopesBefore: string, signal: AbortSignal | undefined): Promise<boolean>;
}

/** What goes along with one request; none of it leaves the server's own settings as they are. */
export interface AccessHeaders {
  authorization?: string;
  /** The proof that the key of the tokens is here (RFC 9449 4). */
  dpop?: string;
}

/** Who stands behind the Authorization header of one server at one address (K3). */
export class ServerAccess {
  readonly #parts: ServerAccessParts;

  constructor(parts: ServerAccessParts) {
    this.#parts = parts;
  }

  /** A token that is bound to a key goes with a proof made for this one request. */
  async authorize({ method, url }: { method: string; url: string }): Promise<AccessHeaders> {
    const { id, endpoint, renewal, proofs, nameOf, noteLoss } = this.#parts;
    const access = await renewal.freshToken(id, endpoint, nameOf());
    noteLoss(access.kind === 'lost');
    if (access.kind !== 'token') return {};
    const { token, key } = access;
    const authorization = authorizationOf(token, key);
    if (key === null) return { authorization };
    const session = await proofs.of(id, key);
    return { authorization, dpop: await session.buildProof({ htm: method, htu: url, accessToken: token }) };
  }

  /** Keeps the nonce of any answer (RFC 9449 8.2). True when that was all that was missing. */
  async noteNonce({ url, status, header, nonce }: ProvedAnswer): Promise<boolean> {
    const { id, endpoint, store, proofs } = this.#parts;
    const key = store.tokensOf(id, endpoint)?.key ?? null;
    const text = readNonce(nonce);
    if (key === null || text === null) return false;
    (await proofs.of(id, key)).rememberNonce(url, text);
    return status === 401 && asksForNonce(header);
  }

  /** True when asking once more is worth it. */
  async onUnauthorized(refusal: AccessRefusal): Promise<boolean> {
    const { id, endpoint, renewal, nameOf, asked, noteLoss } = this.#parts;
    const challenge = readChallenge(refusal.header);
    if (refusal.status === 403) return challenge.error === 'insufficient_scope' && this.#stepUp(challenge, refusal);
    // What was wrong is the proof, so the token is kept as it is.
    if (refusal.sent?.startsWith('DPoP ') && asksForNonce(refusal.header)) return false;
    asked(challenge, refusal.sent !== null);
    if (refusal.sent === null) return false;
    const renewed = await renewal.renewAfter(id, endpoint, nameOf(), refusal.sent);
    noteLoss(renewed.kind === 'lost');
    return renewed.kind === 'token';
  }

  /** Asks the person for more, once, and never for less than before (K1). */
  async #stepUp(challenge: Challenge, { sent, mayStepUp, signal }: AccessRefusal): Promise<boolean> {
    const { id, endpoint, store, stepUp } = this.#parts;
    const kept = store.tokensOf(id, endpoint);
    if (sent === null || !mayStepUp || !kept || signal?.aborted) return false;
    // Another call was quicker, and what it brought is worth a try.
    if (sent !== authorizationOf(kept.access, kept.key)) return true;
    const wanted = uniteScopes(kept.record.scope, challenge.scope);
    if (challenge.scope === null || wanted === kept.record.scope) return false;
    return stepUp(challenge, kept.record.scope, signal);
  }
}
