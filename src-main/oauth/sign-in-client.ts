import { randomBytes } from 'node:crypto';
import type { Result } from '../../src-shared/base/result';
import { readCallback } from '../../src-shared/oauth/callback-rule';
import type { SignInClient } from '../../src-shared/oauth/sign-in.schema';
import type { CallbackListener, CallbackPlan } from '../egress/callback-listener';
import type { FetchLike } from '../egress/door-fetch';
import type { HostMetadata } from './host-metadata';
import { SignInProblem } from './sign-in-problem';

type Sdk = typeof import('@modelcontextprotocol/client');

/** How this app is known to the host. */
export interface OwnClient {
  client_id: string;
  client_secret?: string | undefined;
  token_endpoint_auth_method?: string | undefined;
}

export interface ClientParts {
  sdk: Sdk;
  serverName: string;
  client: SignInClient;
  clientSecret: string | undefined;
  host: HostMetadata | null;
  asked: string;
  scope: string | null;
  state: string;
  fetch: FetchLike;
  listen(plan: CallbackPlan): Promise<Result<CallbackListener, 'port-taken'>>;
}

/** A client with the listener at exactly the callback it is known with. */
interface ReadyClient {
  client: OwnClient;
  listener: CallbackListener;
}

/** Whether the app would have to register itself: no id was entered, and no document of the user's would do (K4). */
export function registersItself(client: SignInClient, host: HostMetadata | null): boolean {
  if (client.kind === 'entered' || client.kind === 'itself') return false;
  return client.kind === 'register' || host?.client_id_metadata_document_supported !== true;
}

/** The id the user entered, else the user's document, else a registration of this one flow (K4, K5). */
export async function obtainClient(parts: ClientParts): Promise<ReadyClient> {
  const { client, host, serverName: name } = parts;
  if (client.kind === 'entered') return enteredClient(parts, client);
  if (client.kind === 'document' && !registersItself(client, host))
    return { client: { client_id: client.address }, listener: await listenAnywhere(parts, '127.0.0.1') };
  if (host && host.registration_endpoint === undefined)
    throw new SignInProblem(
      `The sign-in host of ${name} gives no client ids by itself. Enter the client id you were given there on the page of ${name}.`,
      'needs-client',
    );
  // Some hosts let only the other spelling of this computer be registered.
  const ready = (await register(parts, '127.0.0.1')) ?? (await register(parts, 'localhost'));
  if (!ready) throw new SignInProblem(`The sign-in host of ${name} did not let this app register itself.`, 'needs-client');
  return ready;
}

async function enteredClient(
  parts: ClientParts,
  { clientId, callback }: Extract<SignInClient, { kind: 'entered' }>,
): Promise<ReadyClient> {
  const { serverName: name, clientSecret, state } = parts;
  const place = readCallback(callback);
  if (!place.ok) throw new SignInProblem(`The callback entered for ${name} is no address on this computer.`, 'needs-client');
  const listener = await parts.listen({ ...place.value, state });
  if (!listener.ok)
    throw new SignInProblem(
      `Another program uses port ${place.value.port}, which the callback of ${name} needs. End it, then sign in again.`,
    );
  return { client: { client_id: clientId, client_secret: clientSecret }, listener: listener.value };
}

const METHODS = ['none', 'client_secret_basic', 'client_secret_post'];

/** Null when the host refuses what was to be registered. */
async function register(parts: ClientParts, spelling: '127.0.0.1' | 'localhost'): Promise<ReadyClient | null> {
  const { sdk, host, asked, scope, fetch } = parts;
  const offered = host?.token_endpoint_auth_methods_supported ?? ['none'];
  const listener = await listenAnywhere(parts, spelling);
  try {
    const client = await sdk.registerClient(asked, {
      ...(host ? { metadata: host } : {}),
      clientMetadata: {
        client_name: 'Portcullis',
        redirect_uris: [listener.address],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: METHODS.find((each) => offered.includes(each)) ?? 'none',
        application_type: 'native',
      },
      ...(scope === null ? {} : { scope }),
      fetchFn: fetch,
    });
    return { client, listener };
  } catch (error) {
    listener.close();
    if (error instanceof sdk.RegistrationRejectedError) return null;
    throw error;
  }
}

async function listenAnywhere(
  { listen, state, serverName }: ClientParts,
  host: '127.0.0.1' | 'localhost',
): Promise<CallbackListener> {
  const listener = await listen({ host, port: 0, path: `/callback/${randomBytes(9).toString('base64url')}`, state });
  if (!listener.ok) throw new SignInProblem(`No port of this computer was free for the sign-in to ${serverName}.`);
  return listener.value;
}
