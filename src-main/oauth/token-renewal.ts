import type { Clock } from '../../src-shared/base/clock';
import { isBound } from '../../src-shared/oauth/proof-rule';
import { checkEndpoint } from '../../src-shared/servers/endpoint-rule';
import type { SignInRecord } from '../../src-shared/oauth/sign-in.schema';
import type { ServerId } from '../../src-shared/servers/server.schema';
import type { FetchLike } from '../egress/door-fetch';
import { askForOwnTokens, type OwnGrant } from './client-credentials';
import type { ProofSession, ProofSessions } from './proof-key';
import { renewalTime } from './renewal-time';
import { SignInProblem, UNUSED_KIND } from './sign-in-problem';
import type { KeptTokens, SignInStore } from './sign-in-store';

export type Access =
  | { kind: 'token'; token: string; key: string | null }
  /** Never signed in at this address. */
  | { kind: 'none' }
  /** The host took the tokens back, so they were thrown away. */
  | { kind: 'lost' }
  /** It could not be renewed just now; what is kept stays. */
  | { kind: 'stale' };

export interface RenewalParts {
  clock: Clock;
  store: SignInStore;
  proofs: ProofSessions;
  fetchFor(id: ServerId, name: string, leaves: boolean): FetchLike;
}

/** Hands out the token of one server, and renews it without asking, one renewal at a time (K3). */
export class TokenRenewal {
  readonly #parts: RenewalParts;
  readonly #running = new Map<ServerId, Promise<Access>>();

  constructor(parts: RenewalParts) {
    this.#parts = parts;
  }

  /** The token to send now, renewed first when its time is up. */
  async freshToken(id: ServerId, endpoint: string, name: string): Promise<Access> {
    const running = this.#running.get(id);
    if (running) await running;
    const kept = this.#parts.store.tokensOf(id, endpoint);
    if (!kept) return { kind: 'none' };
    const isDue = kept.record.renewAt !== null && this.#parts.clock.now() >= kept.record.renewAt;
    if (!isDue || !this.#canRenew(kept)) return tokenOf(kept);
    const renewed = await this.#renew(id, name, kept);
    // Its host is not to be reached just now: the old one has perhaps a moment left.
    return renewed.kind === 'stale' ? tokenOf(kept) : renewed;
  }

  /** The server refused what was `sent`. A newer token is worth a try; else one renewal is. */
  async renewAfter(id: ServerId, endpoint: string, name: string, sent: string): Promise<Access> {
    const running = this.#running.get(id);
    if (running) await running;
    const kept = this.#parts.store.tokensOf(id, endpoint);
    if (!kept) return { kind: 'lost' };
    if (sent !== authorizationOf(kept.access, kept.key)) return tokenOf(kept);
    if (this.#canRenew(kept)) return this.#renew(id, name, kept);
    this.#parts.store.forgetTokens(id);
    return { kind: 'lost' };
  }

  /** Where the app signs in for itself it asks anew, with what was entered. */
  #canRenew({ record, refresh }: KeptTokens): boolean {
    return refresh !== null || this.#parts.store.clientOf(record.serverId).kind === 'itself';
  }

  #renew(id: ServerId, name: string, kept: KeptTokens): Promise<Access> {
    const known = this.#running.get(id);
    if (known) return known;
    const running = this.#renewed(id, name, kept).finally(() => this.#running.delete(id));
    this.#running.set(id, running);
    return running;
  }

  async #renewed(id: ServerId, name: string, { record, refresh, key }: KeptTokens): Promise<Access> {
    const { store, clock } = this.#parts;
    const sdk = await import('@modelcontextprotocol/client');
    const checked = checkEndpoint(record.endpoint);
    try {
      const fetch = this.#parts.fetchFor(id, name, !checked.ok || checked.value.leaves);
      const session = key === null ? null : await this.#parts.proofs.of(id, key);
      const own = this.#ownGrant(id, name, record, session);
      const tokens = own
        ? await askForOwnTokens(own, fetch)
        : await sdk.refreshAuthorization(record.issuer, {
            metadata: {
              issuer: record.issuer,
              authorization_endpoint: record.tokenEndpoint,
              token_endpoint: record.tokenEndpoint,
              response_types_supported: ['code'],
              token_endpoint_auth_methods_supported: record.authMethods,
            },
            clientInformation: {
              client_id: record.clientId,
              client_secret: store.secretOf(record.clientSecretRef),
              ...(record.clientAuthMethod === null ? {} : { token_endpoint_auth_method: record.clientAuthMethod }),
            },
            refreshToken: refresh ?? '',
            ...(record.resource === null ? {} : { resource: record.resource }),
            ...(session ? { dpop: session } : {}),
            fetchFn: fetch,
          });
      // Bound tokens are not renewed into ones that anyone can use.
      const bound = isBound(tokens.token_type, { withProof: session !== null, mustBind: session !== null });
      if (!bound.ok) throw new SignInProblem(UNUSED_KIND(name));
      // Signed out meanwhile: what came is not kept, and not used.
      if (store.recordOf(id)?.accessRef !== record.accessRef) return { kind: 'none' };
      store.renew(record, {
        access: tokens.access_token,
        refresh: tokens.refresh_token ?? refresh,
        renewAt: renewalTime(clock.now(), tokens.expires_in),
        scope: tokens.scope ?? record.scope,
      });
      return { kind: 'token', token: tokens.access_token, key };
    } catch (error) {
      const code = error instanceof sdk.OAuthError ? error.code : null;
      if (code === null || !ENDS_IT.has(code)) return { kind: 'stale' };
      store.forgetTokens(id);
      return { kind: 'lost' };
    }
  }

  #ownGrant(id: ServerId, serverName: string, record: SignInRecord, session: ProofSession | null): OwnGrant | null {
    const client = this.#parts.store.clientOf(id);
    const secret = client.kind === 'itself' ? this.#parts.store.secretOf(client.secretRef) : undefined;
    if (client.kind !== 'itself' || secret === undefined) return null;
    const { clientId, proof } = client;
    const { issuer, tokenEndpoint, authMethods, scope, resource } = record;
    const now = this.#parts.clock.now();
    const grant = { serverName, clientId, proof, secret, issuer, tokenEndpoint, authMethods, scope, resource, now };
    return { ...grant, session, mustBind: session !== null };
  }
}

/** What stands in the Authorization header: a bound token is never sent as one that anyone can use (RFC 9449 7.1). */
export const authorizationOf = (token: string, key: string | null): string => `${key === null ? 'Bearer' : 'DPoP'} ${token}`;

const tokenOf = (kept: KeptTokens): Access => ({ kind: 'token', token: kept.access, key: kept.key });

/** RFC 6749 5.2: the grant, or the client itself, is no longer known. Anything else can pass. */
const ENDS_IT: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client']);
