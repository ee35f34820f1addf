import type { Digest } from '../../src-shared/base/digest.schema';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { sha256Hex } from '../../src-shared/base/sha256';
import { toVisibleText, visibleToString } from '../../src-shared/base/visible-text';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { maskListing } from '../../src-shared/tools/mask-listing';
import type { PinnedTool, TrustStore } from '../servers/trust-store';
import type { McpSession } from '../sessions/mcp-session';
import type { SessionPool } from '../sessions/session-pool';
import type { SessionProblem } from '../sessions/session-problem';
import type { ToolCatalog } from './tool-catalog';

export interface ServerToolParts {
  pool: Pick<SessionPool, 'use' | 'retry'>;
  catalog: Pick<ToolCatalog, 'learn' | 'listed' | 'refresh' | 'listedNames'>;
  trust: Pick<TrustStore, 'choices' | 'saveChoices'>;
  /** Its tools are known; what else it has can be asked for now. */
  listed?(id: ServerId, session: McpSession): void;
  /** Takes secret values out of a text (S5). */
  mask(text: string): string;
}

/** One ticked box: the tool, and which definition was on the screen beside it. */
export interface TickedTool {
  rawName: string;
  digest: Digest;
}

/** Between a session and the catalog: lists tools when a server is contacted, and pins what the user reviewed (R2, R4). */
export class ServerTools {
  /** Sessions whose tools were listed; a new process or connection is asked anew before its first call (X23). */
  readonly #listed = new WeakMap<McpSession, Promise<SessionProblem | null>>();
  readonly #instructions = new Map<ServerId, string | null>();
  readonly #problems = new Map<ServerId, string>();

  constructor(private readonly parts: ServerToolParts) {}

  /** A session whose tools are known. Fails when the server cannot be reached or will not list them. */
  async useSession(id: ServerId, signal?: AbortSignal): Promise<Result<McpSession, SessionProblem>> {
    return this.#withTools(id, await this.parts.pool.use(id, signal));
  }

  /** The user's own "Retry". */
  async lookAgain(id: ServerId): Promise<Result<McpSession, SessionProblem>> {
    const session = await this.parts.pool.retry(id);
    if (session.ok) this.#listed.delete(session.value);
    return this.#withTools(id, session);
  }

  /** The server said that its tools changed. A failed look keeps the previous list (R2). */
  async toolsChanged(id: ServerId): Promise<void> {
    const session = await this.parts.pool.use(id);
    if (!session.ok) return;
    this.#listed.delete(session.value);
    await this.#withTools(id, session);
  }

  /** Pins every listed definition as it was on the screen; the ticked ones are offered (R4). Nothing is pinned when one has changed since. */
  pin(id: ServerId, ticked: readonly TickedTool[]): Result<void, string> {
    for (const { rawName, digest } of ticked) {
      if (this.parts.catalog.listed(id, rawName)?.digest !== digest) {
        const shown = visibleToString(toVisibleText(rawName));
        return failed(`${shown} changed while it was on the screen. Look at it again, then turn the server on.`);
      }
    }
    const offered = new Set(ticked.map(({ rawName }) => rawName));
    const tools = new Map<string, PinnedTool>();
    for (const rawName of this.parts.catalog.listedNames(id)) {
      const listed = this.parts.catalog.listed(id, rawName);
      if (listed) tools.set(rawName, { ...listed, offered: offered.has(rawName) });
    }
    const instructions = this.#instructions.get(id) ?? null;
    return this.#save(id, tools, instructions === null ? null : sha256Hex(instructions));
  }

  /** Reviews one tool on its own: pins the definition that was on the screen and switches it. */
  choose(id: ServerId, rawName: string, digest: Digest, offered: boolean): Result<void, string> {
    const listed = this.parts.catalog.listed(id, rawName);
    if (!listed) return failed('That tool is not listed by its server any more. Look at its page in Settings, MCP servers.');
    const shown = visibleToString(toVisibleText(rawName));
    if (listed.digest !== digest) return failed(`${shown} changed while it was on the screen. Look at it again.`);
    const { tools, instructionsDigest } = this.parts.trust.choices(id);
    return this.#save(id, new Map([...tools, [rawName, { ...listed, offered }]]), instructionsDigest);
  }

  /** Why the last look at its tools failed; null once one went well (W6). */
  listingProblemOf(id: ServerId): string | null {
    return this.#problems.get(id) ?? null;
  }

  forget(id: ServerId): void {
    this.#instructions.delete(id);
    this.#problems.delete(id);
  }

  #save(id: ServerId, tools: ReadonlyMap<string, PinnedTool>, instructionsDigest: Digest | null): Result<void, string> {
    const saved = this.parts.trust.saveChoices(id, { tools, instructionsDigest });
    if (saved.ok) this.parts.catalog.refresh();
    return saved;
  }

  #setProblem(id: ServerId, problem: string | null): void {
    if (this.listingProblemOf(id) === problem) return;
    if (problem === null) this.#problems.delete(id);
    else this.#problems.set(id, problem);
    this.parts.catalog.refresh();
  }

  async #withTools(id: ServerId, session: Result<McpSession, SessionProblem>): Promise<Result<McpSession, SessionProblem>> {
    if (!session.ok) return session;
    let listing = this.#listed.get(session.value);
    if (!listing) {
      this.#setProblem(id, null);
      listing = this.#list(id, session.value);
      this.#listed.set(session.value, listing);
    }
    const problem = await listing;
    if (!problem) return ok(session.value);
    this.#listed.delete(session.value);
    return failed(problem);
  }

  async #list(id: ServerId, session: McpSession): Promise<SessionProblem | null> {
    const listed = await session.listTools();
    if (!listed.ok) {
      // What is not open says itself why it is down.
      if (session.open) this.#setProblem(id, this.parts.mask(listed.problem.message));
      return listed.problem;
    }
    // It ended while it was asked: what it said last is not put over what a newer one says, or over nothing once it is removed.
    if (!session.open) return { kind: 'lost', message: 'The server was stopped while it listed its tools.' };
    this.#instructions.set(id, listed.value.instructions);
    this.parts.catalog.learn(
      id,
      maskListing(listed.value, (text) => this.parts.mask(text)),
    );
    this.parts.listed?.(id, session);
    return null;
  }
}
