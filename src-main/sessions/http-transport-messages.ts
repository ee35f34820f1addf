import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { headerOf, type ByteSource } from './bounded-stream';
import { parseJsonRpc } from './exact-messages';

/** The type of a reply without case, parameters and a doubled value. */
export function mediaType(answer: ByteSource): string {
  return (headerOf(answer.headers, 'content-type') ?? '').split(/[;,]/, 1)[0]!.trim().toLowerCase();
}

/** True for the result or the error of this very request. */
export function answersTo(message: JSONRPCMessage, id: string | number): boolean {
  return !('method' in message) && 'id' in message && message.id === id;
}

/** The messages of a JSON reply; undefined when it is anything else. A cheap check of the shape, once. */
export function readMessages(bytes: Buffer): JSONRPCMessage[] | undefined {
  let value: unknown;
  try {
    value = parseJsonRpc(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
  const all = Array.isArray(value) ? value : [value];
  return all.length > 0 && all.every(isMessage) ? all : undefined;
}

/** The message in a text; undefined when there is none. */
export function parseMessage(text: string): JSONRPCMessage | undefined {
  try {
    const value = parseJsonRpc(text);
    return isMessage(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): value is JSONRPCMessage {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const message = value as Record<string, unknown>;
  if (message['jsonrpc'] !== '2.0') return false;
  return typeof message['method'] === 'string' || (message['id'] !== undefined && ('result' in message || 'error' in message));
}
