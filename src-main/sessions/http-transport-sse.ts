import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { HttpAnswer, SendOptions } from './http-transport-door';
import { readEndpoint } from './http-transport-endpoint';
import { readEvents } from './http-transport-events';
import { ownHeaders } from './http-transport-headers';
import { mediaType, parseMessage } from './http-transport-messages';
import { contentError, refusalText, statusError, type SdkErrors } from './http-transport-refusal';
import { OwnOriginRequests } from './http-transport-requests';
import type { HttpTransportParts } from './http-transport';
import { ExchangeError } from './session-problem';
import { SseReader } from './sse-reader';

/** A note that nobody accepts is not worth a socket for longer. */
const NOTE_MS = 10_000;

interface Exchange {
  bytesOut: number;
  address: string | null;
  onTraffic: NonNullable<SendOptions['onTraffic']>;
}

/**
 * Speaks the HTTP+SSE transport of MCP 2024-11-05: one stream for everything the server says, one address for what it is told (W1).
 * The stream is the session: when it ends, so does the connection.
 */
export class SseTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #parts: HttpTransportParts;
  readonly #settings: Record<string, string>;
  readonly #requests: OwnOriginRequests;
  readonly #exchanges = new Map<string | number, Exchange>();
  #errors: SdkErrors | undefined;
  #target: string | undefined;
  #address: string | null = null;
  #version: string | undefined;
  #failure: Error | null = null;
  #closed = false;

  constructor(parts: HttpTransportParts) {
    this.#parts = parts;
    this.#settings = ownHeaders(parts.headers);
    this.#requests = new OwnOriginRequests(parts);
  }

  /** Why the connection ended, unless this side closed it. */
  get failure(): Error | null {
    return this.#failure;
  }

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  /** Opens the stream and waits until the server has named the place for messages. The caller's deadline ends the wait, by closing. */
  async start(): Promise<void> {
    this.#errors = await import('@modelcontextprotocol/client');
    const { abort } = this.#requests.begin();
    if (this.#closed) abort.abort();
    try {
      const answer = await this.#open(abort.signal);
      await new Promise<void>((ready, fail) => {
        void this.#read(answer, abort.signal, ready).then(
          () => fail(this.#failure ?? new ExchangeError('no-response')),
          (error: unknown) => fail(error instanceof Error ? error : new Error(String(error))),
        );
      });
    } catch (error) {
      if (!this.#closed) this.#end(error instanceof Error ? error : null);
      throw error;
    }
  }

  async send(message: JSONRPCMessage, options: SendOptions = {}): Promise<void> {
    const target = this.#target;
    if (this.#closed || target === undefined) throw this.#failure ?? new ExchangeError('closed');
    const { abort, end } = this.#requests.begin(options.requestSignal, options.signal);
    const body = options.text ?? JSON.stringify(message);
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    const cancel = id === undefined ? this.#parts.clock.after(NOTE_MS, () => abort.abort()) : () => undefined;
    const exchange = options.onTraffic && { bytesOut: body.length, address: this.#address, onTraffic: options.onTraffic };
    // Kept before the request leaves: the answer can be on the stream before the POST is accepted.
    if (id !== undefined && exchange) this.#exchanges.set(id, exchange);
    options.signal?.addEventListener('abort', () => this.#settle(id, 0), { once: true });
    try {
      const headers = {
        ...this.#headers(),
        ...ownHeaders(Object.entries(options.headers ?? {})),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      const answer = await this.#requests.ask(
        target,
        { method: 'POST', headers, body, signal: abort.signal },
        options.conversation,
      );
      if (exchange) Object.assign(exchange, { bytesOut: answer.bytesOut(), address: answer.address });
      if (answer.status < 200 || answer.status > 299) {
        throw statusError(this.#sdk, answer.status, await refusalText(answer));
      }
      this.#requests.discard(answer);
    } catch (error) {
      this.#settle(id, 0);
      throw this.#failure ?? error;
    } finally {
      cancel();
      end();
    }
  }

  async close(): Promise<void> {
    this.#end(null);
  }

  async #open(signal: AbortSignal): Promise<HttpAnswer> {
    const headers = { ...this.#headers(), accept: 'text/event-stream' };
    const answer = await this.#requests.ask(this.#parts.endpoint, { method: 'GET', headers, signal });
    this.#address = answer.address;
    if (answer.status !== 200) throw statusError(this.#sdk, answer.status, await refusalText(answer));
    if (mediaType(answer) !== 'text/event-stream') throw contentError(this.#sdk, answer, await refusalText(answer));
    return answer;
  }

  /** Reads until the stream ends, which is the end of the connection. */
  async #read(answer: HttpAnswer, signal: AbortSignal, ready: () => void): Promise<void> {
    let foreign: Error | null = null;
    const reader = new SseReader({
      capBytes: this.#parts.maxReplyBytes,
      onEvent: ({ type, data }) => {
        if (type === 'message') this.#deliver(data);
        if (type !== 'endpoint' || this.#target !== undefined || foreign) return;
        const endpoint = readEndpoint(data, this.#parts.endpoint);
        if (!endpoint.ok) {
          foreign = endpoint.problem;
          return;
        }
        this.#parts.door.allowPath(this.#parts.routeId, endpoint.value.pathname);
        this.#target = endpoint.value.href;
        ready();
      },
    });
    let failure: Error | null = null;
    try {
      await readEvents(answer, answer.body[Symbol.asyncIterator](), reader, () => foreign !== null, signal);
    } catch (error) {
      failure = error instanceof Error ? error : null;
    }
    answer.destroy();
    if (!this.#closed) this.#end(foreign ?? failure ?? new ExchangeError('no-response'));
  }

  #deliver(data: string): void {
    const parsed = parseMessage(data);
    if (parsed === undefined) return this.#parts.log('An event of the stream was no MCP message and was dropped.');
    if (!('method' in parsed)) this.#settle(parsed.id, Buffer.byteLength(data));
    this.onmessage?.(parsed);
  }

  #headers(): Record<string, string> {
    return { ...this.#settings, ...(this.#version === undefined ? {} : { 'mcp-protocol-version': this.#version }) };
  }

  #settle(id: string | number | undefined, bytesIn: number): void {
    const exchange = id === undefined ? undefined : this.#exchanges.get(id);
    if (id === undefined || !exchange) return;
    this.#exchanges.delete(id);
    exchange.onTraffic({ bytesOut: exchange.bytesOut, bytesIn, address: exchange.address });
  }

  #end(failure: Error | null): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#failure = failure;
    for (const id of [...this.#exchanges.keys()]) this.#settle(id, 0);
    this.#requests.endAll();
    if (failure) this.onerror?.(failure);
    this.onclose?.();
  }

  get #sdk(): SdkErrors {
    if (!this.#errors) throw new ExchangeError('closed');
    return this.#errors;
  }
}
