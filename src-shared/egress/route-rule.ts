import type { Route, RouteId } from './egress.schema';

/** A request as the door sees it: the path with its query, as it would be written on the wire. */
export interface RouteRequest {
  routeId: RouteId;
  origin: string;
  path: string;
}

/** The route that lets a request through: the one it names, on, and owner of origin and path (P1). Undefined is a refusal. */
export function findRoute(routes: readonly Route[], { routeId, origin, path }: RouteRequest): Route | undefined {
  const route = routes.find((candidate) => candidate.id === routeId);
  if (!route?.on || route.origin === null || route.origin !== origin) return undefined;
  return ownsPath(route.pathPrefix, path) ? route : undefined;
}

/** Whether `path` is the prefix itself or lies under it: `/mcp` owns `/mcp/a` and `/mcp?b`, not `/mcpx` and not `/mcp/../admin`. */
export function ownsPath(prefix: string, path: string): boolean {
  const [pathname = ''] = path.split('?', 1);
  if (!pathname.startsWith(prefix) || climbs(pathname)) return false;
  return pathname.length === prefix.length || prefix.endsWith('/') || pathname[prefix.length] === '/';
}

const CLIMBING_SEGMENT = /(?:^|[/\\])\.\.?(?:[/\\;]|$)/;
const MAX_DECODINGS = 4;

/** Whether some server, however often it decodes, reads a `..` in this path. */
function climbs(pathname: string): boolean {
  let reading = pathname;
  for (let times = 0; times < MAX_DECODINGS; times += 1) {
    if (CLIMBING_SEGMENT.test(reading)) return true;
    const decoded = reading
      .replace(/%2e/gi, '.')
      .replace(/%2f/gi, '/')
      .replace(/%5c/gi, '\\')
      .replace(/%3b/gi, ';')
      .replace(/%25/g, '%');
    if (decoded === reading) return false;
    reading = decoded;
  }
  return true;
}
