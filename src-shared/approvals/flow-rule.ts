import type { ConversationEntry } from '../conversations/conversation.schema';
import { endedCallOutcome } from '../conversations/ended-call';
import type { ServerId } from '../servers/server.schema';
import { quotableName } from '../tools/quotable-name';
import type { CallerKind, ToolOutcome } from '../tools/tool.schema';

/** Text of an outsider in a chat: one result, or one thing attached. It keeps its id for as long as the chat is kept (A6). */
export interface FlowSource {
  id: string;
  kind: 'result' | 'resource' | 'prompt';
  /** Whose tool it came from; null for what is no tool's. */
  tool: { serverId: ServerId; rawName: string } | null;
  serverName: string;
  /** As the server names the tool or the thing. */
  name: string;
  /** Its words as the model and a person read them, page by page. */
  texts: string[];
}

/** Reads a conversation entry by entry, so that one more entry costs one entry. */
export class SourceReader {
  readonly sources: FlowSource[] = [];
  readonly #calls = new Map<string, Extract<ConversationEntry, { kind: 'tool-call' }>>();
  readonly #ofHandle = new Map<string | undefined, FlowSource>();

  take(entry: ConversationEntry): void {
    if (entry.kind === 'user') {
      entry.attachments?.forEach(({ kind, serverName, name, outcome }, nth) =>
        this.#add({ id: `${entry.id} ${nth}`, kind, tool: null, serverName, name, texts: [outcome.forPerson] }, outcome),
      );
    }
    if (entry.kind === 'tool-call') this.#calls.set(entry.callId, entry);
    if (entry.kind === 'tool-result') this.#takeResult(entry);
  }

  #takeResult({ id, callId, outcome }: Extract<ConversationEntry, { kind: 'tool-result' }>): void {
    const call = this.#calls.get(callId);
    this.#calls.delete(callId);
    // These are words of the app's own: nothing of a server stands in them.
    if (!call || outcome.kind === 'not-run' || outcome.forModel === endedCallOutcome.forModel) return;
    const paged = this.#ofHandle.get(outcome.pageOf);
    if (paged) {
      paged.texts.push(outcome.forPerson);
      return;
    }
    const { serverId, serverName, toolName } = call;
    const tool = serverId === null ? null : { serverId, rawName: toolName };
    this.#add({ id, kind: 'result', tool, serverName, name: toolName, texts: [outcome.forPerson] }, outcome);
  }

  #add(source: FlowSource, { outputHandle }: ToolOutcome): void {
    this.sources.push(source);
    if (outputHandle !== undefined) this.#ofHandle.set(outputHandle, source);
  }
}

/**
 * The sources that a call has to be asked for: all that came from anything but the very tool that is called, and that no
 * approval of it has covered (A6).
 */
export function newSources(
  sources: readonly FlowSource[],
  call: { caller: CallerKind; serverId: ServerId; rawName: string },
  isCovered: (id: string) => boolean,
): FlowSource[] {
  // The command line belongs to no chat, so nothing of one is in its context.
  if (call.caller === 'command-line') return [];
  return sources.filter(({ id, tool }) => !(tool?.serverId === call.serverId && tool.rawName === call.rawName) && !isCovered(id));
}

/** By whom and by what, each once: "files · read_text_file and notes · find". What is more than a plain word stands in quotes. */
export function nameSources(sources: readonly FlowSource[]): string {
  const names = [...new Set(sources.map(({ serverName, name }) => `${serverName} · ${inSentence(name)}`))];
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

// A name is a stranger's words, and could go on with our sentence as if it were ours.
const inSentence = (name: string): string => (/^[\w./-]{1,120}$/.test(name) ? name : `“${quotableName(name)}”`);
