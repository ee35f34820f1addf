import { randomUUID } from 'node:crypto';
import type { Clock } from '../../src-shared/base/clock';
import type { Result } from '../../src-shared/base/result';
import { EntryIdSchema, type ConversationEntry, type ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { NameMark } from '../../src-shared/servers/name-marks';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { checkArguments } from '../../src-shared/tools/argument-check';
import type { ToolOutcome } from '../../src-shared/tools/tool.schema';
import type { McpSession } from '../sessions/mcp-session';
import type { SessionProblem } from '../sessions/session-problem';
import { READ_OUTPUT, readOutputTool, runReadOutput, type KeptOutputReader } from './read-output';
import { unknownToolWords } from './not-run-words';
import type { ToldProgress } from './call-progress';
import {
  decideCall,
  ownToolRuns,
  type CallTarget,
  type DecisionParts,
  type Found,
  type ServerFace,
  type ToolCallRequest,
} from './call-decision';
import { questionsDuring } from './server-questions';
import { argumentsProblem, resultNotes } from './schema-verdicts';
import type { ToolCatalog } from './tool-catalog';
import {
  editedOutcome,
  failedOutcome,
  keepIn,
  notRunOutcome,
  treatedOutcome,
  type OutcomeContext,
  type Treatment,
} from './tool-outcome';
import type { ToolForModel } from '../../src-shared/tools/description-rule';

export interface ToolPipelineParts extends DecisionParts {
  clock: Clock;
  catalog: Pick<ToolCatalog, 'offered' | 'findPublished' | 'findPicked' | 'isStillOffered'>;
  faceOf(id: ServerId): ServerFace | null;
  /** Whose name the server's or the tool's looks like (N7). */
  marksOf?(id: ServerId, rawName: string): NameMark[];
  /** Connects at first need; the list of tools is fresh once it resolves (R4). */
  useSession(id: ServerId, signal: AbortSignal): Promise<Result<McpSession, SessionProblem>>;
  /** False, or a throw, when the entry could not be written: the chat is gone, or the disk is full. */
  conversations: { append(id: ConversationId, entry: ConversationEntry): boolean };
  kept: KeptOutputReader & { keep(id: ConversationId, text: string): string };
  /** Absent where there is no window: then no server's question is answered (W8). */
  openBrowser?(address: string, conversation: ConversationId): Promise<boolean>;
  /** Where a running call says how far it is. */
  progressOf?(conversationId: ConversationId, callId: string): (told: ToldProgress) => void;
  /** One line in the ledger for a call that went to a program over its pipes; the door writes those over HTTP. */
  recordProgramCall(
    serverId: ServerId,
    conversationId: ConversationId,
  ): { done(ok: boolean, bytesOut: number, bytesIn: number): void };
}

/** The only road to a tool: find, decide, ask, run, treat (A1). Every end is a result, and each call gets exactly one (A8). */
export class ToolPipeline {
  readonly #turns = new Map<ConversationId, Promise<void>>();

  constructor(private readonly parts: ToolPipelineParts) {}

  /** The tools a model is told of, as they stand now; nothing is contacted for it (R2). */
  toolsForModel(): ToolForModel[] {
    return [readOutputTool, ...this.parts.catalog.offered().map((tool) => tool.forModel)];
  }

  async call(request: ToolCallRequest): Promise<ToolOutcome> {
    const found = this.#find(request);
    if (!this.#recordCall(request, found)) {
      return notRunOutcome('rule', 'The call could not be written to its chat, so it was not run.');
    }
    const outcome = await this.#outcomeOf(request, found);
    const { conversationId, callId } = request;
    this.#record(conversationId, { kind: 'tool-result', ...this.#entryBase(), callId, outcome });
    return outcome;
  }

  async #outcomeOf(request: ToolCallRequest, found: Found | null): Promise<ToolOutcome> {
    const name = nameOf(request.target);
    const context: OutcomeContext = found
      ? { serverName: found.face.name, toolName: found.tool.rawName }
      : { serverName: 'Portcullis', toolName: name };
    try {
      // Only a name is the built-in: a tool somebody picked is its server's, whatever it is called (N4).
      if (request.target.kind === 'named' && name === READ_OUTPUT) {
        if (!ownToolRuns(this.parts, request, 'quiet')) return notRunOutcome('rule', `${READ_OUTPUT} was not allowed.`);
        return runReadOutput(this.parts.kept, request.conversationId, request.argumentsText, newTagId());
      }
      if (!found) return notRunOutcome('unknown-tool', unknownToolWords(name));
      return await this.#runTool(request, found, context);
    } catch {
      // Whatever broke here, the history stays paired and the text of the fault stays out of it.
      const problem = {
        kind: 'refused',
        message: `${context.serverName} was not reached: Portcullis met a fault of its own. Try once more.`,
      } as const;
      return failedOutcome(context, problem, this.#treatment());
    }
  }

  async #runTool(request: ToolCallRequest, found: Found, context: OutcomeContext): Promise<ToolOutcome> {
    const { checked } = found;
    if (!checked.ok) return notRunOutcome('bad-arguments', checked.problem);
    const misfit = await argumentsProblem(this.parts.schemaChecker, found.tool.definition, checked.value.value);
    if (misfit !== null) return notRunOutcome('bad-arguments', misfit);

    // From here on these bytes are the call: shown, answered for by digest, and sent (A5).
    const { frozenText } = checked.value;
    const allowed = await decideCall(this.parts, request, found, frozenText);
    if (allowed.kind === 'not-run') return notRunOutcome(allowed.why, allowed.words);
    const run = () => this.#run(request, found, allowed.frozenText, context, allowed.by);
    const outcome = await this.#inTurn(request.conversationId, run);
    if (allowed.frozenText === frozenText) return outcome;
    return editedOutcome(outcome, this.#treatment(), allowed.frozenText);
  }

  async #run(
    request: ToolCallRequest,
    { tool, face }: Found,
    frozenText: string,
    context: OutcomeContext,
    allowedBy: string,
  ): Promise<ToolOutcome> {
    if (request.signal.aborted) return notRunOutcome('cancelled', 'It was stopped before it was sent.');
    const session = await this.parts.useSession(tool.serverId, request.signal);
    if (!session.ok) return { ...failedOutcome(context, session.problem, this.#treatment()), allowedBy };
    // The server had its chance to list something else since the sheet was drawn (X23), and its entry to lead elsewhere (A1).
    // The published name stands here: a raw name is the server's words, and these stand without a frame (O2).
    if (!this.parts.catalog.isStillOffered(tool) || this.parts.faceOf(tool.serverId)?.fingerprint !== face.fingerprint) {
      return notRunOutcome(
        'rule',
        `${tool.published} was turned off or changed since it was allowed, so it was not run. Look at it in Settings, MCP servers.`,
      );
    }

    const entry =
      session.value.transportKind === 'stdio' ? this.parts.recordProgramCall(tool.serverId, request.conversationId) : null;
    const asked: string[] = [];
    const call = { serverId: tool.serverId, rawName: tool.rawName, conversationId: request.conversationId, face };
    try {
      const ran = await session.value.callTool({
        definition: tool.definition,
        frozenText,
        signal: request.signal,
        conversation: request.conversationId,
        onProgress: this.parts.progressOf?.(request.conversationId, request.callId),
        onQuestion: questionsDuring(this.parts, request.caller, call, asked),
      });
      const figures = { ms: ran.figures.ms, bytesOut: ran.figures.bytesOut, bytesIn: ran.figures.bytesIn, allowedBy, asked };
      entry?.done(ran.ok, figures.bytesOut, figures.bytesIn);
      if (!ran.ok) return { ...failedOutcome(context, ran.problem, this.#treatment()), ...figures };
      return {
        ...treatedOutcome(context, ran.raw, this.#treatment(), keepIn(this.parts.kept, request.conversationId)),
        ...figures,
        notes: await resultNotes(this.parts.schemaChecker, tool.definition, ran.raw),
      };
    } catch {
      entry?.done(false, 0, 0);
      // It was sent: whoever reads this must not take it for a call that never was.
      const message = `${context.serverName} was sent the call, then Portcullis met a fault of its own. Whether the tool ran is not known, so look before it is run again.`;
      return { ...failedOutcome(context, { kind: 'lost', message }, this.#treatment()), allowedBy };
    }
  }

  #treatment(): Treatment {
    return { id: newTagId(), mask: (text) => this.parts.mask(text) };
  }

  // Tools of one chat run one after another, whatever order their questions were answered in (G2).
  async #inTurn<T>(id: ConversationId, run: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(id) ?? Promise.resolve();
    const mine = before.then(run, run);
    const settled = mine.then(
      () => undefined,
      () => undefined,
    );
    this.#turns.set(id, settled);
    void settled.then(() => {
      if (this.#turns.get(id) === settled) this.#turns.delete(id);
    });
    return mine;
  }

  #find({ conversationId, target, argumentsText }: ToolCallRequest): Found | null {
    const { catalog } = this.parts;
    const tool =
      target.kind === 'picked' ? catalog.findPicked(target.serverId, target.rawName) : catalog.findPublished(target.name);
    const known = tool && this.parts.faceOf(tool.serverId);
    if (!tool || !known) return null;
    const looksLike = this.parts.marksOf?.(tool.serverId, tool.rawName) ?? [];
    const face = looksLike.length > 0 ? { ...known, looksLike } : known;
    const sources = this.parts.flow.sourcesIn(conversationId);
    return { tool, face, checked: checkArguments(tool.definition.inputSchema, argumentsText), sources };
  }

  #record(id: ConversationId, entry: ConversationEntry): boolean {
    try {
      return this.parts.conversations.append(id, entry);
    } catch {
      return false;
    }
  }

  /** A call that leaves no trace in its chat is not made (A8). */
  #recordCall(request: ToolCallRequest, found: Found | null): boolean {
    const { conversationId, callId, caller, argumentsText } = request;
    const name = nameOf(request.target);
    return this.#record(conversationId, {
      kind: 'tool-call',
      ...this.#entryBase(),
      callId,
      caller,
      name: found?.tool.published ?? name,
      serverId: found?.tool.serverId ?? null,
      serverName: found?.face.name ?? 'Portcullis',
      toolName: found?.tool.rawName ?? name,
      where: found?.face.where ?? '',
      leaves: found?.face.leaves ?? false,
      // What is told of a call is what is shown, approved and sent of it; what cannot be read stays as it was written (A5).
      argumentsText: found?.checked.ok ? found.checked.value.frozenText : argumentsText,
    });
  }

  #entryBase(): { id: ReturnType<typeof EntryIdSchema.parse>; at: number } {
    return { id: EntryIdSchema.parse(`entry-${randomUUID()}`), at: this.parts.clock.now() };
  }
}

function nameOf(target: CallTarget): string {
  return target.kind === 'named' ? target.name : target.rawName;
}

function newTagId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 16);
}
