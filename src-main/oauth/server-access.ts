import { readChallenge, uniteScopes, type Challenge } from '../../src-shared/oauth/challenge-rule';
import type { ServerId } from '../../src-shared/servers/server.schema';
import type { SignInStore } from './sign-in-store';
import type { TokenRenewal } from './token-renewal';

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

export interface ServerAccessParts {
  id: ServerId;
  /** Tokens made for another address are none. */
  endpoint: string;
  store: SignInStore;
  renewal: TokenRenewal;
  nameOf(): string;
  /** The server answered with a 401. */
  asked(challenge: Challenge, wasAuthorized: boolean): void;
  /** Whether the host took the tokens back. */
  noteLoss(isLost: boolean): void;
  /** Asks the person for the scope named; true when it was granted. */
  stepUp(challenge: Challenge, scopesBefore: string, signal: AbortSignal | undefined): Promise<boolean>;
}

/** Who stands behind the Authorization header of one server at one address (K3). */
export class ServerAccess {
  readonly #parts: ServerAccessParts;

  constructor(parts: ServerAccessParts) {
    this.#parts = parts;
  }

  /** The header's value; null leaves the server's own settings as they are. */
  async authorize(): Promise<string | null> {
    const { id, endpoint, renewal, nameOf, noteLoss } = this.#parts;
    const access = await renewal.freshToken(id, endpoint, nameOf());
    noteLoss(access.kind === 'lost');
    return access.kind === 'token' ? `Bearer ${access.token}` : null;
  }

  /** True when asking once more is worth it. */
  async onUnauthorized(refusal: AccessRefusal): Promise<boolean> {
    const { id, endpoint, renewal, nameOf, asked, noteLoss } = this.#parts;
    const challenge = readChallenge(refusal.header);
    if (refusal.status === 403) return challenge.error === 'insufficient_scope' && this.#stepUp(challenge, refusal);
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
    if (sent !== `Bearer ${kept.access}`) return true;
    const wanted = uniteScopes(kept.record.scope, challenge.scope);
    if (challenge.scope === null || wanted === kept.record.scope) return false;
    return stepUp(challenge, kept.record.scope, signal);
  }
}
