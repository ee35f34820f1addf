import { failed, ok, type Result } from '../../src-shared/base/result';
import type { ToolDefinition } from '../../src-shared/tools/tool.schema';
import { readToolList, type ToolListReading } from '../../src-shared/tools/tool-list-rule';
import type { Era, Spoken } from './era-memory';
import { claimsOf } from './mcp-session-claims';
import type { Traffic } from './http-transport-door';
import { statusesIn } from './mcp-session-attempt';
import { SessionAttachments, type SessionWait } from './mcp-session-attachments';
import { callInRounds, MAX_CALL_MS, type CallRun } from './mcp-session-call';
import { ChangeWatch } from './mcp-session-changes';
import { connect, type Connection, type ConnectParts } from './mcp-session-connect';
import { Deadline } from './mcp-session-deadline';
import { withoutBrokenHeaders } from './mcp-session-header-rule';
import { readPages, UNREAD_PAGES } from './mcp-session-list';
import type { CallProgress } from './mcp-session-own-calls';
import { SessionQuestions, type AnswerQuestion } from './mcp-session-questions';
import { toSessionProblem, type ProblemFacts, type SessionProblem } from './session-problem';

export interface SessionParts extends ConnectParts {
  /** The server says that its tools changed; told at most once a second (R3). */
  onToolsChanged?: () => void;
  /** The server says that its resources or prompts changed; told at most once a second. */
  onAttachablesChanged?: () => void;
  /** One line of the server's own log, over the protocol: untrusted, as every word of it. */
  onLogMessage?: (message: { level: string; logger?: string | undefined; data: unknown }) => void;
  /** A question of the server was put to nobody, and why. */
  onUnshownQuestion?: (why: string) => void;
  /** The server ended the connection; calls still open have been settled. */
  onLost?: (problem: SessionProblem) => void;
}

export interface CallAsk {
  /** The approved definition: what the server lists by now is not consulted (R4). */
  definition: Pick<ToolDefinition, 'rawName' | 'inputSchema' | 'claims'>;
  /** The approved arguments, byte for byte (A5). */
  frozenText: string;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: CallProgress) => void) | undefined;
  conversation?: string | undefined;
  /** Puts what the server asks during this call to a person; without it every question is declined (W8). */
  onQuestion?: AnswerQuestion | undefined;
}

/** What one call took, whether or not it succeeded. */
export interface CallFigures {
  /** From the moment the call was sent. */
  ms: number;
  bytesOut: number;
  bytesIn: number;
  /** The address dialled; null for a program. */
  address: string | null;
}

/** `raw` is the result object as the server sent it, untreated. */
export type CallOutcome = { figures: CallFigures } & ({ ok: true; raw: unknown } | { ok: false; problem: SessionProblem });

export interface ToolListAnswer extends ToolListReading {
  instructions: string | null;
  claims: ReturnType<typeof claimsOf>;
  ms: number;
}

/** Starts or contacts a server. The connection belongs to the caller, who closes it. */
export async function openSession(parts: SessionParts): Promise<Result<McpSession, SessionProblem>> {
  const opened = await connect(parts);
  return opened.ok ? ok(new McpSession(parts, opened.value)) : opened;
}

/** One live conversation with one server. No wait in it is without an end, and no outcome is an exception. */
export class McpSession {
  /** Resources and prompts (W8). */
  readonly attachments: SessionAttachments;
  readonly #parts: SessionParts;
  readonly #changes: ChangeWatch;
  readonly #questions: SessionQuestions;
  #connection: Connection;
  #renewing: Promise<Result<Connection, SessionProblem>> | undefined;
  #closing: Promise<void> | undefined;
  #openWaits = 0;
  #usedAt: number;

  constructor(parts: SessionParts, connection: Connection) {
    this.#parts = parts;
    this.#connection = connection;
    this.#usedAt = parts.clock.now();
    this.attachments = new SessionAttachments(parts.limits, (wait, run) =>
      this.#withRenewal(true, (open) => this.#within(open, wait, (stop, extend) => run(open, stop, extend))),
    );
    const { clock, limits, onToolsChanged, onAttachablesChanged } = parts;
    this.#changes = new ChangeWatch({
      clock,
      discoveryTimeoutMs: limits.discoveryTimeoutMs,
      tell: (changed) => (changed === 'tools' ? onToolsChanged?.() : onAttachablesChanged?.()),
    });
    this.#questions = new SessionQuestions((why) => parts.onUnshownQuestion?.(why));
    this.#adopt(connection);
  }

  get era(): Era {
    return this.#connection.era;
  }

  /** What to remember of it for the next start. */
  get spoken(): Spoken {
    return this.#connection.spoken;
  }

  get protocolVersion(): string {
    return this.#connection.client.getNegotiatedProtocolVersion() ?? 'unknown';
  }

  get transportKind(): 'stdio' | 'http' {
    return this.#connection.link.kind;
  }

  get pid(): number | null {
    return this.#connection.link.pid();
  }

  /** True until the server or this side ended it. */
  get open(): boolean {
    return this.#closing === undefined && !this.#connection.wire.lost;
  }

  /** How the other side ended it, told as an end of its start; null while it has not. */
  endProblem(): SessionProblem | null {
    return this.#connection.wire.lost ? this.#problem(this.#connection.link.failure(), { doing: 'start' }) : null;
  }

  /** When it was last spoken to; now, while an answer is awaited. */
  get usedAt(): number {
    return this.#openWaits > 0 ? this.#parts.clock.now() : this.#usedAt;
  }

  /** Every tool the server lists, within its limits, and what was left out and why (R3). */
  async listTools(signal?: AbortSignal): Promise<Result<ToolListAnswer, SessionProblem>> {
    const startedAt = this.#parts.clock.now();
    const { maxTools, discoveryTimeoutMs } = this.#parts.limits;
    const outcome = await this.#withRenewal(true, (connection) =>
      this.#within(connection, { doing: 'list', stepMs: discoveryTimeoutMs, totalMs: discoveryTimeoutMs, signal }, (stop) =>
        readPages(connection, maxTools, stop),
      ),
    );
    if (!outcome.ok) return outcome;
    const instructions = this.#connection.client.getInstructions() ?? null;
    const reading = readToolList(outcome.value.entries, maxTools);
    if (outcome.value.unread) reading.skipped.push(UNREAD_PAGES);
    const usable = this.era === 'modern' && this.transportKind === 'http' ? withoutBrokenHeaders(reading) : reading;
    const claims = claimsOf(this.#connection, startedAt);
    return ok({ ...usable, instructions, claims, ms: this.#parts.clock.now() - startedAt });
  }

  /** Sends one call with exactly the approved bytes and waits for its one result. */
  async callTool(ask: CallAsk): Promise<CallOutcome> {
    const startedAt = this.#parts.clock.now();
    const mayRepeat = ask.definition.claims.destructive !== true;
    const rounds = { begun: 0 };
    const moved: Traffic = { bytesOut: 0, bytesIn: 0, address: null };
    const wait = { doing: 'call' as const, stepMs: this.#parts.limits.callTimeoutMs, totalMs: MAX_CALL_MS, signal: ask.signal };
    const outcome = await this.#withRenewal(mayRepeat, (connection) =>
      this.#within(connection, wait, async (signal, extend, pause) => {
        const run: CallRun = { signal, extend, pause, moved };
        const { clock } = this.#parts;
        const questions = this.#questions.begin({ answer: ask.onQuestion, rounds, signal, clock, pause });
        try {
          return await callInRounds(connection, ask, run, questions);
        } finally {
          this.#questions.end(questions);
        }
      }),
    );
    const figures = { ms: this.#parts.clock.now() - startedAt, ...moved };
    return outcome.ok ? { ok: true, raw: outcome.value, figures } : { ok: false, problem: outcome.problem, figures };
  }

  /** Ends every open call, then the connection; for a program, resolves when nothing of it runs. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#changes.stop();
    const { client, wire } = this.#connection;
    await wire.close();
    await client.close().catch(() => undefined);
  }

  /**
   * Repeats once on a fresh session when the server no longer knows this one: nothing of a reply had arrived then.
   * A call its server claims destructive is not repeated, and after any other loss nothing is (W6).
   */
  async #withRenewal<T>(
    mayRepeat: boolean,
    run: (connection: Connection) => Promise<Result<T, Failure>>,
  ): Promise<Result<T, SessionProblem>> {
    const connection = this.#connection;
    const first = await run(connection);
    if (first.ok) return first;
    if (!first.problem.sessionGone) return failed(first.problem.problem);
    const renewed = await this.#renew(connection);
    if (!renewed.ok) return renewed;
    if (!mayRepeat) return failed(notRepeated(this.#parts.serverName));
    const second = await run(renewed.value);
    return second.ok ? second : failed(second.problem.problem);
  }

  /** Calls that fail together make one new session together. */
  async #renew(stale: Connection): Promise<Result<Connection, SessionProblem>> {
    if (this.#connection !== stale) return ok(this.#connection);
    if (this.#closing) return failed(this.#problem(null, { doing: 'call', cancelled: true }));
    this.#renewing ??= (async () => {
      const opened = await connect({ ...this.#parts, era: 'legacy' });
      this.#renewing = undefined;
      if (!opened.ok) return opened;
      if (this.#closing) {
        await opened.value.wire.close();
        return failed(this.#problem(null, { doing: 'call', cancelled: true }));
      }
      this.#connection = opened.value;
      this.#adopt(opened.value);
      void stale.wire.close();
      this.#changes.changed('tools');
      return opened;
    })();
    return this.#renewing;
  }

  async #within<T>(
    connection: Connection,
    wait: SessionWait,
    run: (stop: AbortSignal, extend: () => void, pause: () => () => void) => Promise<T>,
  ): Promise<Result<T, Failure>> {
    const abort = new AbortController();
    const stop = (): void => abort.abort();
    if (wait.signal?.aborted) stop();
    wait.signal?.addEventListener('abort', stop, { once: true });
    const deadline = new Deadline(this.#parts.clock, wait.stepMs, wait.totalMs, stop);
    this.#openWaits += 1;
    try {
      return ok(
        await run(
          abort.signal,
          () => deadline.extend(),
          () => deadline.pause(),
        ),
      );
    } catch (error) {
      const { wire, link } = connection;
      const problem = this.#problem(link.failure() ?? error, {
        doing: wait.doing,
        listed: wait.listed ?? 'tools',
        hadSession: wire.sessionId !== undefined,
        ...(wait.signal?.aborted || (this.#closing && !wire.lost) ? { cancelled: true } : {}),
        ...(deadline.passed ? { deadlineMs: deadline.waitedMs } : {}),
      });
      return failed({ problem, sessionGone: wire.sessionId !== undefined && statusesIn(error)[0] === 404 });
    } finally {
      this.#openWaits -= 1;
      this.#usedAt = this.#parts.clock.now();
      deadline.stop();
      wait.signal?.removeEventListener('abort', stop);
    }
  }

  #problem(error: unknown, facts: Omit<ProblemFacts, 'serverName' | 'maxReplyBytes'>): SessionProblem {
    const { serverName, limits } = this.#parts;
    return toSessionProblem(error, { serverName, maxReplyBytes: limits.maxReplyBytes, ...facts });
  }

  #adopt(connection: Connection): void {
    const { client, wire, link } = connection;
    client.onerror = () => undefined;
    client.onclose = () => {
      if (!wire.lost || connection !== this.#connection) return;
      if (!this.#closing) this.#parts.onLost?.(this.#problem(link.failure(), { doing: 'list' }));
    };
    client.setNotificationHandler('notifications/message', ({ params }) => this.#parts.onLogMessage?.(params));
    if (this.#parts.answersQuestions) this.#questions.follow(client);
    this.#changes.follow(connection);
  }
}

interface Failure {
  problem: SessionProblem;
  /** The server answered that it does not know this session, and nothing else. */
  sessionGone: boolean;
}

function notRepeated(serverName: string): SessionProblem {
  return {
    kind: 'lost',
    message: `${serverName} had forgotten its session, and a new one was opened. The call was not sent again, because its server says that the tool is destructive.`,
  };
}
