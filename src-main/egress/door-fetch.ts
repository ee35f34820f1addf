import { UnreadableResponseError } from './egress-errors';
import type { DoorRequest, DoorResponse } from './egress-door';

/** The part of `fetch` that libraries use. */
export type FetchLike = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** More than any answer of a model; a sender without an end must not fill the memory of a library that gathers (W2, H16). */
export const MAX_FETCHED_BYTES = 64 * 1024 * 1024;

/** `Response` takes no body with these. */
const STATUS_WITHOUT_BODY = new Set([204, 205, 304]);

/** Dresses a sender up as `fetch`. A redirect comes back as an answer, as with `redirect: 'manual'`. */
export function doorFetch(send: (url: string, request: DoorRequest) => Promise<DoorResponse>): FetchLike {
  return async (input, init = {}) => {
    const given = input instanceof Request ? input : undefined;
    const url = given ? given.url : String(input);
    const headers: Record<string, string> = {};
    new Headers(init.headers ?? given?.headers).forEach((value, name) => {
      headers[name] = value;
    });
    const body = init.body ?? (given?.body ? new Uint8Array(await given.arrayBuffer()) : undefined);
    const answer = await send(url, {
      method: (init.method ?? given?.method ?? 'GET').toUpperCase(),
      headers,
      body: plainBody(body),
      signal: init.signal ?? given?.signal,
    });
    return toResponse(answer);
  };
}

function plainBody(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('Only text and bytes can be sent from here.');
}

function toResponse(answer: DoorResponse): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const line of [value ?? []].flat()) headers.append(name, line);
  }
  const bare = STATUS_WITHOUT_BODY.has(answer.status);
  // The others end by themselves; a server can still send a body along with 205.
  if (answer.status === 205) answer.destroy();
  try {
    return new Response(bare ? null : streamOf(answer), { status: answer.status, headers });
  } catch (error) {
    answer.destroy();
    throw error;
  }
}

function streamOf(answer: DoorResponse): ReadableStream<Uint8Array> {
  const pieces = answer.body[Symbol.asyncIterator]();
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await pieces.next();
        if (next.done) return controller.close();
        bytes += next.value.length;
        if (bytes <= MAX_FETCHED_BYTES) return controller.enqueue(next.value);
        answer.destroy();
        controller.error(new UnreadableResponseError('The answer is longer than this app reads.'));
      },
      cancel() {
        answer.destroy();
      },
    },
    // Nothing is read ahead of the library, so that its pace reaches the sender.
    { highWaterMark: 0 },
  );
}
