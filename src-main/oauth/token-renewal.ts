import type { Clock } from '../../src-shared/base/clock';
import { checkEndpoint } from '../../src-shared/servers/endpoint-rule';
import type { SignInRecord } from '../../src-shared/oauth/sign-in.schema';
import type { ServerId } from '../../src-shared/servers/server.schema';
import type { FetchLike } from '../egress/door-fetch';
import { askForOwnTokens, type OwnGrant } from './client-credentials';
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
    if (!isDue || !this.#canRenew(kept)) return { kind: 'token', token: kept.access };
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

  async #renewed(id: ServerId, name: string, { record, refresh }: KeptTokens): Promise<Access> {
    const { store, clock } = this.#parts;
    const sdk = await import('@modelcontextprotocol/client');
    const checked = checkEndpoint(record.endpoint);
    try {
      const fetch = this.#parts.fetchFor(id, name, !checked.ok || checked.value.leaves);
      const own = this.#ownGrant(id, name, record);
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
            fetchFn: fetch,
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

  #ownGrant(id: ServerId, serverName: string, record: SignInRecord): OwnGrant | null {
    const client = this.#parts.store.clientOf(id);
    const secret = client.kind === 'itself' ? this.#parts.store.secretOf(client.secretRef) : undefined;
    if (client.kind !== 'itself' || secret === undefined) return null;
    const { clientId, proof } = client;
    const { issuer, tokenEndpoint, authMethods, scope, resource } = record;
    const now = this.#parts.clock.now();
    return { serverName, clientId, proof, secret, issuer, tokenEndpoint, authMethods, scope, resource, now };
  }
}

/** RFC 6749 5.2: the grant, or the client itself, is no longer known. Anything else can pass. */
const ENDS_IT: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client']);
