import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Needed } from './mcp-session-questions';

/** What came back for one call: its result as the server sent it, untreated, or what the server wants first. */
export type CallReply = { kind: 'complete'; raw: object } | Needed;

/** The error of 2025-11-25 that names addresses to be opened first. */
const ADDRESSES_FIRST = -32_042;

/** An error of the protocol that a server answered with, in its own words. */
class AnsweredWithError extends Error {
  override readonly name = 'AnsweredWithError';
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** A reply that is none, by a code that the protocol client uses as well. */
class UnreadableReplyError extends Error {
  override readonly name = 'UnreadableReplyError';
  constructor(readonly code: 'INVALID_RESULT' | 'UNSUPPORTED_RESULT_TYPE') {
    super('The reply to a call could not be read.');
  }
}

/**
 * Reads the reply to a call. Any object is a result, and what is in it is judged later: a server that is careless with one
 * block does not lose the rest (W6). Only the stateless era has kinds of results, and one it does not know is no answer (W8).
 */
export function readReply(reply: JSONRPCMessage, isStateless: boolean): CallReply {
  const { result, error } = reply as { result?: unknown; error?: unknown };
  if (!isObject(result)) return readError(error);
  if (!isStateless) return { kind: 'complete', raw: result };
  const { resultType } = result;
  // A server that leaves it out means a complete result (2026-07-28, multi round trip).
  if (resultType === undefined || resultType === 'complete') return { kind: 'complete', raw: result };
  if (resultType === 'input_required') return readNeeded(result);
  throw new UnreadableReplyError(typeof resultType === 'string' ? 'UNSUPPORTED_RESULT_TYPE' : 'INVALID_RESULT');
}

function readNeeded({ inputRequests, requestState }: Record<string, unknown>): Needed {
  const requests = isObject(inputRequests) ? inputRequests : {};
  const state = typeof requestState === 'string' ? requestState : undefined;
  if (Object.keys(requests).length === 0 && state === undefined) throw new UnreadableReplyError('INVALID_RESULT');
  return { kind: 'input', requests, state };
}

function readError(error: unknown): Needed {
  if (!isObject(error)) throw new UnreadableReplyError('INVALID_RESULT');
  const { code, message, data } = error;
  const elicitations = code === ADDRESSES_FIRST && isObject(data) ? data['elicitations'] : null;
  if (Array.isArray(elicitations) && elicitations.length > 0) return { kind: 'addresses', elicitations };
  throw new AnsweredWithError(typeof code === 'number' ? code : 0, typeof message === 'string' ? message : '');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
