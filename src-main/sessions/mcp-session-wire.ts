import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Clock } from '../../src-shared/base/clock';
import type { SendOptions, Traffic } from './http-transport-door';
import type { CallReply } from './mcp-session-call-reply';
import { NoteSieve } from './mcp-session-notes';
import { OwnCalls, type OwnCall } from './mcp-session-own-calls';
import { OwnSubscriptions } from './mcp-session-subscriptions';
import { ExchangeError } from './session-problem';

/** A transport under our bounds: a program's pipes or the network door. */
export interface SessionTransport extends Transport {
  send(message: JSONRPCMessage, options?: SendOptions): Promise<void>;
}

/** One way to a server, not yet spoken on. */
export interface SessionLink {
  kind: 'stdio' | 'http';
  transport: SessionTransport;
  /** The program's process, once it runs. */
  pid(): number | null;
  /** Why the program or the stream of it ended, unless this side closed it; always null where each request stands alone. */
  failure(): Error | null;
  /** The last lines the program wrote, oldest first. */
  lastWords(): readonly string[];
}

/** One page of a list, a resource or a prompt on its way. */
export interface WirePage {
  method: string;
  /** What the client is told came back, so that it can always read it. */
  empty: object;
  signal: AbortSignal;
  conversation?: string | undefined;
  raw?: unknown;
  traffic?: Traffic;
}

const GOODBYE_MS = 500;

/**
 * Stands between the protocol client and a transport. Tool calls pass beside the client, and it can send none (A5).
 * Lists, resources and prompts are kept as the server sent them: the client would lose a whole list for one malformed entry.
 */
export class SessionWire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];

  readonly #inner: SessionTransport;
  readonly #notes: NoteSieve;
  readonly #subscriptions = new OwnSubscriptions();
  readonly #ownCalls: OwnCalls;
  readonly #waiting = new Map<number, WirePage>();
  readonly #replies = new Set<Promise<void>>();
  #nextPage: WirePage | undefined;
  #closing: Promise<void> | undefined;
  #lost = false;
  #heard = false;

  constructor(inner: SessionTransport, clock: Clock) {
    this.#inner = inner;
    this.#notes = new NoteSieve(clock);
    this.#ownCalls = new OwnCalls(inner);
    inner.onclose = () => {
      if (!this.#closing) this.#lost = true;
      this.#notes.close();
      try {
        this.onclose?.();
      } finally {
        this.#ownCalls.end();
      }
    };
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message, extra) => {
      this.#heard = true;
      if (!this.#subscriptions.admits(message)) return;
      if (!this.#notes.admits(message, () => this.onmessage?.(message, extra))) return;
      if (this.#ownCalls.takes(message)) return;
      this.onmessage?.(this.#withoutPayload(message) as typeof message, extra);
    };
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  /** True when the other side ended the connection, not this one. */
  get lost(): boolean {
    return this.#lost;
  }

  /** True once a single message has come in. */
  get heard(): boolean {
    return this.#heard;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  /** Sends one tool call past the protocol client and waits for its reply. */
  callTool(call: OwnCall): Promise<CallReply> {
    return this.#ownCalls.send(call);
  }

  /** Announces the page the client asks for next; it sends the request before it returns. */
  announcePage(page: WirePage): void {
    this.#nextPage = page;
  }

  /** Forgets a page that ended without a response. */
  settle(page: WirePage): void {
    for (const [id, waiting] of this.#waiting) if (waiting === page) this.#waiting.delete(id);
  }

  send(message: JSONRPCMessage, options: SendOptions = {}): Promise<void> {
    this.#subscriptions.sent(message);
    if (!('method' in message)) return this.#sendReply(message, options);
    if (!('id' in message)) return this.#inner.send(message, options);
    const page = this.#nextPage;
    if (page && message.method === page.method) {
      this.#nextPage = undefined;
      return this.#sendFor(page, message, options);
    }
    // Only approved bytes make a call, and the client has none (A5).
    if (message.method === 'tools/call') return Promise.reject(new ExchangeError('not-as-approved'));
    return this.#inner.send(message, options);
  }

  /** Answers to the server's own requests go out first, for half a second at most: some servers wait for them before they end (W5). */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#notes.close();
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#replies.size > 0 && !this.#lost) {
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise((resolve) => {
        timer = setTimeout(resolve, GOODBYE_MS);
      });
      await Promise.race([Promise.allSettled(this.#replies), enough]);
      clearTimeout(timer);
    }
    await this.#inner.close().catch(() => undefined);
  }

  #sendFor(page: WirePage, message: JSONRPCMessage & { id: number | string }, options: SendOptions): Promise<void> {
    this.#waiting.set(Number(message.id), page);
    return this.#inner.send(message, {
      ...options,
      signal: page.signal,
      conversation: page.conversation,
      onTraffic: (traffic) => {
        page.traffic = traffic;
      },
    });
  }

  #sendReply(message: JSONRPCMessage, options: SendOptions): Promise<void> {
    const sent = this.#inner.send(message, options);
    const kept = sent.catch(() => undefined).finally(() => this.#replies.delete(kept));
    this.#replies.add(kept);
    return sent;
  }

  /** Keeps the payload for whoever asked, and gives the client a response it can always read. */
  #withoutPayload(message: JSONRPCMessage): JSONRPCMessage {
    if ('method' in message || !('result' in message)) return message;
    const id = Number(message.id);
    const page = this.#waiting.get(id);
    if (!page) return withVersionAsText(message);
    this.#waiting.delete(id);
    const result: Record<string, unknown> | null = message.result;
    if (typeof result !== 'object' || result === null || Array.isArray(result)) return message;
    const { resultType } = result;
    if (resultType !== undefined && resultType !== 'complete') return message;
    page.raw = result;
    // A server that leaves the kind out means a complete result (2026-07-28, multi round trip); the client would drop the reply.
    const empty = { resultType: 'complete', ...page.empty, ttlMs: 0, cacheScope: 'private' };
    return { jsonrpc: '2.0', id: message.id, result: empty };
  }
}

/** A version sent as a number is one nobody knows; as text the client can name it when it refuses it. */
function withVersionAsText(message: JSONRPCMessage & { result: object }): JSONRPCMessage {
  const { protocolVersion } = (message.result ?? {}) as { protocolVersion?: unknown };
  if (typeof protocolVersion !== 'number') return message;
  return { ...message, result: { ...message.result, protocolVersion: String(protocolVersion) } } as JSONRPCMessage;
}

/** The client takes a transport for a program's by these two properties, and then falls back to the session era when a probe times out. */
export class ProgramWire extends SessionWire {
  readonly stderr = null;
  readonly pid: number | null = null;
}
