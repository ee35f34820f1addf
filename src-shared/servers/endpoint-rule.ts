import { failed, ok, type Result } from '../base/result';
import { hostWarning, type HostWarning } from './host-script';
import type { Connection } from './server.schema';

export type EndpointProblem =
  | 'not-a-url'
  | 'not-encrypted'
  | 'credentials-in-url'
  | 'fragment-in-url'
  | 'unsupported-scheme'
  | 'encoded-host'
  | 'bad-port'
  | 'too-long';

/** What to do about each problem, in the words a person reads. */
export const ENDPOINT_ADVICE: Record<EndpointProblem, string> = {
  'not-a-url': 'Enter a full address, such as https://mcp.example.com.',
  'not-encrypted': 'Use an https address. Plain http works only for servers on this computer: localhost, 127.0.0.1 or [::1].',
  'credentials-in-url': 'Remove the user name and password from the address and save them as a secret instead.',
  'fragment-in-url': 'Remove the part of the address from # on.',
  'unsupported-scheme': 'Use an address that starts with https://.',
  'encoded-host': 'Write the host in plain letters, without % codes.',
  'bad-port': 'Use a port from 1 to 65535, or leave it out.',
  'too-long': 'Use an address of at most 2,048 characters.',
};

export interface CheckedEndpoint {
  readonly url: URL;
  /** The address to store and to show: as typed, with the host in the form that is dialled. */
  readonly address: string;
  /** Host, with the port where it is not the usual one. */
  readonly host: string;
  /** False for loopback: worth listing, and no egress (E3). */
  readonly leaves: boolean;
  readonly warning: HostWarning | null;
}

export const MAX_ENDPOINT_LENGTH = 2048;

const TYPED = /^(https?):\/\/([^\s/?#@\\%]+)(?=[/?#]|$)/i;
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;
const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
const PORT = /:([^:\]]*)$/;

/**
 * Remote servers must use HTTPS; plain HTTP is accepted only on this computer (E1).
 * Judges the text as typed: URL folds `127.1`, `0x7f.1` and full-width digits to `127.0.0.1` before code can see them.
 */
export function checkEndpoint(text: string): Result<CheckedEndpoint, EndpointProblem> {
  if (text.length > MAX_ENDPOINT_LENGTH) return failed('too-long');
  if (!/^https?:\/\//i.test(text)) return failed(/^[a-z][a-z0-9+.-]*:/i.test(text) ? 'unsupported-scheme' : 'not-a-url');
  // URL drops tabs and line ends wherever they stand, so what is dialled would not be what was typed.
  if (/[\s\p{Cc}]/u.test(text)) return failed('not-a-url');
  if (/^https?:\/\/[^/?#]*@/i.test(text)) return failed('credentials-in-url');
  if (text.includes('#')) return failed('fragment-in-url');
  if (/^https?:\/\/[^/?]*%/i.test(text)) return failed('encoded-host');
  const typed = TYPED.exec(text);
  if (!typed) return failed('not-a-url');
  const [start, scheme = '', authority = ''] = typed;
  if (scheme.toLowerCase() === 'http' && !LOOPBACK.test(authority.toLowerCase())) return failed('not-encrypted');
  if (!portStands(authority)) return failed('bad-port');
  // URL drops soft hyphens and zero-width characters from a host.
  if (/\p{Cf}/u.test(authority) || !URL.canParse(text)) return failed('not-a-url');

  const url = new URL(text);
  const address = `${url.protocol}//${url.host}${text.slice(start.length)}`;
  if (address.length > MAX_ENDPOINT_LENGTH) return failed('too-long');
  return ok({ url, address, host: url.host, leaves: !LOOPBACK_HOSTS.includes(url.hostname), warning: hostWarning(url.hostname) });
}

function portStands(authority: string): boolean {
  const port = PORT.exec(authority)?.[1];
  return port === undefined || (/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535);
}

/** Whether what is sent over this connection goes to another computer (E3). An address nobody can judge counts as one that leaves. */
export function leavesThisComputer(connection: Connection): boolean {
  if (connection.kind === 'stdio') return false;
  const checked = checkEndpoint(connection.endpoint);
  return !checked.ok || checked.value.leaves;
}
