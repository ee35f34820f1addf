import { lookup as systemLookup } from 'node:dns';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { buildConnector } from 'undici';
import type { Clock } from '../../src-shared/base/clock';
import type { Route } from '../../src-shared/egress/egress.schema';
import { addressProblem, LOOPBACK_ADDRESSES, type RouteReach } from './dialled-address';
import { ConnectTimeoutError, NoRouteError, RouteClosedError } from './egress-errors';
import { countRawBytes, type UnclaimedBytes } from './request-meter';

export interface ResolvedAddress {
  address: string;
  family: number;
}
/** Asks a name server. Never called for `localhost` or an address. */
export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

/** The name service of this computer. */
export const resolveHost: Resolve = (host) =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

export const CONNECT_TIMEOUT_MS = 10_000;
const ADDRESS_ATTEMPT_MS = 1_000;

/** Opens the connections of one route, to addresses it has vetted, and can cut all of them at once. */
export class RouteDialler {
  readonly #sockets = new Set<Socket>();
  readonly #parts: { routeNow: () => Route | undefined; resolve: Resolve; clock: Clock; unclaimed: UnclaimedBytes };

  constructor(parts: { routeNow: () => Route | undefined; resolve: Resolve; clock: Clock; unclaimed: UnclaimedBytes }) {
    this.#parts = parts;
  }

  /** The `connect` of an undici Agent. */
  readonly connect: buildConnector.connector = (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const secure = options.protocol === 'https:';
    const route = this.#parts.routeNow();
    // Asked again here: a request that waited for a connection can outlive its route.
    const refused = route?.on ? (isIP(host) === 0 ? null : addressProblem(host, host, route)) : new NoRouteError(host);
    if (refused || !route) {
      queueMicrotask(() => callback(refused ?? new NoRouteError(host), null));
      return;
    }

    const raw = connectTcp({
      host,
      port: Number(options.port || (secure ? 443 : 80)),
      lookup: this.#vettedLookup(route),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    });
    this.#sockets.add(raw);
    raw.once('close', () => this.#sockets.delete(raw));

    let settled = false;
    const settle = (error: Error | null, socket?: Socket) => {
      if (settled) return;
      settled = true;
      cancelTimeout();
      if (error || !socket) {
        // A handshake that failed has cost bytes too; the request that asked for it claims them.
        this.#parts.unclaimed.add(raw);
        raw.destroy();
        callback(error ?? new RouteClosedError(), null);
      } else {
        countRawBytes(socket, raw);
        callback(null, socket);
      }
    };
    const cancelTimeout = this.#parts.clock.after(CONNECT_TIMEOUT_MS, () => settle(new ConnectTimeoutError(host)));
    raw.on('error', settle);
    raw.once('close', () => settle(new RouteClosedError()));
    raw.once('connect', () => {
      if (!secure) return settle(null, raw);
      const socket = connectTls({
        socket: raw,
        host,
        ...(isIP(host) === 0 && { servername: host }),
        ALPNProtocols: ['http/1.1'],
        // Said here, so that no variable of the environment can say otherwise (W4).
        rejectUnauthorized: true,
        minVersion: 'TLSv1.2',
      });
      socket.on('error', settle);
      socket.once('secureConnect', () => settle(null, socket));
    });
  };

  /** Cuts every connection, also those that are only being opened. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Hands the connection exactly the addresses that were checked, so that a second answer of a name server is never asked for. */
  #vettedLookup(reach: RouteReach): LookupFunction {
    return (host, options, callback) => {
      const answer = (addresses: readonly ResolvedAddress[]) => {
        const problem = addresses.map(({ address }) => addressProblem(host, address, reach)).find((found) => found !== null);
        const [first] = addresses;
        if (problem || !first) callback(problem ?? new Error(`${host} has no address.`), '', 0);
        else if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      };
      // E4: a hosts file or a name server has no say in where this computer is.
      if (host === 'localhost') process.nextTick(answer, LOOPBACK_ADDRESSES);
      else this.#parts.resolve(host).then(answer, (error: Error) => callback(error, '', 0));
    };
  }
}
