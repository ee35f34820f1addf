import type { Clock } from '../../src-shared/base/clock';
import type { RouteId } from '../../src-shared/egress/egress.schema';
import { HttpTransport } from './http-transport';
import { doorWithAccess } from './http-transport-access';
import type { HttpAccess, HttpDoor, HttpWay } from './http-transport-door';
import { SseTransport } from './http-transport-sse';
import type { FrozenLaunch } from './launch-plan';
import type { SessionLink } from './mcp-session-wire';
import type { ServerLog } from './server-log';
import { StdioTransport } from './stdio-transport';

export interface LinkParts {
  serverName: string;
  /** The route its requests go by; a program needs none. */
  routeId: RouteId;
  launch: FrozenLaunch;
  /** Of an address; Streamable HTTP when left out. */
  way?: HttpWay;
  maxReplyBytes: number;
  door: HttpDoor;
  /** Who signs in to a server at this address; left out where nobody can. */
  accessTo?: ((endpoint: string) => HttpAccess) | undefined;
  clock: Clock;
  log: ServerLog;
}

/** A fresh way to a server, made from the values its approval stands for. Nothing runs before its transport is started. */
export function createLink(parts: LinkParts): SessionLink {
  const { launch, log, maxReplyBytes, serverName } = parts;
  const { start } = launch;
  if (start.kind === 'stdio') {
    const transport = new StdioTransport({ serverName, launch: start.program, maxReplyBytes, log });
    return {
      kind: 'stdio',
      transport,
      pid: () => transport.programPid,
      failure: () => transport.failure,
      lastWords: () => transport.lastWords(),
    };
  }
  const { url } = start.address;
  const own = {
    door: parts.accessTo ? doorWithAccess(parts.door, parts.accessTo(url), url) : parts.door,
    routeId: parts.routeId,
    endpoint: url,
    headers: start.address.headers.map(({ name, value }) => [name, value] as const),
    maxReplyBytes,
    clock: parts.clock,
    log: (line: string) => log.note(line),
  };
  const none = { kind: 'http' as const, pid: () => null, lastWords: () => [] };
  if (parts.way !== 'sse') return { ...none, transport: new HttpTransport(own), failure: () => null };
  const stream = new SseTransport(own);
  return { ...none, transport: stream, failure: () => stream.failure };
}
