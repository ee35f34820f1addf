import type { Clock } from '../../src-shared/base/clock';
import { failed, ok, type Result } from '../../src-shared/base/result';
import type { RouteId } from '../../src-shared/egress/egress.schema';
import type { Challenge } from '../../src-shared/oauth/challenge-rule';
import type { ShownSignInClient, SignInClientDraft, SignInPlan } from '../../src-shared/oauth/sign-in.schema';
import type { SignInState } from '../../src-shared/oauth/sign-in-state.schema';
import { checkEndpoint } from '../../src-shared/servers/endpoint-rule';
import type { ServerId } from '../../src-shared/servers/server.schema';
import type { CallbackListener, CallbackPlan } from '../egress/callback-listener';
import type { FetchLike } from '../egress/door-fetch';
import { ProofSessions } from './proof-key';
import { renewalTime } from './renewal-time';
import { ServerAccess } from './server-access';
import { SignInFlow, type FlowOutcome } from './sign-in-flow';
import { signInFetch } from './sign-in-fetch';
import { problemWords } from './sign-in-problem';
import type { NewTokens, SignInStore } from './sign-in-store';
import { TokenRenewal } from './token-renewal';

export interface SignInParts {
  clock: Clock;
  store: SignInStore;
  /** Null once it is removed. */
  nameOf(id: ServerId): string | null;
  /** On, or being looked at: any other server is not contacted. */
  isUp(id: ServerId): boolean;
  /** The id of the sign-in route of one origin for one server. */
  routeIdOf(id: ServerId, origin: string): RouteId;
  doorFetch(routeId: RouteId): FetchLike;
  /** Shows what would be contacted or opened, whole, and resolves to true only on a person's yes (K2). */
  askPerson(id: ServerId, plan: SignInPlan, signal: AbortSignal): Promise<boolean>;
  openBrowser(address: string): Promise<boolean>;
  listen(plan: CallbackPlan): Promise<Result<CallbackListener, 'port-taken'>>;
  /** States or the origins that are open are others now. */
  changed(): void;
}

interface Flow {
  endpoint: string;
  abort: AbortController;
  /** Approved for this flow alone. */
  origins: Set<string>;
  done: Promise<Result<void, string>>;
}

/** Signs in to servers that ask for it, on a person's act, and keeps what they hand out to that one server (K1-K5). */
export class SignIn {
  readonly #parts: SignInParts;
  readonly #renewal: TokenRenewal;
  readonly #proofs = new ProofSessions();
  /** What the server said beside its last 401, and at which address. */
  readonly #asked = new Map<ServerId, { challenge: Challenge; endpoint: string }>();
  readonly #lost = new Set<ServerId>();
  readonly #flows = new Map<ServerId, Flow>();

  constructor(parts: SignInParts) {
    this.#parts = parts;
    this.#renewal = new TokenRenewal({
      clock: parts.clock,
      store: parts.store,
      proofs: this.#proofs,
      fetchFor: (id, name, leaves) => this.#fetchFor(id, name, leaves),
    });
  }

  stateOf(id: ServerId): SignInState {
    if (this.#flows.has(id)) return 'under-way';
    if (this.#lost.has(id)) return 'needed-again';
    if (this.#parts.store.recordOf(id)) return 'signed-in';
    return this.#asked.has(id) ? 'needed' : 'not-asked';
  }

  /** Origins that are open for sign-in: those of a flow under way, and those that renew tokens (K2). */
  openOrigins(id: ServerId): string[] {
    const record = this.#parts.store.recordOf(id);
    return [...new Set([...(this.#flows.get(id)?.origins ?? []), ...(record ? [new URL(record.tokenEndpoint).origin] : [])])];
  }

  /** What the transport of one server asks. Tokens made for another address are none. */
  accessTo(id: ServerId, endpoint: string): ServerAccess {
    const { store } = this.#parts;
    return new ServerAccess({
      ...{ id, endpoint, store, renewal: this.#renewal, proofs: this.#proofs },
      nameOf: () => this.#nameOf(id),
      asked: (challenge, wasAuthorized) => {
        this.#asked.set(id, { challenge, endpoint });
        if (!wasAuthorized) this.#parts.changed();
      },
      noteLoss: (isLost) => this.#noteLoss(id, isLost),
      stepUp: async (challenge, scopesBefore, signal) => {
        const under = this.#flows.get(id);
        const outcome = await (under ? under.done : this.#begin(id, endpoint, challenge, scopesBefore, signal));
        return outcome.ok;
      },
    });
  }

  /** Begins only after a 401, and only here: by a person's act (K1). Resolves when the sign-in is over. */
  async start(id: ServerId): Promise<Result<void, string>> {
    const asked = this.#asked.get(id);
    return asked
      ? this.#begin(id, asked.endpoint, asked.challenge, null)
      : failed(`${this.#nameOf(id)} has not asked for a sign-in.`);
  }

  /** Nobody is there to go on with them. */
  cancelAll(): void {
    for (const { abort } of this.#flows.values()) abort.abort();
  }

  cancel(id: ServerId): void {
    this.#flows.get(id)?.abort.abort();
  }

  /** Tokens, and the key they are bound to, are gone from this computer; the entered client id stays. */
  signOut(id: ServerId): void {
    this.cancel(id);
    this.#parts.store.forgetTokens(id);
    this.#proofs.forget(id);
    this.#lost.delete(id);
    this.#parts.changed();
  }

  /** How the app names itself to the host of this server. What was signed in to with another name is signed out (K3). */
  setClient(id: ServerId, draft: SignInClientDraft): void {
    this.cancel(id);
    this.#parts.store.setClient(id, draft);
    this.#proofs.forget(id);
    this.#lost.delete(id);
    this.#parts.changed();
  }

  /** The server was removed: nothing that was kept under its id is left (S11). */
  forget(id: ServerId): void {
    this.signOut(id);
    this.#asked.delete(id);
    this.#parts.store.forgetClient(id);
  }

  /** Drops what belongs to servers that lead elsewhere by now, or are gone (K3). */
  dropStrays(isStill: (id: ServerId, endpoint: string) => boolean): void {
    for (const [id, { endpoint }] of this.#asked) if (!isStill(id, endpoint)) this.#asked.delete(id);
    for (const [id, { endpoint, abort }] of this.#flows) if (!isStill(id, endpoint)) abort.abort();
    for (const id of this.#parts.store.signedIn()) {
      const record = this.#parts.store.recordOf(id);
      // What a locked keychain keeps shut is not known to have strayed.
      if (record && !isStill(id, record.endpoint)) this.signOut(id);
    }
  }

  shownClient(id: ServerId): ShownSignInClient {
    const client = this.#parts.store.clientOf(id);
    if (client.kind === 'itself') return { kind: client.kind, clientId: client.clientId, proof: client.proof };
    if (client.kind !== 'entered') return client;
    const { kind, clientId, callback, secretRef } = client;
    return { kind, clientId, callback, hasSecret: secretRef !== null };
  }

  async #begin(
    id: ServerId,
    endpoint: string,
    challenge: Challenge,
    scopesBefore: string | null,
    signal?: AbortSignal,
  ): Promise<Result<void, string>> {
    const name = this.#nameOf(id);
    const checked = checkEndpoint(endpoint);
    if (!checked.ok || !this.#parts.isUp(id)) return failed(`${name} is off. Turn it on first.`);
    if (this.#flows.has(id)) return failed(`The sign-in to ${name} is under way already.`);
    const abort = new AbortController();
    const stop = (): void => abort.abort();
    signal?.addEventListener('abort', stop, { once: true });
    const origins = new Set([checked.value.url.origin]);
    const done = this.#run(id, { name, endpoint, leaves: checked.value.leaves, challenge, scopesBefore, origins, abort });
    const over = done.finally(() => {
      signal?.removeEventListener('abort', stop);
      this.#flows.delete(id);
      this.#parts.changed();
    });
    this.#flows.set(id, { endpoint, abort, origins, done: over });
    this.#parts.changed();
    return over;
  }

  async #run(
    id: ServerId,
    flow: {
      name: string;
      endpoint: string;
      leaves: boolean;
      challenge: Challenge;
      scopesBefore: string | null;
      origins: Set<string>;
      abort: AbortController;
    },
  ): Promise<Result<void, string>> {
    // The flow is listed before its first step.
    await Promise.resolve();
    const { store, clock } = this.#parts;
    const client = store.clientOf(id);
    try {
      const outcome = await new SignInFlow({
        clock,
        serverName: flow.name,
        endpoint: flow.endpoint,
        leaves: flow.leaves,
        challenge: flow.challenge,
        scopesBefore: flow.scopesBefore,
        client,
        clientSecret: 'secretRef' in client ? store.secretOf(client.secretRef) : undefined,
        fetch: this.#fetchFor(id, flow.name, flow.leaves, flow.abort.signal),
        signal: flow.abort.signal,
        isApproved: (origin) => flow.origins.has(origin),
        approve: (origins) => {
          for (const origin of origins) flow.origins.add(origin);
          this.#parts.changed();
        },
        askPerson: (plan, signal) => this.#parts.askPerson(id, plan, signal),
        openBrowser: (address) => this.#parts.openBrowser(address),
        listen: (plan) => this.#parts.listen(plan),
      }).run();
      // Turned off, removed or led elsewhere meanwhile: what came belongs to nobody (K3).
      if (flow.abort.signal.aborted || !this.#parts.isUp(id)) return failed(`The sign-in to ${flow.name} was cancelled.`);
      this.#keep(id, flow.endpoint, outcome);
      return ok(undefined);
    } catch (error) {
      return failed(problemWords(error, flow.name));
    }
  }

  #keep(id: ServerId, endpoint: string, { client, tokens, scope, key, ...outcome }: FlowOutcome): void {
    const kept: NewTokens = {
      access: tokens.access_token,
      refresh: tokens.refresh_token ?? null,
      renewAt: renewalTime(this.#parts.clock.now(), tokens.expires_in),
      scope,
    };
    const { resource, issuer, tokenEndpoint, authMethods } = outcome;
    const clientAuthMethod = client.token_endpoint_auth_method ?? null;
    const binding = { serverId: id, endpoint, resource, issuer, tokenEndpoint, authMethods, clientAuthMethod };
    this.#parts.store.keep({ ...binding, clientId: client.client_id }, kept, client.client_secret ?? null, key);
    this.#asked.delete(id);
    this.#lost.delete(id);
  }

  #fetchFor(id: ServerId, serverName: string, serverLeaves: boolean, signal?: AbortSignal): FetchLike {
    const { clock, doorFetch, routeIdOf } = this.#parts;
    const routeOf = (origin: string): RouteId | null => (this.openOrigins(id).includes(origin) ? routeIdOf(id, origin) : null);
    return signInFetch({ clock, serverName, serverLeaves, routeOf, doorFetch: (route) => doorFetch(route), signal });
  }

  #noteLoss(id: ServerId, isLost: boolean): void {
    if (!isLost) return;
    this.#proofs.forget(id);
    if (this.#lost.has(id)) return;
    this.#lost.add(id);
    this.#parts.changed();
  }

  #nameOf(id: ServerId): string {
    return this.#parts.nameOf(id) ?? 'This server';
  }
}
