import type { ServerClaims } from '../../src-shared/servers/server-about.schema';
import type { Connection } from './mcp-session-connect';

const MAX_OFFERS = 12;

/** What the server says of itself, word for word. Nothing is decided by it. */
export function claimsOf({ client, era }: Connection, at: number): ServerClaims {
  const { name = '', version = '' } = client.getServerVersion() ?? {};
  const capabilities = Object.entries(client.getServerCapabilities() ?? {});
  const offers = capabilities.filter(([, detail]) => detail !== undefined).map(([offer]) => offer);
  const protocol = client.getNegotiatedProtocolVersion() ?? 'unknown';
  return { name, version, protocol, era, offers: offers.slice(0, MAX_OFFERS), at };
}
