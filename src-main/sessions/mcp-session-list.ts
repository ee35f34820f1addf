import { z } from 'zod';
import type { Connection } from './mcp-session-connect';
import type { WirePage } from './mcp-session-wire';

const MAX_PAGES = 64;
const METHOD_NOT_FOUND = -32601;
const AnyResultSchema = z.looseObject({});

/**
 * Reads a tool list page by page as the server sent it. Paging ends at a repeated cursor, after 64 pages,
 * or when there is more than will be kept; an empty cursor is a cursor like any other (R3).
 */
export async function readPages({ client, wire }: Connection, maxTools: number, stop: AbortSignal): Promise<unknown[]> {
  const entries: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let count = 0; count < MAX_PAGES && entries.length <= maxTools; count += 1) {
    const page: WirePage = { signal: stop };
    wire.announcePage(page);
    try {
      await client.request({ method: 'tools/list', ...(cursor === undefined ? {} : { params: { cursor } }) }, AnyResultSchema, {
        signal: stop,
        timeout: 1_200_000,
      });
    } catch (error) {
      // A server that has no tools at all says so in this way.
      if (count === 0 && (error as { code?: unknown }).code === METHOD_NOT_FOUND && !client.getServerCapabilities()?.tools)
        return [];
      throw error;
    } finally {
      wire.settle(page);
    }
    const { tools, nextCursor } = page.raw as { tools?: unknown; nextCursor?: unknown };
    if (!Array.isArray(tools)) throw new UnreadableListError();
    for (const entry of tools) entries.push(entry);
    if (typeof nextCursor !== 'string' || seen.has(nextCursor)) break;
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  return entries;
}

class UnreadableListError extends Error {
  override readonly name = 'UnreadableListError';
  readonly code = 'INVALID_RESULT';
  constructor() {
    super('The reply holds no list of tools.');
  }
}
