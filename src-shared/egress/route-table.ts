import type { ModelId } from '../models/model.schema';
import { sha256Hex } from '../base/sha256';
import { checkEndpoint } from '../servers/endpoint-rule';
import type { Connection, ServerId } from '../servers/server.schema';
import type { KeychainState } from '../settings/shell.schema';
import { RouteKindSchema, type Route, type RouteId, type RouteKind } from './egress.schema';
import { KEYCHAIN_WORDS, PRIVATE_NETWORK_WORDS, ROUTE_WORDS } from './route-words';

/** What the stores say. `on` is the whole decision: intent, seal and review together (S10). */
export interface RouteFacts {
  models: readonly { id: ModelId; name: string; endpoint: string; on: boolean }[];
  /** A server that is being looked at counts as on: it is contacted so that its tools can be reviewed (R4). */
  servers: readonly { id: ServerId; name: string; connection: Connection; on: boolean; privateNetwork?: boolean }[];
  keychainState: KeychainState;
  /** What sign-ins contact, server by server: open only while its flow or its tokens need it (K2). */
  signIns?: readonly { serverId: ServerId; name: string; on: boolean; origins: readonly string[] }[];
  /** The origin of the one address that is being handed to the browser, after a person's yes (P2). */
  openingLink?: string | undefined;
  /** The one server of a test typed in a shell, while it runs (T1). */
  commandLineRun?: { name: string; connection: Connection };
}

export const COMMAND_LINE_ROUTE_ID = 'command-line-run' as RouteId;
export const BROWSER_LINK_ROUTE_ID = 'browser-links' as RouteId;
export const routeIdForServer = (id: ServerId) => `server-${id}` as RouteId;
/** An origin of a sign-in has a route of its own for each server, however many servers use the same host. */
export const routeIdForSignIn = (id: ServerId, origin: string) => `sign-in-${id}-${sha256Hex(origin).slice(0, 16)}` as RouteId;
export const routeIdForModel = (id: ModelId) => id as string as RouteId;

/** Every way out there is, on or off (P3). The Privacy tab shows this array and the door reads this array (P1). */
export function buildRouteTable(facts: RouteFacts): Route[] {
  return RouteKindSchema.options.flatMap((kind) => ROWS[kind](facts));
}

const ROWS: Record<RouteKind, (facts: RouteFacts) => Route[]> = {
  model: ({ models }) =>
    models.map(({ id, name, endpoint, on }) => {
      const target = targetOf(endpoint, 'below');
      return row('model', { id: routeIdForModel(id), name, on: on && target.origin !== null, switchable: true, ...target });
    }),

  'mcp-server': ({ servers }) =>
    servers.flatMap(({ id, name, connection, on, privateNetwork }) => {
      if (connection.kind !== 'http') return [];
      const target = targetOf(connection.endpoint, 'exact');
      return [
        row('mcp-server', {
          ...{ id: routeIdForServer(id), name, on: on && target.origin !== null, switchable: true },
          ...target,
          ...(privateNetwork && target.leaves && { privateNetwork }),
        }),
      ];
    }),

  'sign-in': ({ signIns = [] }) =>
    signIns.flatMap(({ serverId, name, on, origins }) =>
      origins.map((origin) => {
        const target = targetOf(origin, 'below');
        const id = routeIdForSignIn(serverId, origin);
        return row('sign-in', { id, name: `Sign-in to ${name}`, on: on && target.origin !== null, switchable: true, ...target });
      }),
    ),

  'browser-link': ({ openingLink }) => {
    const { leaves, where } =
      openingLink === undefined ? { leaves: true, where: 'Any host, after you saw it' } : targetOf(openingLink, 'below');
    // The browser speaks HTTP there, and this app does not.
    const parts = { id: BROWSER_LINK_ROUTE_ID, name: 'Links you open', on: openingLink !== undefined, switchable: false };
    return [row('browser-link', { ...parts, ...programTarget(where), leaves })];
  },

  'local-program': ({ servers }) =>
    servers.flatMap(({ id, name, connection, on }) =>
      connection.kind === 'stdio'
        ? [row('local-program', { id: routeIdForServer(id), name, on, switchable: true, ...programTarget(connection.command) })]
        : [],
    ),

  'command-line-run': ({ commandLineRun: run }) => {
    const fixed = { id: COMMAND_LINE_ROUTE_ID, switchable: false };
    if (!run) {
      const target = { origin: null, pathPrefix: '/', leaves: true, where: 'The address you type' };
      return [row('command-line-run', { ...fixed, name: 'Tests from the command line', on: false, ...target })];
    }
    const target =
      run.connection.kind === 'http' ? targetOf(run.connection.endpoint, 'exact') : programTarget(run.connection.command);
    const on = run.connection.kind === 'stdio' || target.origin !== null;
    return [row('command-line-run', { ...fixed, name: run.name, on, ...target })];
  },

  keychain: ({ keychainState }) => [
    row('keychain', {
      id: 'keychain' as RouteId,
      name: 'Keychain',
      on: keychainState === 'ready',
      switchable: false,
      ...programTarget(KEYCHAIN_WORDS[keychainState]),
    }),
  ],

  'single-instance-socket': () => [
    row('single-instance-socket', {
      id: 'single-instance-socket' as RouteId,
      name: 'One app at a time',
      on: true,
      switchable: false,
      ...programTarget('A socket on this computer'),
    }),
  ],
};

type Target = Pick<Route, 'origin' | 'pathPrefix' | 'leaves' | 'where'>;

/** Nothing here speaks HTTP, so there is nothing the door lets through. */
const programTarget = (where: string): Target => ({ origin: null, pathPrefix: '/', leaves: false, where });

/** `below` owns what lies under the path, `exact` the path itself and what lies under it. */
function targetOf(endpoint: string, owns: 'below' | 'exact'): Target {
  const checked = checkEndpoint(endpoint);
  // A refused address is listed, and has no origin, so that nothing can be sent to it (S2, E2).
  if (!checked.ok) return { origin: null, pathPrefix: '/', leaves: true, where: 'An address that breaks a rule' };
  const { url, host, leaves } = checked.value;
  const pathPrefix = owns === 'exact' ? url.pathname : `${url.pathname.replace(/\/+$/, '')}/`;
  return { origin: url.origin, pathPrefix, leaves, where: host };
}

function row(kind: RouteKind, parts: Omit<Route, 'kind' | 'sends'>): Route {
  const { leaving, staying } = ROUTE_WORDS[kind];
  const sends = (parts.leaves ? leaving : staying) ?? leaving ?? staying ?? '';
  return { ...parts, kind, sends: parts.privateNetwork ? `${sends} ${PRIVATE_NETWORK_WORDS}` : sends };
}
