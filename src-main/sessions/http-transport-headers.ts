import type { JSONRPCMessage } from '@modelcontextprotocol/client';

const PROTOCOL_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const NAME_FIELD: Record<string, string> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };

/** Headers that belong to the exchange itself: neither a server's settings nor one request may replace them. */
const RESERVED = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'transfer-encoding',
]);

export type HeaderPair = readonly [name: string, value: string];

/** Lower-cases names, drops reserved ones; a later pair replaces an earlier one of the same name. */
export function ownHeaders(pairs: readonly HeaderPair[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    if (!RESERVED.has(key)) headers[key] = value;
  }
  return headers;
}

/** The protocol version a request claims for itself; undefined in the session era. */
export function claimedVersion(message: JSONRPCMessage): string | undefined {
  if (!('method' in message) || !('id' in message)) return undefined;
  const version = message.params?._meta?.[PROTOCOL_VERSION_KEY];
  return typeof version === 'string' ? version : undefined;
}

/** What the stateless era repeats of a body in its headers, so that something between can route by them. */
export function bodyHeaders(message: JSONRPCMessage): Record<string, string> {
  const version = claimedVersion(message);
  if (version === undefined || !('method' in message)) return {};
  const headers: Record<string, string> = { 'mcp-protocol-version': version, 'mcp-method': message.method };
  const field = Object.hasOwn(NAME_FIELD, message.method) ? NAME_FIELD[message.method] : undefined;
  const name = field === undefined ? undefined : (message.params as Record<string, unknown> | undefined)?.[field];
  if (typeof name === 'string') headers['mcp-name'] = asFieldValue(name);
  return headers;
}

/** A text as a header value: as it is when that is safe, else in the base64 form the protocol defines. */
export function asFieldValue(text: string): string {
  const plain = /^[\t\x20-\x7e]+$/.test(text) && text === text.trim() && !(text.startsWith('=?base64?') && text.endsWith('?='));
  return plain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}
