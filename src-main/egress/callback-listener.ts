import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { failed, ok, type Result } from '../../src-shared/base/result';

export interface CallbackPlan {
  host: '127.0.0.1' | 'localhost' | '[::1]';
  /** Zero takes any free port. */
  port: number;
  path: string;
  /** An answer without this state is not ours, and is ignored. */
  state: string;
}

export interface CallbackListener {
  /** The address it is reached at, exactly as it is to be registered and sent. */
  readonly address: string;
  /** The query of the one answer that counts. */
  readonly answer: Promise<URLSearchParams>;
  close(): void;
}

const MAX_PORT_TRIES = 8;
const PAGE =
  '<!doctype html><meta charset="utf-8"><title>Portcullis</title><p>Portcullis has the answer. You can close this page and go back to the app.';
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  connection: 'close',
};

/** Waits on loopback for the one answer of a sign-in. What else arrives is turned away and changes nothing (K5). */
export async function listenForCallback(plan: CallbackPlan): Promise<Result<CallbackListener, 'port-taken'>> {
  let take: (answer: URLSearchParams) => void = () => undefined;
  const answer = new Promise<URLSearchParams>((resolve) => {
    take = resolve;
  });
  const servers: Server[] = [];
  const close = (): void => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
  const onRequest = (port: number) => (request: IncomingMessage, response: ServerResponse) => {
    const query = answerIn(request, { ...plan, port });
    if (!query) return void response.writeHead(404, { connection: 'close' }).end();
    response.writeHead(200, HEADERS).end(PAGE);
    take(query);
  };
  const bound = await bindAll(plan, servers, onRequest);
  if (bound === null) {
    close();
    return failed('port-taken');
  }
  return ok({ address: `http://${plan.host}:${bound}${plan.path}`, answer, close });
}

function answerIn(request: IncomingMessage, { host, port, path, state }: CallbackPlan): URLSearchParams | null {
  // A page elsewhere can lead a browser here under another name (DNS rebinding).
  if (request.method !== 'GET' || request.headers.host !== `${host}:${port}`) return null;
  const target = request.url ?? '';
  const at = target.indexOf('?');
  if (at < 0 || target.slice(0, at) !== path) return null;
  const query = new URLSearchParams(target.slice(at + 1));
  return query.getAll('state').length === 1 && query.get('state') === state ? query : null;
}

/** `localhost` is both loopback addresses, on one port. */
async function bindAll(
  plan: CallbackPlan,
  servers: Server[],
  onRequest: (port: number) => (request: IncomingMessage, response: ServerResponse) => void,
): Promise<number | null> {
  const first = plan.host === '[::1]' ? '::1' : '127.0.0.1';
  for (let tries = 0; tries < MAX_PORT_TRIES; tries += 1) {
    const port = await bind(first, plan.port, servers, onRequest);
    if (port === null) return null;
    if (plan.host !== 'localhost') return port;
    const second = await bind('::1', port, servers, onRequest);
    if (second !== null) return port;
    if (plan.port !== 0) return null;
    servers.pop()?.close();
  }
  return null;
}

/** The port that was bound; null when it is taken. A computer without IPv6 has nobody there to take it. */
function bind(
  address: string,
  port: number,
  servers: Server[],
  onRequest: (port: number) => (request: IncomingMessage, response: ServerResponse) => void,
): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer({ maxHeaderSize: 16 * 1024, requestTimeout: 5000, headersTimeout: 5000 });
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isAbsent = address === '::1' && (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT');
      resolve(isAbsent ? port : null);
    });
    server.listen({ host: address, port, exclusive: true }, () => {
      const taken = (server.address() as AddressInfo).port;
      server.on('request', onRequest(taken));
      servers.push(server);
      resolve(taken);
    });
  });
}
