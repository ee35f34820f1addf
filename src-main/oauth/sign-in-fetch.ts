import type { Clock } from '../../src-shared/base/clock';
import type { RouteId } from '../../src-shared/egress/egress.schema';
import { checkSignInAddress } from '../../src-shared/oauth/address-rule';
import type { FetchLike } from '../egress/door-fetch';
import { SignInProblem } from './sign-in-problem';

/** More than any metadata, registration or token a host has to say (W2). */
export const MAX_DOCUMENT_BYTES = 256 * 1024;
export const DOCUMENT_TIMEOUT_MS = 10_000;

export interface SignInFetchParts {
  clock: Clock;
  serverName: string;
  /** Whether the server itself is on another computer. */
  serverLeaves: boolean;
  /** The approved route of an origin; null refuses it. */
  routeOf(origin: string): RouteId | null;
  doorFetch(routeId: RouteId): FetchLike;
  signal?: AbortSignal | undefined;
}

/** The only `fetch` of a sign-in: an approved origin, an address that may be contacted, and a body that ends (K2, W2). */
export function signInFetch(parts: SignInFetchParts): FetchLike {
  const { serverName: name } = parts;
  return async (input, init = {}) => {
    const address = input instanceof Request ? input.url : String(input);
    const { origin, host } = new URL(address);
    const checked = checkSignInAddress(address, parts.serverLeaves);
    if (!checked.ok) throw new SignInProblem(ADDRESS_WORDS[checked.problem](name), 'refused');
    const routeId = parts.routeOf(origin);
    if (routeId === null)
      throw new SignInProblem(`The sign-in of ${name} was sent on to ${host}, which you did not approve.`, 'refused');

    const abort = new AbortController();
    const stop = (): void => abort.abort();
    if (parts.signal?.aborted) stop();
    parts.signal?.addEventListener('abort', stop, { once: true });
    const cancelTimeout = parts.clock.after(DOCUMENT_TIMEOUT_MS, stop);
    try {
      const answer = await parts.doorFetch(routeId)(address, { ...init, signal: abort.signal });
      const body = await readWhole(answer, abort.signal);
      if (body === null) throw new SignInProblem(`${host} answered the sign-in of ${name} with more than this app reads.`);
      const bare = answer.status === 204 || answer.status === 205 || answer.status === 304;
      return new Response(bare ? null : body, { status: answer.status, headers: answer.headers });
    } catch (error) {
      if (error instanceof SignInProblem) throw error;
      if (parts.signal?.aborted) throw new SignInProblem(`The sign-in to ${name} was cancelled.`, 'cancelled');
      if ((error as { code?: unknown }).code === 'EGRESS_ADDRESS_REFUSED')
        throw new SignInProblem(
          `${host}, named in the sign-in of ${name}, leads to a private place. Nothing was sent.`,
          'refused',
        );
      throw new SignInProblem(`${host} did not answer the sign-in of ${name}. Try again later.`);
    } finally {
      cancelTimeout();
      parts.signal?.removeEventListener('abort', stop);
    }
  };
}

export const ADDRESS_WORDS: Record<'unusable' | 'not-encrypted' | 'this-computer', (name: string) => string> = {
  unusable: (name) => `${name} names an address for its sign-in that is no web address, so nothing was opened or sent.`,
  'not-encrypted': (name) => `${name} names an address for its sign-in that is not encrypted, so nothing was opened or sent.`,
  'this-computer': (name) => `${name} sends its sign-in to an address on this computer, so nothing was opened or sent.`,
};

/** The whole body, or null when it is longer than the bound. A declared length is not believed, and a missing one neither. */
async function readWhole(answer: Response, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = answer.body?.getReader();
  if (!reader) return new Uint8Array();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  const chunks: Uint8Array[] = [];
  let total = 0;
  try {
    for (;;) {
      const next = await reader.read();
      signal.throwIfAborted();
      if (next.done) return new Uint8Array(Buffer.concat(chunks, total));
      total += next.value.length;
      if (total > MAX_DOCUMENT_BYTES) {
        stop();
        return null;
      }
      chunks.push(next.value);
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
