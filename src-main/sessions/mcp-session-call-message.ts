import type { JSONRPCRequest } from '@modelcontextprotocol/client';
import { holdsLongNumber, readExactJson } from '../../src-shared/base/exact-json';
import type { RoundAnswers } from './mcp-session-questions';
import { ExchangeError } from './session-problem';

/** What the stateless era repeats under `_meta` in every message of a client; empty in the session era. */
export type Envelope = Readonly<Record<string, unknown>>;

/** One call as it leaves: `text` is what is sent, `message` is the same for whoever has to look at it. */
export interface CallMessage {
  message: JSONRPCRequest;
  text: string;
}

export type CallArguments = Readonly<Record<string, unknown>>;

/** The one text of a call. Its arguments are the approved bytes themselves, never a text made anew from what they were parsed to (A5, O6). */
export function callMessage(
  id: number,
  { rawName, frozenText }: { rawName: string; frozenText: string },
  callArguments: CallArguments,
  envelope: Envelope,
  answers: RoundAnswers,
): CallMessage {
  const others = { ...answers, _meta: { ...envelope, progressToken: id } };
  const params = { name: rawName, arguments: callArguments, ...others };
  const rest = JSON.stringify(others).slice(1);
  return {
    message: { jsonrpc: '2.0', id, method: 'tools/call', params },
    text: `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":${JSON.stringify(rawName)},"arguments":${frozenText},${rest}}`,
  };
}

/**
 * What approved bytes say. Throws unless they are one JSON object in the one way this app writes it: a name given twice or a
 * line break would let a server read something else than was shown (A5).
 */
export function readApproved(frozenText: string): CallArguments {
  let value: unknown;
  let written: string;
  try {
    const exact = readExactJson(frozenText);
    written = exact.write(exact.value);
    value = holdsLongNumber(frozenText) ? JSON.parse(frozenText) : exact.value;
  } catch {
    throw new ExchangeError('not-as-approved');
  }
  if (written !== frozenText || typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ExchangeError('not-as-approved');
  return value as CallArguments;
}
