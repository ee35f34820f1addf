import type { ApprovalRequest } from '../../src-shared/approvals/approval.schema';
import { visibleToString } from '../../src-shared/base/visible-text';
import type { Attachment } from '../../src-shared/attachments/attachment.schema';
import type { ConversationEntry } from '../../src-shared/conversations/conversation.schema';
import type { ToolOutcome } from '../../src-shared/tools/tool.schema';

type EntryOf<K extends ConversationEntry['kind']> = Extract<ConversationEntry, { kind: K }>;
export type ToolCallEntry = EntryOf<'tool-call'>;

export interface ToolLineItem {
  call: ToolCallEntry;
  outcome: ToolOutcome | null;
  /** The request that holds it up, while it waits for the user. */
  waiting: ApprovalRequest | null;
}

export type TurnBlock =
  | { kind: 'text'; key: string; text: string; settled: boolean; problem: string | null }
  | { kind: 'attachments'; key: string; attachments: readonly Attachment[] }
  | { kind: 'tools'; key: string; lines: ToolLineItem[] };

export interface LeftHost {
  host: string;
  bytes: number;
}

/** One stretch of a conversation by one speaker. */
export interface Turn {
  key: string;
  who: 'you' | 'assistant' | 'by-hand';
  at: number;
  model: string | null;
  blocks: TurnBlock[];
  /** Hosts away from this computer and what went to each, largest first. Empty while nothing has left. */
  left: LeftHost[];
  /** Bytes that went to model servers on this computer. */
  stayed: LeftHost[];
  settled: boolean;
}

type SpeakerEntry = Exclude<ConversationEntry, EntryOf<'tool-result'>>;

const speakerOf = (entry: SpeakerEntry): Turn['who'] => {
  if (entry.kind === 'user') return 'you';
  return entry.kind === 'tool-call' && entry.caller === 'you' ? 'by-hand' : 'assistant';
};

/** The request, if any, that stands for this very call: same server, same tool, same argument text. */
function requestFor(call: ToolCallEntry, requests: ApprovalRequest[]): ApprovalRequest | null {
  const fits = requests.filter(
    (request) =>
      request.kind === 'tool-call' && request.serverId === call.serverId && visibleToString(request.toolName) === call.toolName,
  );
  const exact = fits.find(
    (request) => request.kind === 'tool-call' && visibleToString(request.argumentsText) === call.argumentsText,
  );
  const found = exact ?? fits[0] ?? null;
  // Two equal calls at once are two requests: each is taken by one line.
  if (found) requests.splice(requests.indexOf(found), 1);
  return found;
}

function addBytes(hosts: Map<string, number>, host: string, bytes: number): void {
  if (bytes > 0) hosts.set(host, (hosts.get(host) ?? 0) + bytes);
}

const largestFirst = (hosts: Map<string, number>): LeftHost[] =>
  [...hosts].map(([host, bytes]) => ({ host, bytes })).sort((a, b) => b.bytes - a.bytes);

/** Turns the log of a conversation into what is read: speakers, their words, and tool lines with their results. */
export function toTurns(entries: readonly ConversationEntry[], waiting: readonly ApprovalRequest[]): Turn[] {
  const outcomes = new Map<string, ToolOutcome>();
  for (const entry of entries) if (entry.kind === 'tool-result') outcomes.set(entry.callId, entry.outcome);
  const requests = [...waiting];
  const turns: Turn[] = [];
  const hosts = new Map<Turn, { left: Map<string, number>; stayed: Map<string, number> }>();

  const turnOf = (who: Turn['who'], key: string, at: number): Turn => {
    const last = turns.at(-1);
    if (last?.who === who && who !== 'you') return last;
    const turn: Turn = { key, who, at, model: null, blocks: [], left: [], stayed: [], settled: true };
    turns.push(turn);
    hosts.set(turn, { left: new Map(), stayed: new Map() });
    return turn;
  };

  for (const entry of entries) {
    if (entry.kind === 'tool-result') continue;
    const turn = turnOf(speakerOf(entry), entry.id, entry.at);
    const sent = hosts.get(turn);
    if (entry.kind === 'user') {
      const { id, text, attachments = [] } = entry;
      if (text !== '') turn.blocks.push({ kind: 'text', key: id, text, settled: true, problem: null });
      if (attachments.length > 0) turn.blocks.push({ kind: 'attachments', key: `${id} attachments`, attachments });
    } else if (entry.kind === 'assistant') {
      turn.model = entry.model;
      const problem = entry.finish === 'stopped' ? 'You stopped this answer.' : (entry.problem ?? null);
      if (entry.text !== '' || problem !== null) {
        turn.blocks.push({ kind: 'text', key: entry.id, text: entry.text, settled: true, problem });
      }
      for (const note of entry.sent) addBytes((note.leaves ? sent?.left : sent?.stayed) ?? new Map(), note.host, note.bytesOut);
    } else {
      const outcome = outcomes.get(entry.callId) ?? null;
      const line: ToolLineItem = { call: entry, outcome, waiting: outcome ? null : requestFor(entry, requests) };
      const block = turn.blocks.at(-1);
      if (block?.kind === 'tools') block.lines.push(line);
      else turn.blocks.push({ kind: 'tools', key: entry.id, lines: [line] });
      if (!outcome) turn.settled = false;
      else if (entry.leaves) addBytes(sent?.left ?? new Map(), entry.where, outcome.bytesOut);
    }
  }
  for (const turn of turns) {
    const sent = hosts.get(turn);
    if (sent) Object.assign(turn, { left: largestFirst(sent.left), stayed: largestFirst(sent.stayed) });
  }
  return turns;
}

/** Adds the words that are still coming. The turns before keep their identity, so they are not rendered again. */
export function withWriting(turns: readonly Turn[], writing: { entryId: string; text: string } | null): readonly Turn[] {
  if (!writing) return turns;
  const block: TurnBlock = { kind: 'text', key: writing.entryId, text: writing.text, settled: false, problem: null };
  const last = turns.at(-1);
  if (last?.who === 'assistant') return turns.with(-1, { ...last, blocks: [...last.blocks, block], settled: false });
  const fresh: Turn = {
    key: writing.entryId,
    who: 'assistant',
    at: 0,
    model: null,
    blocks: [block],
    left: [],
    stayed: [],
    settled: false,
  };
  return [...turns, fresh];
}
