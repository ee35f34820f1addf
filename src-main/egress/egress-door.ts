import type { Agent, Dispatcher } from 'undici';
import type { Clock } from '../../src-shared/base/clock';
import type { Route, RouteId } from '../../src-shared/egress/egress.schema';
import { decodeBody } from './decode-body';
import { doorFetch, type FetchLike } from './door-fetch';
import { RouteClosedError } from './egress-errors';
import { guardEgress, type GuardedOptions } from './egress-guard';
import { HttpExchange } from './http-exchange';
import type { Ledger } from './ledger';
import { UnclaimedBytes } from './request-meter';
import { resolveHost, RouteDialler, type Resolve } from './route-dialler';

export const MAX_HEADER_BYTES = 64 * 1024;
const KEEP_ALIVE_MS = 60_000;

export interface DoorRequest {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | undefined;
  signal?: AbortSignal | undefined;
  conversation?: string | undefined;
  /** Lowers the limit on header text of the answer; the door's own limit is `MAX_HEADER_BYTES`. */
  maxHeaderBytes?: number | undefined;
}

export interface DoorResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Unpacked, as it arrives. It must be read to its end or destroyed, or its connection stays open. */
  body: AsyncIterable<Buffer>;
  /** Bytes on the wire so far, with TLS. */
  bytesOut(): number;
  bytesIn(): number;
  /** The address that was dialled (E4). */
  address: string | null;
  destroy(): void;
}

interface Way {
  agent: Agent;
  dispatch: Dispatcher['dispatch'];
  dialler: RouteDialler;
}

/** The one way out of this app: everything that speaks HTTP sends through here, under the id of its route (P1). */
export class EgressDoor {
  readonly #parts: { routes: () => readonly Route[]; ledger: Ledger; clock: Clock; resolve?: Resolve };
  readonly #ways = new Map<RouteId, Way>();
  readonly #timesClosed = new Map<RouteId, number>();
  readonly #namedPaths = new Map<RouteId, string>();
  #closed = false;

  constructor(parts: { routes: () => readonly Route[]; ledger: Ledger; clock: Clock; resolve?: Resolve }) {
    this.#parts = parts;
  }

  /** Sends one request. Redirects are answers like any other: following one is a new request, and passes here again (E5). */
  async request(routeId: RouteId, url: string | URL, request: DoorRequest): Promise<DoorResponse> {
    const { signal, conversation, maxHeaderBytes = MAX_HEADER_BYTES } = request;
    signal?.throwIfAborted();
    const { origin, pathname, search } = typeof url === 'string' ? new URL(url) : url;
    const options: GuardedOptions = {
      routeId,
      conversation: conversation ?? null,
      origin,
      path: pathname + search,
      method: request.method,
      headers: ownHeaders(request.headers),
      body: request.body ?? null,
    };
    const exchange = new HttpExchange({ signal, maxHeaderBytes });
    try {
      const way = this.#ways.get(routeId) ?? (await this.#openWay(routeId));
      way.dispatch(options, exchange);
    } catch (error) {
      exchange.cut(error);
    }
    const { status, headers } = await exchange.head;
    return {
      status,
      headers,
      body: decodeBody(exchange, headers['content-encoding']),
      bytesOut: () => exchange.meter?.bytesOut() ?? 0,
      bytesIn: () => exchange.meter?.bytesIn() ?? 0,
      address: exchange.meter?.address ?? null,
      destroy: () => exchange.cut(),
    };
  }

  /** A `fetch` for a library, bound to one route. */
  fetch(routeId: RouteId, { conversation }: { conversation?: string } = {}): FetchLike {
    return doorFetch((url, request) => this.request(routeId, url, { ...request, conversation }));
  }

  /** One more path of a route's own origin: the one its server named for messages. It lasts until the route is closed. */
  allowPath(routeId: RouteId, path: string): void {
    this.#namedPaths.set(routeId, path);
  }

  /** Ends what is under way on a route and cuts its connections, at once. */
  closeRoute(routeId: RouteId): void {
    this.#timesClosed.set(routeId, (this.#timesClosed.get(routeId) ?? 0) + 1);
    this.#namedPaths.delete(routeId);
    const way = this.#ways.get(routeId);
    if (!way) return;
    this.#ways.delete(routeId);
    void way.agent.destroy(new RouteClosedError());
    way.dialler.cut();
  }

  /** Ends everything; nothing is sent afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const routeId of [...this.#ways.keys()]) this.closeRoute(routeId);
  }

  // One agent a route: no connection is shared between routes, so closing one cuts all of it and nothing else.
  async #openWay(routeId: RouteId): Promise<Way> {
    // Loaded at the first request: an app that contacts nobody does not even hold the means.
    const timesClosed = this.#timesClosed.get(routeId);
    const { Agent } = await import('undici');
    if (this.#closed || this.#timesClosed.get(routeId) !== timesClosed) throw new RouteClosedError();
    const known = this.#ways.get(routeId);
    if (known) return known;
    const { routes, ledger, clock, resolve = resolveHost } = this.#parts;
    const unclaimed = new UnclaimedBytes();
    const routeNow = () => routes().find((route) => route.id === routeId);
    const dialler = new RouteDialler({ routeNow, resolve, clock, unclaimed });
    const agent = new Agent({
      connect: dialler.connect,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Callers own their deadlines, through `signal` (W3).
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const guarded = agent.compose(guardEgress({ routes, ledger, unclaimed, namedPath: (id) => this.#namedPaths.get(id) }));
    const way: Way = { agent, dispatch: guarded.dispatch.bind(guarded), dialler };
    // A request that nothing lets through leaves nothing behind.
    if (routeNow()) this.#ways.set(routeId, way);
    return way;
  }
}

// `host` names the site behind an address, the others belong to the connection: neither is a caller's to set.
const DOORS_OWN = /^(?:host|connection|content-length|transfer-encoding|upgrade|expect|keep-alive|te|trailer|proxy-.*)$/i;

function ownHeaders(headers: Record<string, string>): Record<string, string> {
  const kept: Record<string, string> = { 'accept-encoding': 'identity' };
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined && !DOORS_OWN.test(name)) kept[name.toLowerCase()] = value;
  }
  return kept;
}
