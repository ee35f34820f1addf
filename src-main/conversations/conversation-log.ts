import { z } from 'zod';
import { ConversationEntrySchema, type ConversationEntry } from '../../src-shared/conversations/conversation.schema';
import { titleFromEntry } from '../../src-shared/conversations/title-rule';

const CreatedSchema = z.object({ kind: z.literal('created'), at: z.number() });
const TitleSchema = z.object({ kind: z.literal('title'), title: z.string() });
const LineSchema = z.discriminatedUnion('kind', [...ConversationEntrySchema.options, CreatedSchema, TitleSchema]);
type Line = z.infer<typeof LineSchema>;

/** A line for the log. `kind` comes first, so that a title is found without reading what stands between. */
export const lineOf = ({ kind, ...rest }: Line): string => JSON.stringify({ kind, ...rest });

/** What the list of conversations shows of one log. */
export interface LogHead {
  createdAt: number;
  title: string | undefined;
}

/** Reads the head of a log without decoding all of it: a long conversation opens later, when someone looks at it. */
export function headOf(lines: readonly string[]): LogHead {
  let createdAt = 0;
  let title: string | undefined;
  for (const line of lines.slice(0, 20)) {
    const decoded = decodeLine(line);
    if (!decoded) continue;
    if ('at' in decoded) createdAt ||= decoded.at;
    if (decoded.kind !== 'created' && decoded.kind !== 'title') title ??= titleFromEntry(decoded);
  }
  const named = lines.findLast((line) => line.startsWith('{"kind":"title"'));
  const decoded = named === undefined ? undefined : decodeLine(named);
  return { createdAt, title: decoded?.kind === 'title' ? decoded.title : title };
}

/**
 * The entries of a log. A line that cannot be read costs that line; a second result of a call, and one without a call,
 * are left out, so that each call has at most one (A8).
 */
export function entriesOf(lines: readonly string[]): ConversationEntry[] {
  const open = new OpenCalls();
  return lines.flatMap((line) => {
    const decoded = decodeLine(line);
    if (!decoded || decoded.kind === 'created' || decoded.kind === 'title') return [];
    if (!open.takes(decoded)) return [];
    open.note(decoded);
    return [decoded];
  });
}

/** Which calls of a conversation wait for their result. */
export class OpenCalls {
  readonly #callIds = new Set<string>();

  /** False for an entry that would give a call a second result, or a result to no call. */
  takes(entry: ConversationEntry): boolean {
    if (entry.kind === 'tool-result') return this.#callIds.has(entry.callId);
    return entry.kind !== 'tool-call' || !this.#callIds.has(entry.callId);
  }

  note(entry: ConversationEntry): void {
    if (entry.kind === 'tool-result') this.#callIds.delete(entry.callId);
    if (entry.kind === 'tool-call') this.#callIds.add(entry.callId);
  }

  get callIds(): readonly string[] {
    return [...this.#callIds];
  }
}

function decodeLine(line: string): Line | undefined {
  try {
    return LineSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
