import type { WireChoice } from '../../src-shared/servers/wire-choice.schema';
import type { Spoken } from './era-memory';
import type { HttpWay } from './http-transport-door';
import { parseMessage } from './http-transport-messages';
import type { SessionLink, SessionWire } from './mcp-session-wire';
import { causesOf, type SessionProblem } from './session-problem';

/** One way to ask a server which protocol it speaks. */
export interface Attempt {
  how: 'ask' | 'remembered-legacy' | 'legacy' | 'modern';
  way: HttpWay;
  versions?: string[];
  /** Told when this attempt finds nothing at all: the attempt before it says more. */
  insteadOf?: SessionProblem;
}

/** The user's own choice first, then what was learned the last time. */
export function firstAttempt({ protocol, era }: WireChoice, known: Spoken | undefined): Attempt {
  if (protocol === 'sse') return { how: 'legacy', way: 'sse' };
  if (era === 'modern') return { how: 'modern', way: 'streamable-http' };
  if (protocol === 'auto' && known === 'legacy-sse') return { how: 'remembered-legacy', way: 'sse' };
  if (era === 'legacy') return { how: 'legacy', way: 'streamable-http' };
  return { how: known === 'legacy' ? 'remembered-legacy' : 'ask', way: 'streamable-http' };
}

/** Another way to ask after a failure that speaks of the way, not of the server. */
export function nextAttempt(
  { how, way }: Attempt,
  failure: { link: SessionLink; wire: SessionWire; error: unknown; choice: WireChoice; problem: SessionProblem },
): Attempt | null {
  const { link, wire, error, choice, problem } = failure;
  if (link.kind === 'stdio') {
    // Some programs end at any message before `initialize`.
    if (how === 'ask') return exitedUnheard(link, wire) ? { how: 'legacy', way } : null;
    return how === 'remembered-legacy' && !wire.lost && answeredWithError(error) ? { how: 'ask', way } : null;
  }
  if (how === 'remembered-legacy') {
    return (way === 'sse' || !wire.lost) && (answeredWithError(error) || saidSomethingElse(error))
      ? { how: 'ask', way: 'streamable-http' }
      : null;
  }
  if (how === 'ask' && refusedTheQuestion(error)) return { how: 'legacy', way };
  const mayTryStream = how !== 'modern' && way === 'streamable-http' && choice.protocol === 'auto';
  return mayTryStream && takesNoPosts(error) ? { how: 'legacy', way: 'sse', insteadOf: problem } : null;
}

/** True when there is no stream where one was looked for. */
export const foundNoStream = (error: unknown): boolean => answeredWithError(error) || saidSomethingElse(error);

/** The HTTP statuses an error speaks of, outermost first. */
export const statusesIn = (error: unknown): number[] =>
  causesOf(error).flatMap((each) => {
    const status = (each as { data?: { status?: unknown } }).data?.status;
    return typeof status === 'number' ? [status] : [];
  });

const saidSomethingElse = (error: unknown): boolean =>
  causesOf(error).some((each) => (each as { code?: unknown }).code === 'CLIENT_HTTP_UNEXPECTED_CONTENT');

function exitedUnheard(link: SessionLink, wire: SessionWire): boolean {
  return !wire.heard && (link.failure() as { code?: unknown } | null)?.code === 'PROGRAM_EXITED';
}

function refusedTheQuestion(error: unknown): boolean {
  return saidSomethingElse(error) || statusesIn(error).some((status) => status >= 500);
}

function answeredWithError(error: unknown): boolean {
  return (
    causesOf(error).some((each) => typeof (each as { code?: unknown }).code === 'number') ||
    statusesIn(error).some((status) => status !== 401 && status !== 403)
  );
}

/** MCP 2025-03-26, backwards compatibility: such an answer to a POST, unless it speaks the protocol itself, means an older server. */
function takesNoPosts(error: unknown): boolean {
  return causesOf(error).some((each) => {
    const { data } = each as { data?: { status?: unknown; text?: unknown } };
    if (data?.status !== 400 && data?.status !== 404 && data?.status !== 405) return false;
    return typeof data.text !== 'string' || !speaksTheProtocol(data.text);
  });
}

function speaksTheProtocol(text: string): boolean {
  const message = parseMessage(text);
  return message !== undefined && 'error' in message;
}
