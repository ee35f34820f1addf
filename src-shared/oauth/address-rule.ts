import { failed, ok, type Result } from '../base/result';
import { checkEndpoint } from '../servers/endpoint-rule';

export type SignInAddressProblem = 'unusable' | 'not-encrypted' | 'this-computer';

/**
 * Judges an address that a server or its sign-in host names: https, or loopback for a server that is itself on this
 * computer (K2). That a name does not lead into a private network is checked when it is dialled.
 */
export function checkSignInAddress(text: string, serverLeaves: boolean): Result<URL, SignInAddressProblem> {
  const checked = checkEndpoint(text);
  if (!checked.ok) return failed(checked.problem === 'not-encrypted' ? 'not-encrypted' : 'unusable');
  const { url, leaves } = checked.value;
  return serverLeaves && !leaves ? failed('this-computer') : ok(url);
}

/**
 * The resource a server advertises must be the server itself or a path above it on the same origin; what is sent
 * is the advertised text, byte for byte, because hosts compare it so (RFC 8707, RFC 9728 3.3).
 */
export function isResourceOf(resource: string, endpoint: string): boolean {
  if (resource.length > 2048 || resource.includes('#') || !URL.canParse(resource)) return false;
  const named = new URL(resource);
  const server = new URL(endpoint);
  if (named.origin !== server.origin) return false;
  return withSlash(server.pathname).startsWith(withSlash(named.pathname));
}

const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`);

/** RFC 8414 3.3: the issuer must be the one asked. A bare origin may stand with or without its slash. */
export function isIssuerAsked(issuer: string, asked: string): boolean {
  return issuer === asked || (isBareOrigin(asked) && isBareOrigin(issuer) && withSlash(issuer) === withSlash(asked));
}

const isBareOrigin = (text: string): boolean => URL.canParse(text) && withSlash(text) === `${new URL(text).origin}/`;
