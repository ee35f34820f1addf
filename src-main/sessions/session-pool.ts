import type { Clock } from '../../src-shared/base/clock';
import { failed, ok, type Result } from '../../src-shared/base/result';
import type { RouteId } from '../../src-shared/egress/egress.schema';
import type { ServerConfig, ServerId, ServerLogLine } from '../../src-shared/servers/server.schema';
import type { EraMemory } from './era-memory';
import type { HttpAccess, HttpDoor } from './http-transport-door';
import type { Admission, LaunchGate } from './launch-gate';
import { openSession, type McpSession } from './mcp-session';
import { ServerLog } from './server-log';
import { formOf, type PoolEntry, type ServerWish, type SessionStatus } from './session-pool-entry';
import { createLink } from './session-pool-link';
import type { SessionProblem } from './session-problem';

export const IDLE_MS = 15 * 60_000;
const FIRST_BACK_OFF_MS = 1000;
const MAX_BACK_OFF_MS = 60_000;

export interface SessionPoolParts {
  clock: Clock;
  gate: Pick<LaunchGate, 'admit'>;
  door: HttpDoor;
  eras: EraMemory;
  configOf(id: ServerId): ServerConfig | null;
  routeIdOf(id: ServerId): RouteId;
  /** Takes secret values out of a text (S5). */
  mask(text: string): string;
  accessTo?(id: ServerId, endpoint: string): HttpAccess;
  onToolsChanged?(id: ServerId): void;
  onAttachablesChanged?(id: ServerId): void;
  idleMs?: number;
}

/** Keeps at most one session for each server: made at first need, shared by all, gone when unwanted or idle (R2). */
export class SessionPool {
  readonly #parts: SessionPoolParts;
  readonly #entries = new Map<ServerId, PoolEntry>();
  readonly #listeners = new Set<() => void>();
  #wanted: ReadonlyMap<ServerId, ServerWish> = new Map();
  #closed = false;

  constructor(parts: SessionPoolParts) {
    this.#parts = parts;
  }

  /** Stops what should not run, or no longer in this form. Starts nothing. */
  reconcile(wanted: ReadonlyMap<ServerId, ServerWish>): void {
    this.#wanted = new Map(wanted);
    for (const [id, entry] of this.#entries) {
      entry.wish = wanted.get(id) ?? 'off';
      const changed =
        (entry.session !== undefined || entry.starting !== undefined) && entry.madeFrom !== formOf(this.#parts.configOf(id));
      if (entry.wish === 'off' || changed) void this.stop(id);
      if (entry.wish === 'off' && entry.status.kind === 'failed') this.#setStatus(entry, { kind: 'idle' });
      if (!wanted.has(id)) void this.stop(id).then(() => this.#wanted.has(id) || this.#entries.delete(id));
    }
  }

  /** The live session of a server, started if need be. Whoever asks meanwhile shares it; `signal` ends this wait alone. */
  async use(id: ServerId, signal?: AbortSignal): Promise<Result<McpSession, SessionProblem>> {
    const name = this.#parts.configOf(id)?.name ?? 'This server';
    const cancelled = failed<SessionProblem>({ kind: 'cancelled', message: `The wait for ${name} was cancelled.` });
    if (signal?.aborted) return cancelled;
    const sharing = this.#use(id);
    if (!signal) return sharing;
    return new Promise((resolve) => {
      const leave = (): void => resolve(cancelled);
      signal.addEventListener('abort', leave, { once: true });
      void sharing.then((outcome) => {
        signal.removeEventListener('abort', leave);
        resolve(outcome);
      });
    });
  }

  /** The user's own "Retry": does not wait for the back-off. */
  retry(id: ServerId, signal?: AbortSignal): Promise<Result<McpSession, SessionProblem>> {
    const entry = this.#entries.get(id);
    if (entry?.status.kind === 'failed') {
      entry.failures = 0;
      this.#setStatus(entry, { kind: 'idle' });
    }
    return this.use(id, signal);
  }

  statusOf(id: ServerId): SessionStatus {
    return this.#entries.get(id)?.status ?? { kind: 'idle' };
  }

  /** What the server wrote in its latest run, and what the app noted of it. */
  logOf(id: ServerId): readonly ServerLogLine[] {
    return this.#entries.get(id)?.log.lines() ?? [];
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Settles its open calls and ends it; resolves when nothing of it runs. */
  async stop(id: ServerId): Promise<void> {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.stopStarting?.abort();
    entry.cancelIdle?.();
    const { session, starting } = entry;
    if (!session && !starting) return this.#gone(entry);
    entry.session = undefined;
    entry.failures = 0;
    if (!starting) this.#setStatus(entry, { kind: 'idle' });
    this.#waitFor(entry, Promise.all([session?.close(), starting]));
    await this.#gone(entry);
  }

  /** Ends everything for good. */
  async stopAll(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#entries.keys()].map((id) => this.stop(id)));
  }

  async #use(id: ServerId): Promise<Result<McpSession, SessionProblem>> {
    const entry = this.#entryOf(id);
    if (this.#closed || entry.wish === 'off') {
      return failed({
        kind: 'refused',
        message: `${this.#parts.configOf(id)?.name ?? 'This server'} is off. Turn it on in Settings, MCP servers.`,
      });
    }
    if (entry.stopping) {
      await entry.stopping;
      return this.#use(id);
    }
    if (entry.session?.open) return ok(entry.session);
    if (entry.status.kind === 'failed' && this.#parts.clock.now() < entry.status.retryAt) return failed(entry.status.problem);
    entry.starting ??= this.#start(id, entry).finally(() => {
      entry.starting = undefined;
      entry.stopStarting = undefined;
    });
    return entry.starting;
  }

  async #start(id: ServerId, entry: PoolEntry): Promise<Result<McpSession, SessionProblem>> {
    const { clock } = this.#parts;
    const stop = new AbortController();
    entry.stopStarting = stop;
    entry.madeFrom = formOf(this.#parts.configOf(id));
    entry.log = this.#newLog();
    this.#setStatus(entry, { kind: 'starting' });
    const opened = await this.#open(id, entry, stop.signal).catch(() =>
      failed<SessionProblem>({
        kind: 'lost',
        message: `${this.#nameOf(id)} was not started: Portcullis met a fault of its own. Choose Retry.`,
      }),
    );
    if (stop.signal.aborted) {
      if (opened.ok) await opened.value.close();
      this.#setStatus(entry, { kind: 'idle' });
      return opened.ok
        ? failed({ kind: 'cancelled', message: `${this.#nameOf(id)} was stopped while it was starting.` })
        : opened;
    }
    if (!opened.ok) {
      this.#fail(entry, opened.problem);
      return opened;
    }
    const ended = opened.value.endProblem();
    if (ended) {
      this.#fail(entry, ended);
      this.#waitFor(entry, opened.value.close());
      return failed(ended);
    }
    entry.session = opened.value;
    this.#setStatus(entry, { kind: 'connected', pid: opened.value.pid, since: clock.now() });
    this.#watchIdle(id, entry, opened.value);
    return opened;
  }

  async #open(id: ServerId, entry: PoolEntry, signal: AbortSignal): Promise<Result<McpSession, SessionProblem>> {
    const admitted = await this.#parts.gate.admit(id);
    if (!admitted.ok) return admitted;
    if (signal.aborted) return failed({ kind: 'cancelled', message: `${this.#nameOf(id)} was stopped while it was starting.` });
    const { clock, door, eras, accessTo, onToolsChanged, onAttachablesChanged } = this.#parts;
    const { config, launch }: Admission = admitted.value;
    const nameOf = (): string => this.#nameOf(id);
    const opened = await openSession({
      // Read each time: a server can be renamed while it runs.
      get serverName() {
        return nameOf();
      },
      limits: config.limits,
      clock,
      era: eras.of(launch.fingerprint),
      wire: config.wire,
      signal,
      link: async (way) => {
        // A second attempt says the same once more: only the latest is kept.
        entry.log = this.#newLog();
        return ok(
          createLink({
            serverName: config.name,
            routeId: this.#parts.routeIdOf(id),
            launch,
            way,
            maxReplyBytes: config.limits.maxReplyBytes,
            door,
            accessTo: accessTo && ((endpoint) => accessTo(id, endpoint)),
            clock,
            log: entry.log,
          }),
        );
      },
      onToolsChanged: () => onToolsChanged?.(id),
      onAttachablesChanged: () => onAttachablesChanged?.(id),
      onLogMessage: (message) => entry.log.message(message),
      // Only the app with a window keeps a pool.
      answersQuestions: true,
      onUnshownQuestion: (why) => entry.log.note(why),
      onLost: (problem) => this.#lost(entry, problem),
      onEnding: (ended) => this.#waitFor(entry, ended),
    });
    eras.learn(launch.fingerprint, opened);
    return opened;
  }

  #lost(entry: PoolEntry, problem: SessionProblem): void {
    const session = entry.session;
    if (!session) return;
    entry.session = undefined;
    entry.cancelIdle?.();
    // One that ran well for a while starts its back-off anew.
    if (entry.status.kind === 'connected' && this.#parts.clock.now() - entry.status.since > MAX_BACK_OFF_MS) entry.failures = 0;
    this.#fail(entry, problem);
    this.#waitFor(entry, session.close());
  }

  /** A start that is given up adds its own end to the wait. */
  async #gone(entry: PoolEntry): Promise<void> {
    while (entry.stopping) await entry.stopping;
  }

  /** Nothing is started in its place before it is gone. */
  #waitFor(entry: PoolEntry, ended: Promise<unknown>): void {
    const stopping = Promise.all([entry.stopping, ended]).then(() => {
      if (entry.stopping === stopping) entry.stopping = undefined;
    });
    entry.stopping = stopping;
  }

  #fail(entry: PoolEntry, said: SessionProblem): void {
    const problem = { ...said, message: this.#parts.mask(said.message) };
    const wait = Math.min(FIRST_BACK_OFF_MS * 2 ** entry.failures, MAX_BACK_OFF_MS);
    entry.failures += 1;
    // A refusal is no failure of the server: the next try asks the gate again at once.
    const retryAt = problem.kind === 'refused' ? 0 : this.#parts.clock.now() + wait;
    this.#setStatus(entry, { kind: 'failed', problem, log: entry.log.lines(), retryAt });
  }

  #watchIdle(id: ServerId, entry: PoolEntry, session: McpSession): void {
    const idleMs = this.#parts.idleMs ?? IDLE_MS;
    const rest = Math.max(1, session.usedAt + idleMs - this.#parts.clock.now());
    entry.cancelIdle = this.#parts.clock.after(rest, () => {
      if (entry.session !== session) return;
      if (this.#parts.clock.now() - session.usedAt >= idleMs) void this.stop(id);
      else this.#watchIdle(id, entry, session);
    });
  }

  #entryOf(id: ServerId): PoolEntry {
    const known = this.#entries.get(id);
    if (known) return known;
    const entry: PoolEntry = {
      wish: this.#wanted.get(id) ?? 'off',
      status: { kind: 'idle' },
      log: this.#newLog(),
      session: undefined,
      madeFrom: '',
      starting: undefined,
      stopStarting: undefined,
      stopping: undefined,
      failures: 0,
      cancelIdle: undefined,
    };
    this.#entries.set(id, entry);
    return entry;
  }

  #newLog(): ServerLog {
    return new ServerLog({ now: () => this.#parts.clock.now(), mask: (text) => this.#parts.mask(text) });
  }

  #nameOf(id: ServerId): string {
    return this.#parts.configOf(id)?.name ?? 'This server';
  }

  #setStatus(entry: PoolEntry, status: SessionStatus): void {
    entry.status = status;
    for (const listener of [...this.#listeners]) listener();
  }
}
