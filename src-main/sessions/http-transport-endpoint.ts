import { failed, ok, type Result } from '../../src-shared/base/result';

const MAX_HOST_LENGTH = 100;

/** A server of the old transport named a place for messages that is not its own. Nothing was sent there. */
export class ForeignEndpointError extends Error {
  override readonly name = 'ForeignEndpointError';
  readonly code = 'FOREIGN_ENDPOINT';
  constructor(
    readonly host: string,
    /** The host it names instead, or null where it names none that is one. */
    readonly namedHost: string | null,
  ) {
    super(`The server at ${host} names ${namedHost ?? 'no host'} for its messages.`);
  }
}

/** Where messages go, by the `endpoint` event of MCP 2024-11-05: path and query as named, the origin always the server's own. */
export function readEndpoint(data: string, connectedTo: string): Result<URL, ForeignEndpointError> {
  const own = new URL(connectedTo);
  const text = data.trim();
  if (text === '' || !URL.canParse(text, connectedTo)) return failed(new ForeignEndpointError(own.host, null));
  const named = new URL(text, connectedTo);
  // A `blob:` address has the origin of what is inside it, so the scheme is compared too.
  const isOwn = named.origin === own.origin && named.protocol === own.protocol;
  if (!isOwn || named.username !== '' || named.password !== '') {
    const isHttp = named.protocol === 'http:' || named.protocol === 'https:';
    return failed(new ForeignEndpointError(own.host, isHttp ? named.host.slice(0, MAX_HOST_LENGTH) : null));
  }
  named.hash = '';
  return ok(named);
}
