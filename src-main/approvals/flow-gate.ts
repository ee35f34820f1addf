import { newSources, SourceReader, type FlowSource } from '../../src-shared/approvals/flow-rule';
import type { ConversationEntry, ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { ServerId } from '../../src-shared/servers/server.schema';
import type { GrantFacts } from './chat-grants';

/**
 * Whose text stands in each chat, and what of it a person's answers have covered for which tool (A6).
 * Sources come from what is stored of a chat; what covers them is never written down, so it ends with this run.
 */
export class FlowGate {
  readonly #read = new Map<ConversationId, { reader: SourceReader; taken: number }>();
  readonly #covered = new Map<string, { tool: GrantFacts; ids: Set<string> }>();

  constructor(private readonly entriesOf: (id: ConversationId) => readonly ConversationEntry[]) {}

  /** As they are now; what comes in later is not among them. */
  sourcesIn(id: ConversationId): readonly FlowSource[] {
    const entries = this.entriesOf(id);
    const read = this.#read.get(id) ?? { reader: new SourceReader(), taken: 0 };
    for (const entry of entries.slice(read.taken)) read.reader.take(entry);
    this.#read.set(id, { reader: read.reader, taken: entries.length });
    return [...read.reader.sources];
  }

  /** Those of others that no answer has covered for this tool, as it is now and for this kind of caller. */
  newFor(tool: GrantFacts, sources: readonly FlowSource[]): FlowSource[] {
    const covered = this.#covered.get(keyOf(tool))?.ids;
    return newSources(sources, tool, (id) => covered?.has(id) === true);
  }

  /** A person saw these named and let the tool run. */
  cover(tool: GrantFacts, sources: readonly FlowSource[]): void {
    const covered = this.#covered.get(keyOf(tool)) ?? { tool, ids: new Set() };
    for (const { id } of sources) covered.ids.add(id);
    this.#covered.set(keyOf(tool), covered);
  }

  forgetConversation(id: ConversationId): void {
    this.#read.delete(id);
    this.#forget((tool) => tool.conversationId === id);
  }

  forgetServer(id: ServerId): void {
    this.#forget((tool) => tool.serverId === id);
  }

  #forget(matches: (tool: GrantFacts) => boolean): void {
    for (const [key, { tool }] of this.#covered) if (matches(tool)) this.#covered.delete(key);
  }
}

// An array, so that no field's text can pass for the border between two.
function keyOf(tool: GrantFacts): string {
  return JSON.stringify([tool.conversationId, tool.caller, tool.serverId, tool.rawName, tool.fingerprint, tool.definition]);
}
