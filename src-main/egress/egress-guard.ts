import type { Dispatcher } from 'undici';
import type { Route, RouteId } from '../../src-shared/egress/egress.schema';
import type { ResultRecord } from '../../src-shared/egress/ledger-record.schema';
import { findRoute } from '../../src-shared/egress/route-rule';
import { AddressRefusedError, NoRouteError, RouteClosedError } from './egress-errors';
import type { Ledger } from './ledger';
import { expectSocketFor, RequestMeter, UnclaimedBytes } from './request-meter';

/** What a request says of itself at the door. */
export interface GuardedOptions extends Dispatcher.DispatchOptions {
  routeId: RouteId;
  conversation: string | null;
}

/** What the guard hands to the handler when a request starts. */
export interface GuardContext {
  meter: RequestMeter;
}

/**
 * Looks up the route, writes the ledger, then sends (P1, P4). Each hop of a redirect passes here.
 * It must be the innermost interceptor: outside one that follows redirects it would see only the first hop.
 */
export function guardEgress(parts: {
  routes: () => readonly Route[];
  ledger: Ledger;
  unclaimed?: UnclaimedBytes;
  /** The path a server of the route named for messages, on the route's own origin (W1). */
  namedPath?: (routeId: RouteId) => string | undefined;
}): Dispatcher.DispatcherComposeInterceptor {
  const unclaimed = parts.unclaimed ?? new UnclaimedBytes();
  return (dispatch) => (options, handler) => {
    const { routeId, conversation } = options as GuardedOptions;
    const origin = typeof options.origin === 'string' ? options.origin : (options.origin?.origin ?? '');
    const request = { routeId, host: hostOf(origin), method: options.method, conversation };
    const wanted = { routeId, origin, path: options.path };
    const named = parts.namedPath?.(routeId);
    const byName = named !== undefined && options.path.split('?', 1)[0] === named;
    const route = findRoute(parts.routes(), wanted) ?? (byName ? findRoute(widened(parts.routes(), named), wanted) : undefined);
    if (!route) {
      parts.ledger.recordRefused(request);
      throw new NoRouteError(origin);
    }
    const attempt = parts.ledger.recordAttempt(request);
    return dispatch(options, new RecordingHandler(handler, parts.ledger, attempt, unclaimed));
  };
}

const widened = (routes: readonly Route[], pathPrefix: string): Route[] => routes.map((route) => ({ ...route, pathPrefix }));

const hostOf = (origin: string) => origin.replace(/^[a-z]+:\/\//, '');

/** Passes everything on, and writes down how it ended before the caller hears of it. */
class RecordingHandler implements Dispatcher.DispatchHandler {
  readonly #inner: Dispatcher.DispatchHandler;
  readonly #ledger: Ledger;
  readonly #attempt: string;
  readonly #unclaimed: UnclaimedBytes;
  readonly #meter = new RequestMeter(() => this.#record('cut-off', this.#meter.address));
  #status: number | null = null;

  constructor(inner: Dispatcher.DispatchHandler, ledger: Ledger, attempt: string, unclaimed: UnclaimedBytes) {
    this.#inner = inner;
    this.#ledger = ledger;
    this.#attempt = attempt;
    this.#unclaimed = unclaimed;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    expectSocketFor(this.#meter);
    const context: GuardContext = { meter: this.#meter };
    this.#inner.onRequestStart?.(controller, context);
  }

  onResponseStart(...response: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>): void {
    const [, status] = response;
    if (status >= 200) this.#status = status;
    this.#inner.onResponseStart?.(...response);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#inner.onResponseData?.(controller, chunk);
  }

  onResponseEnd(...end: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseEnd']>>): void {
    this.#record('answered', this.#meter.address);
    this.#inner.onResponseEnd?.(...end);
  }

  // The controller is missing when the request failed before there was a connection.
  onResponseError(controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#record(outcomeOf(error, controller?.aborted === true), this.#meter.address ?? addressOf(error));
    this.#inner.onResponseError?.(controller as Dispatcher.DispatchController, error);
  }

  #record(outcome: ResultRecord['outcome'], address: string | null): void {
    this.#meter.finish(this.#unclaimed);
    const bytes = { bytesOut: this.#meter.bytesOut(), bytesIn: this.#meter.bytesIn() };
    this.#ledger.recordResult(this.#attempt, { outcome, status: this.#status, address, ...bytes });
  }
}

function outcomeOf(error: Error, aborted: boolean): ResultRecord['outcome'] {
  if (error instanceof AddressRefusedError || error instanceof NoRouteError) return 'refused';
  return aborted || error instanceof RouteClosedError ? 'cut-off' : 'failed';
}

/** The address that did not answer, where the system says which one it was. */
function addressOf(error: Error): string | null {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const address = (first as { address?: unknown }).address;
  return typeof address === 'string' ? address : null;
}
