import { quotableName } from '../tools/quotable-name';
import type { Attachment } from './attachment.schema';

/**
 * What a server answered, in the shape of a tool's result, so that it is read and treated as one (O1 to O3, O5).
 * The roles a prompt claims for its messages are dropped: it is the user who speaks (O2).
 */
export function asResult(kind: Attachment['kind'], raw: unknown): { content: unknown[] } {
  const members = isObject(raw) ? raw : {};
  if (kind === 'resource') return { content: listOf(members['contents']).map((resource) => ({ type: 'resource', resource })) };
  return {
    content: listOf(members['messages']).flatMap((message) => (isObject(message) ? listOf(message['content']) : [message])),
  };
}

/** An attachment as the model reads it in the user's turn: said by whom, and framed as everything a server says (O2). */
export function attachmentForModel({ kind, name, serverName, outcome }: Attachment): string {
  return `The user attached the ${kind} "${quotableName(name)}" from the "${quotableName(serverName)}" MCP server:\n${outcome.forModel}`;
}

const listOf = (value: unknown): unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
