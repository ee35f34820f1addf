import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { SendOptions } from './http-transport-door';
import type { CallMessage, Envelope } from './mcp-session-call-message';
import { readReply, type CallReply } from './mcp-session-call-reply';
import type { SessionTransport } from './mcp-session-wire';
import { ExchangeError } from './session-problem';

/** Above every id the protocol client comes to, and within what a server of 32 bits can hold. */
export const FIRST_OWN_ID = 1_000_000_000;

export interface CallProgress {
  progress: number;
  total?: number;
  message?: string;
}

/** One call to be sent past the protocol client. */
export interface OwnCall {
  /** Writes the message for its id; what it throws keeps the call from being sent. */
  compose(id: number): CallMessage;
  /** What every message of this connection carries; empty in the session era. */
  envelope: Envelope;
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
  conversation: string | undefined;
  pause: SendOptions['pause'];
  onTraffic: SendOptions['onTraffic'];
  onProgress(progress: CallProgress): void;
}

interface Waiting {
  answer(reply: JSONRPCMessage): void;
  fail(error: unknown): void;
  onProgress: OwnCall['onProgress'];
}

/**
 * Tool calls of one connection, sent past the protocol client: it reads each reply three times over and keeps none of it.
 * A reply counts once and only for an id that waits; whatever else comes under an id of ours is counted and dropped (W1).
 */
export class OwnCalls {
  readonly #transport: SessionTransport;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = FIRST_OWN_ID;
  #dropped = 0;
  #ended = false;

  constructor(transport: SessionTransport) {
    this.#transport = transport;
  }

  /** Late, doubled and unknown replies and progress under ids of ours. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Sends a call and waits for its one reply; whatever keeps that from coming is thrown. */
  async send(call: OwnCall): Promise<CallReply> {
    const { envelope, signal, headers, conversation, pause, onTraffic } = call;
    if (this.#ended || signal.aborted) throw new ExchangeError('closed');
    const id = this.#nextId;
    this.#nextId += 1;
    const { message, text } = call.compose(id);
    const replied = new Promise<JSONRPCMessage>((answer, fail) => {
      this.#waiting.set(id, { answer, fail, onProgress: call.onProgress });
    });
    const stop = (): void => this.#stop(id, envelope);
    signal.addEventListener('abort', stop, { once: true });
    const sent = this.#transport
      .send(message, { headers, signal, conversation, pause, onTraffic, text })
      .catch((error: unknown) => this.#take(id)?.fail(error));
    try {
      const reply = await replied;
      // What an exchange of its own moved is told when it is over, which is a moment after its reply.
      if (this.#transport.hasPerRequestStream) await sent;
      return readReply(reply, isStateless(envelope));
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** True for what was meant for a call of ours, or claims to be: nobody else gets to see it. */
  takes(message: JSONRPCMessage): boolean {
    if ('method' in message) return message.method === 'notifications/progress' && this.#takesProgress(message.params);
    const id = ownId(message.id);
    if (id === null) return false;
    const waiting = this.#take(id);
    if (waiting) waiting.answer(message);
    else this.#dropped += 1;
    return true;
  }

  /** Fails every open call: the connection is over. */
  end(): void {
    this.#ended = true;
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.fail(new ExchangeError('closed'));
  }

  #takesProgress(params: Record<string, unknown> = {}): boolean {
    const { progressToken, progress, total, message } = params;
    const id = ownId(progressToken);
    if (id === null) return false;
    const waiting = this.#waiting.get(id);
    const isWhole =
      typeof progress === 'number' &&
      (total === undefined || typeof total === 'number') &&
      (message === undefined || typeof message === 'string');
    if (waiting && isWhole)
      waiting.onProgress({
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      });
    else this.#dropped += 1;
    return true;
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  /** Tells the server, where the end of the exchange does not tell it already (MCP 2026-07-28, cancellation). */
  #stop(id: number, envelope: Envelope): void {
    const waiting = this.#take(id);
    if (!waiting) return;
    if (!isStateless(envelope) || !this.#transport.hasPerRequestStream) {
      const params = {
        requestId: id,
        reason: 'The call was stopped.',
        ...(isStateless(envelope) ? { _meta: { ...envelope } } : {}),
      };
      // A server that cannot be told does not keep the call from ending here.
      this.#transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => undefined);
    }
    waiting.fail(new ExchangeError('closed'));
  }
}

const isStateless = (envelope: Envelope): boolean => Object.keys(envelope).length > 0;

/** Some servers send ids back as text. */
function ownId(id: unknown): number | null {
  const value = typeof id === 'string' && /^\d{10,15}$/.test(id) ? Number(id) : id;
  return typeof value === 'number' && value >= FIRST_OWN_ID ? value : null;
}
