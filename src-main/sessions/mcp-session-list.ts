import { z } from 'zod';
import type { SkippedTool } from '../../src-shared/tools/tool-list-rule';
import type { Connection } from './mcp-session-connect';
import type { WirePage } from './mcp-session-wire';

const MAX_PAGES = 64;
const METHOD_NOT_FOUND = -32601;
/** Longer than any deadline of ours: the client's own clock never ends a wait. */
export const NO_CLIENT_TIMEOUT_MS = 1_200_000;
export const AnyResultSchema = z.looseObject({});

/** One list of a server: how it is asked for and where its entries stand. */
export interface ListKind {
  method: 'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list';
  member: 'tools' | 'resources' | 'resourceTemplates' | 'prompts';
  /** A server that lacks a list says so by not knowing its method. */
  isOptional(capabilities: { tools?: unknown } | undefined): boolean;
}

const TOOLS: ListKind = { method: 'tools/list', member: 'tools', isOptional: (capabilities) => !capabilities?.tools };

export interface ReadPages {
  entries: unknown[];
  /** The list went on after the last page that is read. */
  unread: boolean;
}

/** Stands among what was left out, so that no list is cut in silence (R3). */
export const UNREAD_PAGES: SkippedTool = {
  rawName: `page ${MAX_PAGES + 1} and what follows`,
  why: `The server goes on after ${MAX_PAGES} pages of tools; what follows was not read.`,
};

/**
 * Reads a list page by page as the server sent it. Paging ends at a repeated cursor, after 64 pages,
 * or when there is more than will be kept; an empty cursor is a cursor like any other (R3).
 */
export async function readPages(
  { client, wire }: Connection,
  maxEntries: number,
  stop: AbortSignal,
  list: ListKind = TOOLS,
): Promise<ReadPages> {
  const entries: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let count = 0; count < MAX_PAGES && entries.length <= maxEntries; count += 1) {
    // A signal for each page: nobody who is given one stops listening to it, and there are many pages.
    const page: WirePage = { method: list.method, empty: { [list.member]: [] }, signal: AbortSignal.any([stop]) };
    wire.announcePage(page);
    try {
      await client.request({ method: list.method, ...(cursor === undefined ? {} : { params: { cursor } }) }, AnyResultSchema, {
        signal: page.signal,
        timeout: NO_CLIENT_TIMEOUT_MS,
      });
    } catch (error) {
      const unknown = (error as { code?: unknown }).code === METHOD_NOT_FOUND;
      if (count === 0 && unknown && list.isOptional(client.getServerCapabilities())) return { entries, unread: false };
      throw error;
    } finally {
      wire.settle(page);
    }
    const { [list.member]: listed, nextCursor } = page.raw as { [member: string]: unknown };
    if (!Array.isArray(listed)) throw new UnreadableListError();
    for (const entry of listed) entries.push(entry);
    if (typeof nextCursor !== 'string' || seen.has(nextCursor)) return { entries, unread: false };
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  return { entries, unread: entries.length <= maxEntries };
}

class UnreadableListError extends Error {
  override readonly name = 'UnreadableListError';
  readonly code = 'INVALID_RESULT';
  constructor() {
    super('The reply holds no such list.');
  }
}
