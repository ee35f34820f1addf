import type { Clock } from '../../src-shared/base/clock';
import type { RouteId } from '../../src-shared/egress/egress.schema';
import { HttpTransport } from './http-transport';
import type { HttpDoor } from './http-transport-door';
import type { FrozenLaunch } from './launch-plan';
import type { SessionLink } from './mcp-session-wire';
import type { ServerLog } from './server-log';
import { StdioTransport } from './stdio-transport';

export interface LinkParts {
  serverName: string;
  /** The route its requests go by; a program needs none. */
  routeId: RouteId;
  launch: FrozenLaunch;
  maxReplyBytes: number;
  door: HttpDoor;
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
  const transport = new HttpTransport({
    door: parts.door,
    routeId: parts.routeId,
    endpoint: start.address.url,
    headers: start.address.headers.map(({ name, value }) => [name, value]),
    maxReplyBytes,
    clock: parts.clock,
    log: (line) => log.note(line),
  });
  return { kind: 'http', transport, pid: () => null, failure: () => null, lastWords: () => [] };
}
