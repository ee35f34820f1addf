import { randomUUID } from 'node:crypto';
import type { Attachment } from '../../src-shared/attachments/attachment.schema';
import type { Clock } from '../../src-shared/base/clock';
import { failed, ok, type Result } from '../../src-shared/base/result';
import {
  EntryIdSchema,
  type ConversationEntry,
  type ConversationFeed,
  type ConversationId,
  type EntryId,
} from '../../src-shared/conversations/conversation.schema';
import { toModelHistory } from '../../src-shared/conversations/history';
import type { LedgerRow } from '../../src-shared/egress/egress.schema';
import type { ModelId } from '../../src-shared/models/model.schema';
import type { ToolPipeline } from '../tools/tool-pipeline';
import type { ToolForModel } from '../../src-shared/tools/description-rule';
import type { ChatRequest, ModelReply } from './openai-chat';

/** After this many answers in one turn the model has had its say; the user decides how to go on. */
export const MAX_ANSWERS_PER_TURN = 24;

const NOT_WRITTEN = 'The chat could not be written to its file. Check that the disk has room.';

type AnswerEntry = Extract<ConversationEntry, { kind: 'assistant' }>;

/** A model as a turn needs it: checked, switched on, with its key resolved. */
export type ReadyModel = Pick<ChatRequest, 'modelName' | 'host' | 'baseURL' | 'model' | 'key' | 'fetch'> & { leaves: boolean };

export interface TurnParts {
  clock: Clock;
  pipeline: Pick<ToolPipeline, 'call' | 'toolsForModel'>;
  conversations: {
    entries(id: ConversationId): readonly ConversationEntry[];
    /** False for a conversation that is not there. */
    append(id: ConversationId, entry: ConversationEntry): boolean;
  };
  /** Says why when the model is off, refused, or its key cannot be read. */
  readyModel(id: ModelId, conversation: ConversationId): Result<ReadyModel, string>;
  streamChat(request: ChatRequest): Promise<ModelReply>;
  /** What servers say of how they are used, attributed, where the user turned that on (R5). */
  instructions?(): string[];
  ledgerSince(at: number, conversation: ConversationId): readonly LedgerRow[];
  feed(value: ConversationFeed): void;
  changed(): void;
}

/** Drives one conversation at a time from a message to its finished answer. It knows nothing of approvals. */
export class TurnRunner {
  readonly #running = new Map<ConversationId, { abort: AbortController; done: Promise<void> }>();
  readonly #calls = new Map<string, AbortController>();

  constructor(private readonly parts: TurnParts) {}

  isBusy(id: ConversationId): boolean {
    return this.#running.has(id);
  }

  /** Accepts a message; the answer arrives over the feed. */
  send(id: ConversationId, modelId: ModelId, text: string, attachments: readonly Attachment[] = []): Result<void, string> {
    if (this.isBusy(id)) return failed('An answer is still being written. Stop it first, then send.');
    const model = this.parts.readyModel(modelId, id);
    if (!model.ok) return model;

    // Written down before anything is under way: a chat that cannot be written to is neither busy nor sent anywhere.
    const attached = attachments.length === 0 ? {} : { attachments: [...attachments] };
    const said = { kind: 'user' as const, id: newEntryId(), at: this.parts.clock.now(), text, ...attached };
    if (!this.parts.conversations.append(id, said)) return failed('That chat was deleted. Begin a new one, then send.');
    const abort = new AbortController();
    const done = this.#run(id, model.value, abort.signal).finally(() => {
      this.#running.delete(id);
      this.parts.changed();
    });
    this.#running.set(id, { abort, done });
    this.parts.changed();
    return ok(undefined);
  }

  /** Ends one call of a turn, which goes on with its result (W3). */
  cancelCall(callId: string): void {
    this.#calls.get(callId)?.abort();
  }

  stop(id: ConversationId): void {
    this.#running.get(id)?.abort.abort();
  }

  /** Stops every answer, and resolves when what was said of each is written down (G3). */
  async end(): Promise<void> {
    const running = [...this.#running.values()];
    for (const { abort } of running) abort.abort();
    await Promise.allSettled(running.map(({ done }) => done));
  }

  async #run(id: ConversationId, model: ReadyModel, signal: AbortSignal): Promise<void> {
    for (let nth = 1; ; nth++) {
      const reply = await this.#answer(id, model, signal);
      if (reply.finish !== 'tool-calls') return;
      // Each use gets its result also after a stop: the pipeline settles what was cancelled (A8).
      await Promise.all(reply.toolUses.map((use) => this.#call(id, use, signal)));
      if (signal.aborted) return;
      if (nth === MAX_ANSWERS_PER_TURN) {
        return this.#note(id, model, `Stopped after ${MAX_ANSWERS_PER_TURN} rounds of tool calls. Send a message to go on.`);
      }
    }
  }

  async #call(id: ConversationId, use: ModelReply['toolUses'][number], turn: AbortSignal): Promise<void> {
    const abort = new AbortController();
    this.#calls.set(use.id, abort);
    try {
      await this.parts.pipeline.call({
        conversationId: id,
        caller: 'model',
        callId: use.id,
        target: { kind: 'named', name: use.name },
        argumentsText: use.argumentsText,
        signal: AbortSignal.any([turn, abort.signal]),
      });
    } finally {
      this.#calls.delete(use.id);
    }
  }

  async #answer(id: ConversationId, model: ReadyModel, signal: AbortSignal): Promise<ModelReply> {
    const { parts } = this;
    const entryId = newEntryId();
    const startedAt = parts.clock.now();
    const tools: ToolForModel[] = parts.pipeline.toolsForModel();
    const reply = await parts.streamChat({
      ...model,
      messages: toModelHistory(parts.conversations.entries(id)),
      tools,
      instructions: parts.instructions?.() ?? [],
      signal,
      onText: (piece) => parts.feed({ kind: 'delta', conversationId: id, entryId, text: piece }),
    });
    const isKept = this.#keep(id, {
      kind: 'assistant',
      id: entryId,
      at: parts.clock.now(),
      text: reply.text,
      model: model.modelName,
      finish: reply.finish,
      ...(reply.problem ? { problem: reply.problem } : {}),
      sent: this.#sentSince(startedAt, id, model),
    });
    return isKept ? withUniqueIds(reply) : { ...reply, toolUses: [], finish: 'interrupted' };
  }

  /** What cannot be written down is told all the same, and ends the turn: nothing runs that its chat does not show (G2, A8). */
  #keep(id: ConversationId, said: AnswerEntry): boolean {
    try {
      this.parts.conversations.append(id, said);
      return true;
    } catch {
      this.parts.feed({ kind: 'entry', conversationId: id, entry: { ...said, finish: 'interrupted', problem: NOT_WRITTEN } });
      return false;
    }
  }

  #sentSince(startedAt: number, id: ConversationId, model: ReadyModel): { host: string; bytesOut: number; leaves: boolean }[] {
    const bytesOut = this.parts
      .ledgerSince(startedAt, id)
      .filter((row) => row.host === model.host)
      .reduce((sum, row) => sum + row.bytesOut, 0);
    return bytesOut > 0 ? [{ host: model.host, bytesOut, leaves: model.leaves }] : [];
  }

  #note(id: ConversationId, model: ReadyModel, problem: string): void {
    const said = { text: '', model: model.modelName, finish: 'stopped', problem, sent: [] } as const;
    this.#keep(id, { kind: 'assistant', id: newEntryId(), at: this.parts.clock.now(), ...said, sent: [] });
  }
}

// Two uses with one id would share one result, and some endpoints number from zero in every answer (A8).
function withUniqueIds(reply: ModelReply): ModelReply {
  return {
    ...reply,
    toolUses: reply.toolUses.map((use) => ({ ...use, id: `${use.id.slice(0, 40)}-${randomUUID().slice(0, 8)}` })),
  };
}

function newEntryId(): EntryId {
  return EntryIdSchema.parse(`entry-${randomUUID()}`);
}
