import { randomBytes } from 'node:crypto';
import type { Clock } from '../../src-shared/base/clock';
import type { Result } from '../../src-shared/base/result';
import { checkSignInAddress } from '../../src-shared/oauth/address-rule';
import { readScope, uniteScopes, type Challenge } from '../../src-shared/oauth/challenge-rule';
import { chooseProof, isBound } from '../../src-shared/oauth/proof-rule';
import type { SignInClient, SignInOrigin, SignInPlan } from '../../src-shared/oauth/sign-in.schema';
import type { CallbackListener, CallbackPlan } from '../egress/callback-listener';
import { addressProblem } from '../egress/dialled-address';
import type { FetchLike } from '../egress/door-fetch';
import {
  readHostMetadata,
  readResourceMetadata,
  resourceMetadataPlaces,
  type HostMetadata,
  type ResourceMetadata,
} from './host-metadata';
import { obtainClient, registersItself, type OwnClient } from './sign-in-client';
import { askForOwnTokens } from './client-credentials';
import { newProofKey, openProofKey, type ProofSession } from './proof-key';
import { codeFrom, waitForAnswer } from './sign-in-answer';
import { ADDRESS_WORDS } from './sign-in-fetch';
import { SignInProblem, UNUSED_KIND } from './sign-in-problem';

type Sdk = typeof import('@modelcontextprotocol/client');
type Tokens = import('@modelcontextprotocol/client').OAuthTokens;

export interface FlowParts {
  clock: Clock;
  serverName: string;
  endpoint: string;
  /** Whether the server is on another computer. */
  leaves: boolean;
  challenge: Challenge;
  /** Granted before: a step up asks for these too. */
  scopesBefore: string | null;
  client: SignInClient;
  clientSecret: string | undefined;
  fetch: FetchLike;
  signal: AbortSignal;
  isApproved(origin: string): boolean;
  /** Opens the sign-in routes of these origins, for this flow. */
  approve(origins: readonly string[]): void;
  askPerson(plan: SignInPlan, signal: AbortSignal): Promise<boolean>;
  openBrowser(address: string): Promise<boolean>;
  listen(plan: CallbackPlan): Promise<Result<CallbackListener, 'port-taken'>>;
}

export interface FlowOutcome {
  resource: string | null;
  issuer: string;
  tokenEndpoint: string;
  authMethods: string[];
  client: OwnClient;
  tokens: Tokens;
  scope: string;
  /** The private key the tokens are bound to; null where they are not. */
  key: string | null;
}

/** A key made for this one sign-in. */
interface Proof {
  key: string;
  session: ProofSession;
}

/** One sign-in from the question to the tokens: find, ask, register, ask, browser, answer, exchange. Throws SignInProblem. */
export class SignInFlow {
  readonly #parts: FlowParts;
  #sdk!: Sdk;
  #toldOfRegistration = false;
  #toldOfNothingPublished = false;

  constructor(parts: FlowParts) {
    this.#parts = parts;
  }

  async run(): Promise<FlowOutcome> {
    this.#sdk = await import('@modelcontextprotocol/client');
    const { endpoint, serverName: name, fetch } = this.#parts;
    const resource = await this.#findResource();
    const asked = resource?.authorization_servers?.[0] ?? new URL(endpoint).origin;
    const places = this.#sdk.buildDiscoveryUrls(this.#checked(asked)).map(({ url }) => url.href);
    const { origin } = new URL(asked);
    // Said together with the first question, so that there is one instead of two.
    const registers = this.#parts.client.kind === 'register' && !this.#parts.isApproved(origin);
    await this.#approve([{ origin, what: 'is where you sign in' }], registers);
    const host = await readHostMetadata(fetch, asked, places, name);
    if (host === null && resource !== null)
      throw new SignInProblem(`The sign-in host of ${name} publishes nothing that this app could read, so it is not used.`);
    if (host) this.#checkHost(host);
    const { client } = this.#parts;
    const proof = await this.#proofFor(resource, host);
    return client.kind === 'itself'
      ? this.#signInItself(client, resource, host, proof)
      : this.#signIn(resource, host, asked, proof);
  }

  /** Where the host or the server binds tokens to a key, one is made for this sign-in alone (RFC 9449). */
  async #proofFor(resource: ResourceMetadata | null, host: HostMetadata | null): Promise<Proof | null> {
    const chosen = chooseProof({
      host: host?.dpop_signing_alg_values_supported,
      resource: resource?.dpop_signing_alg_values_supported,
      required: resource?.dpop_bound_access_tokens_required === true,
    });
    if (!chosen.ok) {
      const { serverName: name } = this.#parts;
      throw new SignInProblem(`${name} wants its tokens bound to a kind of key that this app does not make.`, 'refused');
    }
    if (chosen.value === null) return null;
    const key = newProofKey(chosen.value);
    return { key, session: await openProofKey(key) };
  }

  async #findResource(): Promise<ResourceMetadata | null> {
    const { endpoint, challenge, serverName, fetch } = this.#parts;
    const named = challenge.resourceMetadata;
    if (named !== null) {
      const { origin } = this.#checked(named);
      await this.#approve([{ origin, what: `is where ${serverName} says how to sign in` }], false);
    }
    return readResourceMetadata(fetch, resourceMetadataPlaces(endpoint, named), endpoint, serverName);
  }

  #checkHost(host: HostMetadata): void {
    const { serverName: name } = this.#parts;
    for (const address of [host.authorization_endpoint, host.token_endpoint]) this.#checked(address);
    if (host.registration_endpoint !== undefined) this.#checked(host.registration_endpoint);
    // What follows guards the way through a browser, and this one opens none.
    if (this.#parts.client.kind === 'itself') return;
    if (!host.response_types_supported.includes('code'))
      throw new SignInProblem(
        `The sign-in host of ${name} does not offer the one way of signing in that this app uses.`,
        'refused',
      );
    if (!host.code_challenge_methods_supported?.includes('S256'))
      throw new SignInProblem(
        `The sign-in host of ${name} does not say that it protects its answers (PKCE with S256), so the sign-in was not begun.`,
        'refused',
      );
  }

  async #signIn(
    resource: ResourceMetadata | null,
    host: HostMetadata | null,
    asked: string,
    proof: Proof | null,
  ): Promise<FlowOutcome> {
    const registers = registersItself(this.#parts.client, host);
    const origins = [
      { origin: new URL(host?.token_endpoint ?? asked).origin, what: 'hands out the tokens' },
      ...(registers
        ? [{ origin: new URL(host?.registration_endpoint ?? asked).origin, what: 'is where this app registers itself' }]
        : []),
    ];
    await this.#approve(origins, registers, host === null);
    const scope = this.#scopeFor(resource, host);
    const state = randomBytes(24).toString('base64url');
    const { client, listener } = await obtainClient({ ...this.#parts, sdk: this.#sdk, host, asked, scope, state });
    try {
      const { authorizationUrl, codeVerifier } = await this.#sdk.startAuthorization(asked, {
        ...(host ? { metadata: host } : {}),
        clientInformation: client,
        redirectUrl: listener.address,
        state,
        ...(scope === null ? {} : { scope }),
        ...(resource === null ? {} : { resource: resource.resource }),
      });
      await this.#openBrowser(authorizationUrl.href, scope);
      const code = codeFrom(await waitForAnswer(listener, this.#parts), host, this.#parts.serverName);
      const tokens = await this.#sdk.exchangeAuthorization(asked, {
        ...(host ? { metadata: host } : {}),
        clientInformation: client,
        authorizationCode: code.code,
        ...(code.iss === undefined ? {} : { iss: code.iss }),
        codeVerifier,
        redirectUri: listener.address,
        ...(resource === null ? {} : { resource: resource.resource }),
        ...(proof ? { dpop: proof.session } : {}),
        fetchFn: this.#parts.fetch,
      });
      const mustBind = resource?.dpop_bound_access_tokens_required === true;
      const bound = isBound(tokens.token_type, { withProof: proof !== null, mustBind });
      if (!bound.ok) throw new SignInProblem(UNUSED_KIND(this.#parts.serverName));
      return {
        resource: resource?.resource ?? null,
        issuer: host?.issuer ?? asked,
        tokenEndpoint: host?.token_endpoint ?? new URL('/token', asked).href,
        authMethods: host?.token_endpoint_auth_methods_supported ?? [],
        client,
        tokens,
        scope: tokens.scope ?? scope ?? '',
        key: bound.value && proof ? proof.key : null,
      };
    } finally {
      listener.close();
    }
  }

  /** Asks each time, also for an origin that is approved: what proves the app is about to be sent there (K2). */
  async #signInItself(
    { clientId, proof }: Extract<SignInClient, { kind: 'itself' }>,
    resource: ResourceMetadata | null,
    host: HostMetadata | null,
    proofOfKey: Proof | null,
  ): Promise<FlowOutcome> {
    const { serverName, clientSecret: secret, clock, fetch, askPerson, approve, signal } = this.#parts;
    if (host === null || secret === undefined)
      throw new SignInProblem(`This app cannot sign in to ${serverName} for itself: its host or its secret cannot be read.`);
    const { issuer, token_endpoint: tokenEndpoint, token_endpoint_auth_methods_supported: authMethods = [] } = host;
    const { origin } = new URL(tokenEndpoint);
    const scope = this.#scopeFor(resource, null);
    const origins = [{ origin, what: 'hands out the tokens' }];
    const plan: SignInPlan = {
      ...{ step: 'contact', origins, address: null },
      ...{ scopes: scope?.split(' ') ?? [], notes: [SIGNS_IN_ITSELF[proof]] },
    };
    if (!(await askPerson(plan, signal))) throw new SignInProblem(`The sign-in to ${serverName} was not begun.`, 'cancelled');
    approve([origin]);
    const binding = { resource: resource?.resource ?? null, issuer, tokenEndpoint, authMethods };
    const grant = { ...binding, serverName, clientId, proof, secret, scope, now: clock.now() };
    const mustBind = resource?.dpop_bound_access_tokens_required === true;
    const tokens = await askForOwnTokens({ ...grant, session: proofOfKey?.session ?? null, mustBind }, fetch);
    const key = tokens.isBound && proofOfKey ? proofOfKey.key : null;
    return { ...binding, client: { client_id: clientId }, tokens, scope: tokens.scope ?? scope ?? '', key };
  }

  /** The server's own word, else what it advertises; and what was granted before is never lost. */
  #scopeFor(resource: ResourceMetadata | null, host: HostMetadata | null): string | null {
    const { challenge, scopesBefore } = this.#parts;
    const wanted = uniteScopes(scopesBefore, challenge.scope ?? readScope(resource?.scopes_supported?.join(' ') ?? null));
    const offline = wanted !== null && host?.scopes_supported?.includes('offline_access');
    return offline ? uniteScopes(wanted, 'offline_access') : wanted;
  }

  async #openBrowser(address: string, scope: string | null): Promise<void> {
    const { serverName: name, askPerson, signal } = this.#parts;
    const { origin } = this.#checked(address);
    const plan: SignInPlan = {
      step: 'open-browser',
      origins: [{ origin, what: 'opens in your browser' }],
      address,
      scopes: scope?.split(' ') ?? [],
      notes: [],
    };
    if (!(await askPerson(plan, signal))) throw new SignInProblem(`The sign-in to ${name} was not begun.`, 'cancelled');
    if (!(await this.#parts.openBrowser(address)))
      throw new SignInProblem(`No browser could be opened for the sign-in to ${name}.`);
  }

  #checked(address: string): URL {
    const checked = checkSignInAddress(address, this.#parts.leaves);
    if (!checked.ok) throw new SignInProblem(ADDRESS_WORDS[checked.problem](this.#parts.serverName), 'refused');
    // A name is judged when it is dialled; an address that is one already never gets so far.
    const host = checked.value.hostname.replace(/^\[|\]$/g, '');
    const isElsewhere = /^[\d.]+$|:/.test(host) && host !== '127.0.0.1' && host !== '::1';
    if (isElsewhere && addressProblem(host, host, { leaves: true }) !== null)
      throw new SignInProblem(
        `${host}, named in the sign-in of ${this.#parts.serverName}, is no public address. Nothing was sent.`,
        'refused',
      );
    return checked.value;
  }

  /** Asks for what was not asked yet: origins, that the app registers itself, that the host publishes nothing. */
  async #approve(wanted: SignInOrigin[], registers: boolean, nothingPublished = false): Promise<void> {
    const { serverName: name, isApproved, approve, askPerson, signal } = this.#parts;
    const origins = wanted.filter(({ origin }) => !isApproved(origin));
    const notes = [
      ...(registers && !this.#toldOfRegistration ? [REGISTERS] : []),
      ...(nothingPublished && !this.#toldOfNothingPublished ? [PUBLISHES_NOTHING] : []),
    ];
    if (origins.length === 0 && notes.length === 0) return;
    const plan: SignInPlan = { step: 'contact', origins: wanted, address: null, scopes: [], notes };
    if (!(await askPerson(plan, signal))) throw new SignInProblem(`The sign-in to ${name} was not begun.`, 'cancelled');
    approve(wanted.map(({ origin }) => origin));
    this.#toldOfRegistration ||= registers;
    this.#toldOfNothingPublished ||= nothingPublished;
  }
}

const REGISTERS = 'This app registers itself there under the name Portcullis, to get a client id.';
const SIGNS_IN_ITSELF = {
  secret: 'This app signs in there for itself: it sends the client id and the secret you entered. No browser opens.',
  key: 'This app signs in there for itself: it sends the client id, signed with the key you entered. No browser opens.',
};
const PUBLISHES_NOTHING =
  'This host publishes nothing about its sign-in, as older ones do. Whether it protects its answer cannot be known; the protection is sent all the same.';
