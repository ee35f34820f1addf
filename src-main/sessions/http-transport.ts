import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Clock } from '../../src-shared/base/clock';
import type { RouteId } from '../../src-shared/egress/egress.schema';
import { headerOf, readBounded } from './bounded-stream';
import type { HttpAnswer, HttpAsk, HttpDoor, SendOptions } from './http-transport-door';
import { readEvents } from './http-transport-events';
import { bodyHeaders, claimedVersion, ownHeaders, type HeaderPair } from './http-transport-headers';
import { answersTo, mediaType, parseMessage, readMessages } from './http-transport-messages';
import { readStandaloneStream } from './http-transport-listening';
import { contentError, ERROR_HEAD_BYTES, refusalText, statusError, type SdkErrors } from './http-transport-refusal';
import { OwnOriginRequests } from './http-transport-requests';
import { waitFor } from './http-transport-waiting';
import { ExchangeError } from './session-problem';
import { SseReader } from './sse-reader';

export interface HttpTransportParts {
  door: HttpDoor;
  routeId: RouteId;
  endpoint: string;
  /** Settings of this server, secrets among them: attached only to requests that go to its own origin. */
  headers: readonly HeaderPair[];
  maxReplyBytes: number;
  clock: Clock;
  log: (line: string) => void;
}

const GOODBYE_MS = 1000;
/** A note that nobody answers is not worth a socket for longer. */
const NOTE_MS = 10_000;
/** How often a stream is taken up again while it brings nothing; the deadline of the call ends it sooner. */
const MAX_RESUMES = 20;
const FIRST_RESUME_MS = 500;
const MAX_RESUME_MS = 10_000;

/** Speaks Streamable HTTP in both eras. `send` of a request settles when its response is in, or says why none will come. */
export class HttpTransport implements Transport {
  readonly hasPerRequestStream = true;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #parts: HttpTransportParts;
  readonly #settings: Record<string, string>;
  readonly #requests: OwnOriginRequests;
  #errors: SdkErrors | undefined;
  #sessionId: string | undefined;
  #version: string | undefined;
  #listening = false;
  #closed = false;

  constructor(parts: HttpTransportParts) {
    this.#parts = parts;
    this.#settings = ownHeaders(parts.headers);
    this.#requests = new OwnOriginRequests(parts);
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  async start(): Promise<void> {
    this.#errors = await import('@modelcontextprotocol/client');
  }

  async send(message: JSONRPCMessage, options: SendOptions = {}): Promise<void> {
    if (this.#closed) throw new ExchangeError('closed');
    const { abort, end } = this.#requests.begin(options.requestSignal, options.signal);
    const isNote = !('method' in message && 'id' in message);
    const cancel = isNote ? this.#parts.clock.after(NOTE_MS, () => abort.abort()) : () => undefined;
    try {
      await this.#exchange(message, options, abort.signal);
    } finally {
      cancel();
      end();
    }
  }

  /** Ends every exchange and stream at once, then tells the server that the session is over, for at most a second. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#requests.endAll();
    const goodbye = this.#sessionId === undefined ? undefined : this.#goodbye();
    this.onclose?.();
    await goodbye;
  }

  async #exchange(message: JSONRPCMessage, options: SendOptions, signal: AbortSignal): Promise<void> {
    const isRequest = 'method' in message && 'id' in message;
    const isHandshake = isRequest && message.method === 'initialize';
    const headers: Record<string, string> = {
      ...this.#headers(),
      ...ownHeaders(Object.entries(options.headers ?? {})),
      ...bodyHeaders(message),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const ask: HttpAsk = {
      method: 'POST',
      headers,
      body: options.text ?? JSON.stringify(message),
      signal,
      pause: options.pause,
    };
    const answer = await this.#ask(ask, options.conversation);
    try {
      if (answer.status < 200 || answer.status > 299) return await this.#refused(message, answer);
      if (isHandshake) this.#sessionId = headerOf(answer.headers, 'mcp-session-id');
      if (!isRequest) {
        this.#requests.discard(answer);
        if ('method' in message && message.method === 'notifications/initialized') this.#listen();
      } else if (mediaType(answer) === 'text/event-stream') await this.#readReplyStream(message, answer, signal);
      else await this.#readReply(message.id, answer);
    } catch (error) {
      answer.destroy();
      throw error;
    } finally {
      options.onTraffic?.({ bytesOut: answer.bytesOut(), bytesIn: answer.bytesIn(), address: answer.address });
    }
  }

  #ask(ask: HttpAsk, conversation?: string): Promise<HttpAnswer> {
    return this.#requests.ask(this.#parts.endpoint, ask, conversation);
  }

  #headers(): Record<string, string> {
    const headers = { ...this.#settings };
    if (this.#sessionId !== undefined) headers['mcp-session-id'] = this.#sessionId;
    if (this.#version !== undefined) headers['mcp-protocol-version'] = this.#version;
    return headers;
  }

  /** A status that is no success: the protocol's own error when the stateless era answered with one, else the status as it is. */
  async #refused(message: JSONRPCMessage, answer: HttpAnswer): Promise<void> {
    const { status } = answer;
    const text = await refusalText(answer);
    if ((status === 400 || status === 404) && claimedVersion(message) !== undefined) {
      const parsed = parseMessage(text);
      if (parsed && 'error' in parsed && 'id' in message && parsed.id === message.id) return this.onmessage?.(parsed);
    }
    throw statusError(this.#sdk, status, text);
  }

  async #readReply(id: string | number, answer: HttpAnswer): Promise<void> {
    const bytes = await readBounded(answer, this.#parts.maxReplyBytes);
    const messages = readMessages(bytes);
    if (messages === undefined) {
      throw contentError(this.#sdk, answer, bytes.subarray(0, ERROR_HEAD_BYTES).toString('utf8'));
    }
    for (const message of messages) this.onmessage?.(message);
    if (!messages.some((message) => answersTo(message, id))) throw new ExchangeError('no-response');
  }

  /** Reads the stream a POST opened; in the session era a stream that named an event id is taken up again where it broke off. */
  async #readReplyStream(
    message: JSONRPCMessage & { id: string | number },
    first: HttpAnswer,
    signal: AbortSignal,
  ): Promise<void> {
    const mayResume = claimedVersion(message) === undefined;
    let answer = first;
    let chunks = answer.body[Symbol.asyncIterator]();
    let answered = false;
    let events = 0;
    const reader = new SseReader({
      capBytes: this.#parts.maxReplyBytes,
      onEvent: (event) => {
        if (event.data !== '') events += 1;
        const parsed = this.#deliver(event.type, event.data);
        if (parsed && answersTo(parsed, message.id)) answered = true;
      },
    });
    for (let attempt = 0; ;) {
      const before = events;
      await readEvents(answer, chunks, reader, () => answered, signal);
      if (answered) return this.#requests.discard(answer, chunks);
      answer.destroy();
      attempt = events > before ? 0 : attempt + 1;
      if (!mayResume || reader.lastEventId === undefined || attempt > MAX_RESUMES) throw new ExchangeError('no-response');
      await waitFor(
        this.#parts.clock,
        Math.max(reader.retryMs ?? 0, Math.min(FIRST_RESUME_MS * 2 ** Math.max(0, attempt - 1), MAX_RESUME_MS)),
        signal,
      );
      const headers = { ...this.#headers(), accept: 'text/event-stream', 'last-event-id': reader.lastEventId };
      answer = await this.#ask({ method: 'GET', headers, signal });
      chunks = answer.body[Symbol.asyncIterator]();
      if (answer.status === 200 && mediaType(answer) === 'text/event-stream') continue;
      answer.destroy();
      throw new ExchangeError('no-response');
    }
  }

  #deliver(type: string, data: string): JSONRPCMessage | undefined {
    if (type !== 'message' || data === '') return undefined;
    const parsed = parseMessage(data);
    if (parsed === undefined) this.#parts.log('An event of the stream was no MCP message and was dropped.');
    else this.onmessage?.(parsed);
    return parsed;
  }

  /** The session era's own stream for messages nobody asked for. A server without one is not in error. */
  #listen(): void {
    if (this.#listening || this.#closed) return;
    this.#listening = true;
    const { abort, end } = this.#requests.begin();
    void readStandaloneStream({
      open: (lastEventId) =>
        this.#ask({
          method: 'GET',
          headers: {
            ...this.#headers(),
            accept: 'text/event-stream',
            ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
          },
          signal: abort.signal,
        }),
      read: (answer, reader) => readEvents(answer, answer.body[Symbol.asyncIterator](), reader, () => false, abort.signal),
      deliver: (type, data) => void this.#deliver(type, data),
      wait: (ms) => waitFor(this.#parts.clock, ms, abort.signal),
      isOpen: () => !this.#closed,
      capBytes: this.#parts.maxReplyBytes,
      log: this.#parts.log,
    }).finally(end);
  }

  async #goodbye(): Promise<void> {
    const abort = new AbortController();
    const cancel = this.#parts.clock.after(GOODBYE_MS, () => abort.abort());
    try {
      const answer = await this.#ask({ method: 'DELETE', headers: this.#headers(), signal: abort.signal });
      answer.destroy();
    } catch {
      // The session is over on this side whether or not the server heard of it.
    } finally {
      cancel();
    }
  }

  get #sdk(): SdkErrors {
    if (!this.#errors) throw new ExchangeError('closed');
    return this.#errors;
  }
}
