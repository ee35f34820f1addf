import type { Dispatcher } from 'undici';
import { RequestCutError, UnreadableResponseError } from './egress-errors';
import type { GuardContext } from './egress-guard';
import type { RequestMeter } from './request-meter';

/** Bytes that are held for a slow reader before the connection is told to wait. */
const HELD_BYTES = 64 * 1024;

export interface ResponseHead {
  status: number;
  headers: Record<string, string | string[] | undefined>;
}

/** One request and its answer: a promise of the head, then the body as it arrives, at the pace of its one reader. */
export class HttpExchange implements Dispatcher.DispatchHandler, AsyncIterable<Buffer> {
  readonly head: Promise<ResponseHead>;
  readonly #maxHeaderBytes: number;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = () => this.cut(this.#signal?.reason);
  #answer!: (head: ResponseHead) => void;
  #fail!: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #meter: RequestMeter | undefined;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #state: 'running' | 'ended' | 'failed' = 'running';
  #error: unknown;
  #wake: (() => void) | undefined;

  constructor(parts: { signal?: AbortSignal | undefined; maxHeaderBytes: number }) {
    this.#maxHeaderBytes = parts.maxHeaderBytes;
    this.#signal = parts.signal;
    this.head = new Promise((resolve, reject) => {
      this.#answer = resolve;
      this.#fail = reject;
    });
    this.#signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get meter(): RequestMeter | undefined {
    return this.#meter;
  }

  /** Tears the connection down, whatever has arrived. A request that is over is left as it is. */
  cut(reason?: unknown): void {
    if (this.#state !== 'running') return;
    const cutOff = new RequestCutError();
    this.#end('failed', reason ?? cutOff);
    this.#meter?.cut(cutOff);
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: GuardContext): void {
    this.#controller = controller;
    this.#meter = context.meter;
    // Cut while it waited for a connection: nothing of it has been written, and nothing will be.
    if (this.#state === 'failed') controller.abort(new RequestCutError());
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: ResponseHead['headers']): void {
    if (status < 200) return;
    if (headerBytes(controller.rawHeaders) > this.#maxHeaderBytes) {
      this.cut(new UnreadableResponseError('The answer began with more header text than this app reads.'));
      return;
    }
    this.#answer({ status, headers });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#state !== 'running') return;
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes > HELD_BYTES) controller.pause();
    this.#wakeReader();
  }

  onResponseEnd(): void {
    this.#end('ended');
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#end('failed', error);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        if (this.#state === 'failed') throw this.#error;
        const chunk = this.#held.shift();
        if (chunk) {
          this.#heldBytes -= chunk.length;
          if (this.#heldBytes <= HELD_BYTES) this.#controller?.resume();
          yield chunk;
        } else if (this.#state === 'ended') {
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      this.cut();
    }
  }

  #end(state: 'ended' | 'failed', error?: unknown): void {
    if (this.#state !== 'running') return;
    this.#state = state;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    if (state === 'failed') {
      this.#error = error;
      this.#held = [];
      this.#fail(error);
    }
    this.#wakeReader();
  }

  #wakeReader(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}

function headerBytes(raw: Dispatcher.DispatchController['rawHeaders']): number {
  return Array.isArray(raw) ? raw.reduce((total, part) => total + part.length, 0) : 0;
}
