import { cutAtCharacter } from '../../src-shared/base/hidden-characters';
import { failed, ok, type Result } from '../../src-shared/base/result';
import type { ServerClaims } from '../../src-shared/servers/server-about.schema';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { maskListing, maskText } from '../../src-shared/tools/mask-listing';
import { oneLine } from '../../src-shared/tools/output-treatment';
import type { McpSession } from '../sessions/mcp-session';
import type { SessionPool } from '../sessions/session-pool';
import type { SessionProblem } from '../sessions/session-problem';
import type { ToolCatalog } from './tool-catalog';

/** Longer than anything a model is told, or a person reads. */
const MAX_INSTRUCTIONS = 65_536;
const MAX_CLAIM = 120;

export interface ServerToolParts {
  pool: Pick<SessionPool, 'use' | 'retry'>;
  catalog: Pick<ToolCatalog, 'learn' | 'refresh'>;
  /** Its tools are known; what else it has can be asked for now. */
  listed?(id: ServerId, session: McpSession): void;
  /** Takes secret values out of a text (S5). */
  mask(text: string): string;
}

/** Between a session and the catalog: lists tools when a server is contacted (R2). */
export class ServerTools {
  /** Sessions whose tools were listed; a new process or connection is asked anew before its first call (X23). */
  readonly #listed = new WeakMap<McpSession, Promise<SessionProblem | null>>();
  readonly #problems = new Map<ServerId, string>();
  readonly #spokenTo = new Map<ServerId, McpSession>();

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

  /** Why the last look at its tools failed; null once one went well (W6). */
  listingProblemOf(id: ServerId): string | null {
    return this.#problems.get(id) ?? null;
  }

  /** When it was last spoken to in this run; now, while an answer is awaited. */
  lastContactOf(id: ServerId): number | null {
    return this.#spokenTo.get(id)?.usedAt ?? null;
  }

  forget(id: ServerId): void {
    this.#spokenTo.delete(id);
    this.#problems.delete(id);
  }

  #setProblem(id: ServerId, problem: string | null): void {
    if (this.listingProblemOf(id) === problem) return;
    if (problem === null) this.#problems.delete(id);
    else this.#problems.set(id, problem);
    this.parts.catalog.refresh();
  }

  async #withTools(id: ServerId, session: Result<McpSession, SessionProblem>): Promise<Result<McpSession, SessionProblem>> {
    if (!session.ok) return session;
    this.#spokenTo.set(id, session.value);
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
    const mask = (text: string): string => this.parts.mask(text);
    const { instructions, claims } = listed.value;
    this.parts.catalog.learn(id, {
      ...maskListing(listed.value, mask),
      // What is not kept of them is never shown, reviewed or told.
      instructions: instructions === null ? null : cutAtCharacter(maskText(instructions, mask), MAX_INSTRUCTIONS),
      claims: treatClaims(claims, mask),
    });
    this.parts.listed?.(id, session);
    return null;
  }
}

/** What it says of itself, fit to be shown (O1, S5). */
function treatClaims(claims: ServerClaims, mask: (text: string) => string): ServerClaims {
  const plain = (text: string): string => oneLine(maskText(text, mask), MAX_CLAIM);
  const { name, version, protocol, offers } = claims;
  return { ...claims, name: plain(name), version: plain(version), protocol: plain(protocol), offers: offers.map(plain) };
}
