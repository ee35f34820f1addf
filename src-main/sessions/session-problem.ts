import type { ProgramExit } from '../processes/program';
import { StdioError } from './stdio-transport';
import { sizeInWords, TooLargeError } from './bounded-stream';
import { ForeignEndpointError } from './http-transport-endpoint';

/** Why a server could not be used, in words for the user. */
export interface SessionProblem {
  kind:
    'exited' | 'timed-out' | 'too-large' | 'lost' | 'server-error' | 'unreachable' | 'needs-sign-in' | 'cancelled' | 'refused';
  /** One sentence or two. Names the server, never its address. */
  message: string;
  /** The server's own words as they came: untreated, at most a few kilobytes. */
  said?: string;
  /** Set when it was refused for want of the user's own yes to a private network (E7). */
  privateNetwork?: true;
}

type ExchangeFault =
  'closed' | 'redirected' | 'no-response' | 'not-as-approved' | 'asked-too-often' | 'asked-too-much' | 'not-answered';

/** An exchange that ended on this side, or by the way the other side ended it. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
  constructor(
    readonly fault: ExchangeFault,
    /** Never the address itself: that is the server's word, and no model is told one (O4). */
    readonly to: 'another address' | 'nowhere' | 'itself' = 'another address',
  ) {
    super(`Exchange ended: ${fault}`);
  }
}

export interface ProblemFacts {
  /** The user's own name for the server. */
  serverName: string;
  doing: 'start' | 'list' | 'call' | 'read';
  /** What a list is of; tools, unless it says otherwise. */
  listed?: 'tools' | 'resources' | 'prompts';
  maxReplyBytes: number;
  /** Set when our own deadline ended the wait. */
  deadlineMs?: number;
  cancelled?: boolean;
  /** A 404 then speaks of the session, not of the address. */
  hadSession?: boolean;
  /** The last lines the program wrote, oldest first. */
  lastWords?: readonly string[];
}

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EGRESS_CONNECT_TIMEOUT',
  'EGRESS_UNREADABLE_RESPONSE',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_SOCKET',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);
const CERTIFICATE = /CERT|UNABLE_TO_VERIFY|ERR_TLS/;
const HEADERS_TOO_LARGE = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW']);

/** Turns whatever an SDK, a door or a program threw into one plain problem. */
export function toSessionProblem(error: unknown, facts: ProblemFacts): SessionProblem {
  const { serverName: name } = facts;
  const quoting = quote(facts.lastWords ?? []);
  if (facts.cancelled) {
    const after = facts.doing === 'call' ? ' Whether the tool ran is not known.' : '';
    return { kind: 'cancelled', message: `The ${nounFor(facts)} ${name} was cancelled.${after}` };
  }
  if (facts.deadlineMs !== undefined) return { kind: 'timed-out', message: timedOut(facts, facts.deadlineMs), ...quoting };

  const chain = causesOf(error);
  if (chain.some((each) => each instanceof TooLargeError)) return tooLarge(facts);
  const exchange = chain.find((each) => each instanceof ExchangeError);
  if (exchange?.fault === 'not-as-approved') {
    return {
      kind: 'refused',
      message: `The call to ${name} was not sent, because its arguments would have differed from the approved ones.`,
    };
  }
  const foreign = chain.find((each) => each instanceof ForeignEndpointError);
  if (foreign) return { kind: 'refused', message: foreignEndpoint(name, foreign) };
  const program = chain.find((each) => each instanceof StdioError);
  if (program?.exit) return { kind: 'exited', message: exited(facts, program.exit), ...quote(program.lines) };
  if (program?.code === 'PROGRAM_NOT_STARTED') return { kind: 'unreachable', message: program.message };
  if (program) return lost(facts, quoting);
  if (exchange?.fault === 'redirected') {
    return { kind: 'refused', message: `${name} redirects to ${exchange.to}, which was not followed.` };
  }
  const asked = exchange && ASKED[exchange.fault];
  if (asked) return { kind: 'refused', message: `${name} ${asked}` };
  if (exchange) return lost(facts, quoting);

  for (const each of chain) {
    const { code, data } = each as { code?: unknown; data?: { status?: unknown; text?: unknown; contentType?: unknown } };
    if (typeof data?.status === 'number') return fromStatus(facts, data.status, data);
    if (typeof code === 'number') return { kind: 'server-error', message: `${name} answered with an error.`, ...saying(each) };
    if (code === 'EGRESS_NO_ROUTE') {
      return { kind: 'refused', message: `Nothing in this app is allowed to contact ${name} now, so the request was not sent.` };
    }
    if (code === 'EGRESS_ROUTE_CLOSED') {
      return { kind: 'lost', message: `The way to ${name} was turned off, so its connection was cut.` };
    }
    if (code === 'EGRESS_ADDRESS_REFUSED' && 'isPrivateNetwork' in each && each.isPrivateNetwork === true) {
      return {
        kind: 'refused',
        message: `The host of ${name} leads inside a private network, so nothing was sent. Review ${name} again to allow that.`,
        privateNetwork: true,
      };
    }
    if (code === 'EGRESS_ADDRESS_REFUSED') {
      return { kind: 'refused', message: `The host of ${name} leads to a place its route is not for, so nothing was sent.` };
    }
    if (typeof code === 'string' && HEADERS_TOO_LARGE.has(code)) {
      return { kind: 'too-large', message: `${name} sent headers over the limit, so its reply was cut off.` };
    }
    if (typeof code === 'string' && UNREACHABLE.has(code)) return unreachable(facts, code);
    if (code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED') return lost(facts, quoting);
    if (code === 'REQUEST_TIMEOUT') return { kind: 'timed-out', message: `${name} did not answer in time.`, ...quoting };
    if (code === 'UNSUPPORTED_RESULT_TYPE') {
      return { kind: 'server-error', message: `${name} answered with a kind of result this app does not know.` };
    }
    if (code === 'INVALID_RESULT') return { kind: 'server-error', message: `${name} sent a reply this app could not read.` };
  }
  const version = /protocol version is not supported: ([\w.-]{1,40})/.exec(error instanceof Error ? error.message : '');
  if (version)
    return { kind: 'server-error', message: `${name} speaks protocol version ${version[1]}, which this app does not know.` };
  return { kind: 'server-error', message: `${name} sent a reply this app could not read.`, ...quoting };
}

/** What a server asked of a person during a call, and why that ended the call (W8). */
const ASKED: Partial<Record<ExchangeFault, string>> = {
  'asked-too-often': 'asked more often than is allowed during one call, so the call was ended.',
  'asked-too-much': 'asked for something this app does not do for a server, so the call was ended.',
  'not-answered': 'wants an address opened before it runs this tool, and it was not, so the tool did not run.',
};

/** An error and what caused it, outermost first, as far as it is told. */
export function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let each = error; each instanceof Error && chain.length < 8;) {
    chain.push(each);
    const { cause, data } = each as { cause?: unknown; data?: { cause?: unknown } };
    each = cause ?? data?.cause;
  }
  return chain;
}

function fromStatus(
  { serverName: name, hadSession }: ProblemFacts,
  status: number,
  { text, contentType }: { text?: unknown; contentType?: unknown },
): SessionProblem {
  const said = typeof text === 'string' && text !== '' ? { said: messageIn(text) } : {};
  if (status === 401) {
    return {
      kind: 'needs-sign-in',
      message: `${name} asks for a sign-in (401). Choose Sign in at its row in Settings, MCP servers, or save its key as a secret header.`,
      ...said,
    };
  }
  if (status === 403) {
    return { kind: 'needs-sign-in', message: `${name} refuses access (403). Check the key saved for it in Settings.`, ...said };
  }
  if (status === 404 && hadSession)
    return { kind: 'lost', message: `${name} forgets its sessions as soon as they are opened, so nothing works there.`, ...said };
  if (status === 404)
    return {
      kind: 'server-error',
      message: `${name} knows nothing at this address (404). Check the address in Settings.`,
      ...said,
    };
  if (status >= 200 && status < 300) {
    return {
      kind: 'server-error',
      message: `${name} answered with status ${status} and ${mediaTypeIn(contentType)}, which is no MCP reply.`,
      ...said,
    };
  }
  return { kind: 'server-error', message: `${name} answered with status ${status}.`, ...said };
}

/** A header is the server's words: only what has the form of a media type is repeated (O1, O4). */
function mediaTypeIn(contentType: unknown): string {
  const named = /^[a-z0-9-]{1,32}\/[a-z0-9.+-]{1,64}/i.exec(typeof contentType === 'string' ? contentType : '');
  return named?.[0] ?? 'no type this app knows';
}

/** The words of an error body: its JSON-RPC message when it has one. */
function messageIn(text: string): string {
  try {
    const message = (JSON.parse(text) as { error?: { message?: unknown } } | null)?.error?.message;
    if (typeof message === 'string') return message;
  } catch {
    // Not JSON: quoted as it is.
  }
  return text;
}

function quote(lines: readonly string[]): { said?: string } {
  return lines.length === 0 ? {} : { said: lines.join('\n') };
}

function saying(error: Error): { said?: string } {
  return error.message === '' ? {} : { said: error.message };
}

/** Both hosts are named, and nothing else of the address: whoever set it up has to see which of the two is wrong. */
function foreignEndpoint(name: string, { host, namedHost }: ForeignEndpointError): string {
  const elsewhere = namedHost === null ? 'an address that is no web address' : namedHost;
  return `${name} is at ${host} and wants its messages sent to ${elsewhere}, which is not its own. Nothing was sent there.`;
}

function nounFor({ doing, listed = 'tools' }: ProblemFacts): string {
  if (doing === 'call') return 'call to';
  if (doing === 'read') return 'question to';
  return doing === 'list' ? `look at the ${listed} of` : 'start of';
}

function timedOut({ serverName: name, doing, listed = 'tools' }: ProblemFacts, ms: number): string {
  const seconds = Math.round(ms / 100) / 10;
  const time = ms < 1000 ? `${ms} milliseconds` : seconds === 1 ? 'a second' : `${seconds} seconds`;
  if (doing === 'start') return `${name} did not finish starting within ${time}.`;
  if (doing === 'list') return `${name} did not list its ${listed} within ${time}.`;
  if (doing === 'read') return `${name} did not answer within ${time}.`;
  return `${name} did not answer within ${time}, so the call was stopped. Whether the tool ran is not known.`;
}

function tooLarge({ serverName: name, maxReplyBytes }: ProblemFacts): SessionProblem {
  return {
    kind: 'too-large',
    message: `${name} sent a reply larger than its limit of ${sizeInWords(maxReplyBytes)}, so it was cut off.`,
  };
}

function exited({ serverName: name, doing }: ProblemFacts, { code, signal }: ProgramExit): string {
  const how = signal === null ? `exited with code ${code ?? 'unknown'}` : `was ended by ${signal}`;
  if (doing === 'start') return `${name} ${how} before it was ready.`;
  return `${name} ${how} before it answered.${doing === 'call' ? ' Whether the tool ran is not known.' : ''}`;
}

function lost({ serverName: name, doing }: ProblemFacts, quoting: { said?: string }): SessionProblem {
  const after = doing === 'call' ? ' Whether the tool ran is not known, and the call was not sent again.' : '';
  return { kind: 'lost', message: `${name} ended its connection before a response came.${after}`, ...quoting };
}

function unreachable({ serverName: name }: ProblemFacts, code: string): SessionProblem {
  if (CERTIFICATE.test(code)) {
    return {
      kind: 'unreachable',
      message: `${name} could not prove who it is: its certificate is not accepted. Nothing was sent.`,
    };
  }
  return {
    kind: 'unreachable',
    message: `${name} did not answer. Check that it is running and that its address is right, then choose Retry.`,
  };
}
