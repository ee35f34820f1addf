import type { Clock } from '../../src-shared/base/clock';
import { checkEndpoint } from '../../src-shared/servers/endpoint-rule';
import type { ServerId } from '../../src-shared/servers/server.schema';
import type { FetchLike } from '../egress/door-fetch';
import { renewalTime } from './renewal-time';
import type { KeptTokens, SignInStore } from './sign-in-store';

export type Access =
  | { kind: 'token'; token: string }
  /** Never signed in at this address. */
  | { kind: 'none' }
  /** The host took the tokens back, so they were thrown away. */
  | { kind: 'lost' }
  /** It could not be renewed just now; what is kept stays. */
  | { kind: 'stale' };

export interface RenewalParts {
  clock: Clock;
  store: SignInStore;
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
    if (!isDue || kept.refresh === null) return { kind: 'token', token: kept.access };
    const renewed = await this.#renew(id, name, kept);
    // Its host is not to be reached just now: the old one has perhaps a moment left.
    return renewed.kind === 'stale' ? { kind: 'token', token: kept.access } : renewed;
  }

  /** The server refused what was `sent`. A newer token is worth a try; else one renewal is. */
  async renewAfter(id: ServerId, endpoint: string, name: string, sent: string): Promise<Access> {
    const running = this.#running.get(id);
    if (running) await running;
    const kept = this.#parts.store.tokensOf(id, endpoint);
    if (!kept) return { kind: 'lost' };
    if (sent !== `Bearer ${kept.access}`) return { kind: 'token', token: kept.access };
    if (kept.refresh !== null) return this.#renew(id, name, kept);
    this.#parts.store.forgetTokens(id);
    return { kind: 'lost' };
  }

  #renew(id: ServerId, name: string, kept: KeptTokens): Promise<Access> {
    const known = this.#running.get(id);
    if (known) return known;
    const running = this.#renewed(id, name, kept).finally(() => this.#running.delete(id));
    this.#running.set(id, running);
    return running;
  }

  async #renewed(id: ServerId, name: string, { record, refresh }: KeptTokens): Promise<Access> {
    const { store, clock } = this.#parts;
    const sdk = await import('@modelcontextprotocol/client');
    const checked = checkEndpoint(record.endpoint);
    try {
      const tokens = await sdk.refreshAuthorization(record.issuer, {
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
        fetchFn: this.#parts.fetchFor(id, name, !checked.ok || checked.value.leaves),
      });
      // Signed out meanwhile: what came is not kept, and not used.
      if (store.recordOf(id)?.accessRef !== record.accessRef) return { kind: 'none' };
      store.renew(record, {
        access: tokens.access_token,
        refresh: tokens.refresh_token ?? refresh,
        renewAt: renewalTime(clock.now(), tokens.expires_in),
        scope: tokens.scope ?? record.scope,
      });
      return { kind: 'token', token: tokens.access_token };
    } catch (error) {
      const code = error instanceof sdk.OAuthError ? error.code : null;
      if (code === null || !ENDS_IT.has(code)) return { kind: 'stale' };
      store.forgetTokens(id);
      return { kind: 'lost' };
    }
  }
}

/** RFC 6749 5.2: the grant, or the client itself, is no longer known. Anything else can pass. */
const ENDS_IT: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client']);
