/** No route lets this request through, so nothing was sent, not even a question to a name server. */
export class NoRouteError extends Error {
  override readonly name = 'NoRouteError';
  readonly code = 'EGRESS_NO_ROUTE';
  constructor(readonly origin: string) {
    super(`Nothing in this app is allowed to contact ${origin}, so the request was not sent.`);
  }
}

/** The host leads somewhere that its route is not for. No connection was opened. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  readonly code = 'EGRESS_ADDRESS_REFUSED';
  constructor(
    readonly host: string,
    readonly address: string,
    where: string,
    /** True where the user's own yes to a private network lets it through (E7). */
    readonly isPrivateNetwork = false,
  ) {
    super(
      host === address
        ? `${host} is ${where}, so nothing was sent.`
        : `${host} leads to ${address}, ${where}, so nothing was sent.`,
    );
  }
}

/** The route was turned off, or the app is closing, while the request was under way. */
export class RouteClosedError extends Error {
  override readonly name = 'RouteClosedError';
  readonly code = 'EGRESS_ROUTE_CLOSED';
  constructor() {
    super('The way to this host was turned off, so the connection was cut.');
  }
}

/** The host did not accept a connection in time. */
export class ConnectTimeoutError extends Error {
  override readonly name = 'ConnectTimeoutError';
  readonly code = 'EGRESS_CONNECT_TIMEOUT';
  constructor(readonly host: string) {
    super(`${host} did not accept a connection in time.`);
  }
}

/** The answer arrived in a form that cannot be read. */
export class UnreadableResponseError extends Error {
  override readonly name = 'UnreadableResponseError';
  readonly code = 'EGRESS_UNREADABLE_RESPONSE';
}

/** This side ended the request before its answer was in. */
export class RequestCutError extends Error {
  override readonly name = 'AbortError';
  readonly code = 'UND_ERR_ABORTED';
  constructor() {
    super('The request was cut off.');
  }
}
