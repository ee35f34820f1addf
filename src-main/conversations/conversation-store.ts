import { join } from 'node:path';
import type { Clock } from '../../src-shared/base/clock';
import {
  ConversationIdSchema,
  type ConversationEntry,
  type ConversationId,
} from '../../src-shared/conversations/conversation.schema';
import { endedCallOutcome } from '../../src-shared/conversations/ended-call';
import { titleFromEntry, UNTITLED } from '../../src-shared/conversations/title-rule';
import { openAppendLog, type AppendLog } from '../storage/append-log';
import { PrivateFolder } from '../storage/private-folder';
import { entriesOf, headOf, lineOf, OpenCalls } from './conversation-log';
import { openKeptOutput, type KeptOutput } from './kept-output';
import { newConversationId, newEntryId } from './new-ids';

/** What the store knows of a conversation; whether it is busy is known elsewhere. */
export interface ConversationFacts {
  id: ConversationId;
  title: string;
  createdAt: number;
  updatedAt: number;
}

export type ConversationChange =
  | { kind: 'entry'; id: ConversationId; entry: ConversationEntry }
  | { kind: 'created' | 'renamed' | 'removed'; id: ConversationId };

/** The conversations of this profile, one append-only log each (G3). */
export interface ConversationStore {
  /** Nothing is written until the first entry. */
  create(): ConversationId;
  has(id: ConversationId): boolean;
  /** Latest first. */
  list(): ConversationFacts[];
  /** Empty for a conversation that is not there. */
  entries(id: ConversationId): readonly ConversationEntry[];
  /** False, and nothing written, for a conversation that is not there, a second result of one call, and a result of no call (A8). */
  append(id: ConversationId, entry: ConversationEntry): boolean;
  rename(id: ConversationId, title: string): boolean;
  /** Takes the log and the kept output with it. */
  remove(id: ConversationId): boolean;
  onChange(listener: (change: ConversationChange) => void): () => void;
  readonly keptOutput: KeptOutput;
  close(): void;
}

/** `folder` is the profile's folder; the store keeps to its `conversations` folder in there. */
export function openConversationStore(parts: { folder: string; clock: Clock }): ConversationStore {
  return new FolderOfConversations(new PrivateFolder(join(parts.folder, 'conversations')), parts.clock);
}

interface Conversation {
  log: AppendLog;
  createdAt: number;
  updatedAt: number;
  title: string | undefined;
  /** Read when someone first looks; `written` is false until the first line. */
  content: { entries: ConversationEntry[]; open: OpenCalls } | undefined;
  written: boolean;
}

const LOG_NAME = /^(chat-[a-z0-9-]{1,40})\.jsonl$/;

class FolderOfConversations implements ConversationStore {
  readonly keptOutput: KeptOutput;
  readonly #folder: PrivateFolder;
  readonly #clock: Clock;
  readonly #conversations = new Map<ConversationId, Conversation>();
  readonly #listeners = new Set<(change: ConversationChange) => void>();

  constructor(folder: PrivateFolder, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
    this.keptOutput = openKeptOutput({ folder });
    for (const file of folder.files()) {
      const id = ConversationIdSchema.safeParse(LOG_NAME.exec(file.name)?.[1]);
      if (id.success) this.#found(id.data, file.modifiedAt);
    }
  }

  create(): ConversationId {
    const id = newConversationId();
    const now = this.#clock.now();
    const content = { entries: [], open: new OpenCalls() };
    this.#conversations.set(id, {
      log: this.#logOf(id),
      createdAt: now,
      updatedAt: now,
      title: undefined,
      content,
      written: false,
    });
    this.#tell({ kind: 'created', id });
    return id;
  }

  has(id: ConversationId): boolean {
    return this.#conversations.has(id);
  }

  list(): ConversationFacts[] {
    return [...this.#conversations]
      .map(([id, { title, createdAt, updatedAt }]) => ({ id, title: title ?? UNTITLED, createdAt, updatedAt }))
      .sort((a, b) => b.updatedAt - a.updatedAt);
  }

  entries(id: ConversationId): readonly ConversationEntry[] {
    const conversation = this.#conversations.get(id);
    return conversation ? [...this.#contentOf(conversation).entries] : [];
  }

  append(id: ConversationId, entry: ConversationEntry): boolean {
    const conversation = this.#conversations.get(id);
    if (!conversation) return false;
    const { entries, open } = this.#contentOf(conversation);
    if (!open.takes(entry)) return false;
    this.#write(conversation, lineOf(entry));
    open.note(entry);
    entries.push(entry);
    conversation.title ??= titleFromEntry(entry);
    this.#tell({ kind: 'entry', id, entry });
    return true;
  }

  rename(id: ConversationId, title: string): boolean {
    const conversation = this.#conversations.get(id);
    if (!conversation) return false;
    this.#write(conversation, lineOf({ kind: 'title', title }));
    conversation.title = title;
    this.#tell({ kind: 'renamed', id });
    return true;
  }

  remove(id: ConversationId): boolean {
    const conversation = this.#conversations.get(id);
    if (!conversation) return false;
    conversation.log.close();
    this.#conversations.delete(id);
    this.#folder.remove(`${id}.jsonl`);
    this.keptOutput.removeAll(id);
    this.#tell({ kind: 'removed', id });
    return true;
  }

  onChange(listener: (change: ConversationChange) => void): () => void {
    const entry = (change: ConversationChange) => listener(change);
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  close(): void {
    for (const { log } of this.#conversations.values()) log.close();
  }

  #found(id: ConversationId, updatedAt: number): void {
    const log = this.#logOf(id);
    const { createdAt, title } = headOf(log.lines());
    this.#conversations.set(id, { log, createdAt, updatedAt, title, content: undefined, written: true });
  }

  /** The first look in a run gives calls that a crash left open their one result; later, an open call is one that runs. */
  #contentOf(conversation: Conversation): { entries: ConversationEntry[]; open: OpenCalls } {
    if (conversation.content) return conversation.content;
    const entries = entriesOf(conversation.log.lines());
    const open = new OpenCalls();
    for (const entry of entries) open.note(entry);
    conversation.content = { entries, open };
    for (const callId of open.callIds) {
      const entry = { kind: 'tool-result' as const, id: newEntryId(), at: this.#clock.now(), callId, outcome: endedCallOutcome };
      open.note(entry);
      conversation.log.append(lineOf(entry));
      entries.push(entry);
    }
    return conversation.content;
  }

  #write(conversation: Conversation, line: string): void {
    if (!conversation.written) {
      conversation.log.append(lineOf({ kind: 'created', at: conversation.createdAt }));
      conversation.written = true;
    }
    conversation.log.append(line);
    conversation.updatedAt = this.#clock.now();
  }

  #logOf(id: ConversationId): AppendLog {
    return openAppendLog({ file: this.#folder.file(`${id}.jsonl`) });
  }

  #tell(change: ConversationChange): void {
    for (const listener of [...this.#listeners]) listener(change);
  }
}
