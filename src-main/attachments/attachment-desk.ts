import { randomUUID } from 'node:crypto';
import type { AttachableReading } from '../../src-shared/attachments/attachable-list-rule';
import { asResult } from '../../src-shared/attachments/attachment-rule';
import type { Attachment, AttachmentAsk } from '../../src-shared/attachments/attachment.schema';
import { expandTemplate } from '../../src-shared/attachments/uri-template-rule';
import { failed, ok, type Result } from '../../src-shared/base/result';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { failureText } from '../../src-shared/tools/failure-text';
import { oneLine } from '../../src-shared/tools/output-treatment';
import type { McpSession } from '../sessions/mcp-session';
import type { SessionProblem } from '../sessions/session-problem';
import { treatedOutcome } from '../tools/tool-outcome';
import type { ServerFace } from '../tools/call-decision';
import type { AttachableCatalog } from './attachable-catalog';

export interface AttachmentDeskParts {
  catalog: Pick<AttachableCatalog, 'find' | 'learn'>;
  faceOf(id: ServerId): ServerFace | null;
  useSession(id: ServerId, signal?: AbortSignal): Promise<Result<McpSession, SessionProblem>>;
  kept: { keep(id: ConversationId, text: string): string };
  /** Takes known secrets out of a text (S5). */
  mask(text: string): string;
  clock: { now(): number };
  /** One line in the ledger for a question to a program over its pipes; the door writes those over HTTP. */
  recordProgramCall(
    serverId: ServerId,
    conversationId: ConversationId,
  ): { done(ok: boolean, bytesOut: number, bytesIn: number): void };
  /** Whether a chat is fetching has changed. */
  changed(): void;
}

/** Fetches what the user attached to a message, when it is sent and not before (W8). Attaching is the user's own act. */
export class AttachmentDesk {
  readonly #fetching = new Map<ConversationId, AbortController>();

  constructor(private readonly parts: AttachmentDeskParts) {}

  isBusy(id: ConversationId): boolean {
    return this.#fetching.has(id);
  }

  stop(id: ConversationId): void {
    this.#fetching.get(id)?.abort();
  }

  /** All of them, or why one could not be had: a message does not go out without what belongs to it. */
  async fetch(id: ConversationId, asks: readonly AttachmentAsk[]): Promise<Result<Attachment[], string>> {
    if (asks.length === 0) return ok([]);
    if (this.isBusy(id)) return failed('What you attached before is still being fetched. Stop it first, then send.');
    const abort = new AbortController();
    this.#fetching.set(id, abort);
    this.parts.changed();
    try {
      const fetched: Attachment[] = [];
      for (const ask of asks) {
        const one = await this.#fetchOne(id, ask, abort.signal);
        if (!one.ok) return one;
        fetched.push(one.value);
      }
      return ok(fetched);
    } finally {
      this.#fetching.delete(id);
      this.parts.changed();
    }
  }

  /** The server said that what it has to attach changed. */
  async learnAgain(id: ServerId): Promise<void> {
    const session = await this.parts.useSession(id);
    if (session.ok) await this.learn(id, session.value);
  }

  /** Lists what a server has to attach. A list that fails keeps what was known of its kind (W6). */
  async learn(id: ServerId, { attachments }: Pick<McpSession, 'attachments'>): Promise<void> {
    const [resources, templates, prompts] = await Promise.all([
      attachments.listResources(),
      attachments.listResourceTemplates(),
      attachments.listPrompts(),
    ]);
    // A server removed meanwhile has nothing remembered of it.
    if (!this.parts.faceOf(id)) return;
    this.parts.catalog.learn(id, {
      ...learnt('resources', resources),
      ...learnt('templates', templates),
      ...learnt('prompts', prompts),
    });
  }

  async #fetchOne(id: ConversationId, ask: AttachmentAsk, signal: AbortSignal): Promise<Result<Attachment, string>> {
    const row = this.parts.catalog.find(ask.serverId, ask.kind, ask.ref);
    const face = this.parts.faceOf(ask.serverId);
    if (!row || !face) {
      return failed(
        'What you attached is not offered any more: its server is off, or lists it no longer. Take it out, then send.',
      );
    }
    const missing = row.fields.find(({ name, required }) => required && !ask.given[name]);
    if (missing) return failed(`${row.name} needs ${missing.label}. Fill it in, then send.`);
    const session = await this.parts.useSession(ask.serverId, signal);
    if (!session.ok) return failed(this.#notFetched(row.name, face.name, session.problem));

    const entry = session.value.transportKind === 'stdio' ? this.parts.recordProgramCall(ask.serverId, id) : null;
    const startedAt = this.parts.clock.now();
    const asked = { signal, conversation: id };
    const { attachments } = session.value;
    const given = Object.fromEntries(row.fields.flatMap(({ name }) => (ask.given[name] ? [[name, ask.given[name]]] : [])));
    const answer =
      ask.kind === 'prompt'
        ? await attachments.getPrompt(row.ref, given, asked)
        : await attachments.readResource(expandTemplate(row.ref, given), asked);
    if (!answer.ok) {
      entry?.done(false, 0, 0);
      return failed(this.#notFetched(row.name, face.name, answer.problem));
    }
    const { raw, bytesOut, bytesIn } = answer.value;
    entry?.done(true, bytesOut, bytesIn);
    const kind = ask.kind === 'prompt' ? 'prompt' : 'resource';
    const treatment = { id: randomUUID().replaceAll('-', '').slice(0, 16), mask: (text: string) => this.parts.mask(text) };
    const outcome = treatedOutcome({ serverName: face.name, toolName: row.name }, asResult(kind, raw), treatment, (text) =>
      this.#keep(id, text),
    );
    const ms = this.parts.clock.now() - startedAt;
    return ok({
      kind,
      serverId: ask.serverId,
      serverName: face.name,
      name: nameOf(row.name, Object.values(given)),
      where: face.where,
      leaves: face.leaves,
      outcome: { ...outcome, ms, bytesOut, bytesIn, allowedBy: 'you attached it' },
    });
  }

  #notFetched(what: string, serverName: string, { message, said }: SessionProblem): string {
    const next = `${message} ${what} was not attached, so the message was not sent.`;
    return this.parts.mask(said === undefined ? next : failureText({ serverName, said, next }));
  }

  /** A full disk costs the rest of a long text, never the text. */
  #keep(id: ConversationId, text: string): string | undefined {
    try {
      return this.parts.kept.keep(id, text);
    } catch {
      return undefined;
    }
  }
}

function learnt<K extends string, T>(kind: K, listed: Result<AttachableReading<T>, SessionProblem>): { [name in K]?: T[] } {
  return (listed.ok ? { [kind]: listed.value.entries } : {}) as { [name in K]?: T[] };
}

const nameOf = (name: string, given: readonly string[]): string =>
  given.length === 0 ? name : oneLine(`${name} (${given.join(', ')})`, 200);
