import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { type Program, type ProgramExit, startProgram } from '../processes/program';
import { parseJsonRpc } from './exact-messages';
import { sizeInWords, TooLargeError } from './bounded-stream';
import type { SendOptions } from './http-transport-door';
import type { ProgramLaunch } from './launch-plan';
import { ENVELOPE_BYTES, LineReader } from './line-reader';
import type { ServerLog } from './server-log';

const END_NOTICE_MS = 500;

/** How many of a server's last lines stand in the error when it ends by itself (W6). */
const LAST_LINES = 5;
const LAST_LINE_LENGTH = 1000;

/** The end of a connection to a program that this side did not ask for. */
export class StdioError extends Error {
  override readonly name = 'StdioError';
  constructor(
    readonly code: 'PROGRAM_NOT_STARTED' | 'PROGRAM_EXITED' | 'PROGRAM_CLOSED' | 'REPLY_TOO_LARGE',
    message: string,
    /** How the process ended, where it did. */
    readonly exit: ProgramExit | null,
    /** The last lines the program wrote, oldest first, masked and cut. */
    readonly lines: readonly string[],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface StdioTransportParts {
  /** The user's own name for the server. */
  serverName: string;
  /** The frozen values of the plan that was approved, and nothing else (T2). */
  launch: ProgramLaunch;
  maxReplyBytes: number;
  log: ServerLog;
  /** How long the program has to take one message. */
  writeTimeoutMs?: number;
  /** Looks at each message on its way out; what it throws keeps the message from being sent. */
  beforeSend?(message: JSONRPCMessage): void;
}

interface Exchange {
  bytesOut: number;
  onTraffic: NonNullable<SendOptions['onTraffic']>;
}

/**
 * Speaks newline-delimited JSON-RPC with one program, started once (W1, W5).
 * Lines that are no messages are counted, logged and dropped; a line over the cap ends the program at once (W2).
 */
export class StdioTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onerror?: (error: Error) => void;
  onclose?: () => void;

  readonly #parts: StdioTransportParts;
  readonly #reader: LineReader;
  readonly #exchanges = new Map<string | number, Exchange>();
  #program: Program | null = null;
  #starting = false;
  #closed = false;
  #failure: StdioError | null = null;
  #stopped: Promise<void> | null = null;
  #bytesOut = 0;
  #bytesIn = 0;
  #answered = false;
  /** The last thing said that was a message but no answer; some servers say there why they end. */
  #lastRequest = '';

  constructor(parts: StdioTransportParts) {
    this.#parts = parts;
    this.#reader = new LineReader({
      maxLineBytes: parts.maxReplyBytes + ENVELOPE_BYTES,
      onLine: (line, bytes) => this.#onLine(line, bytes),
      onTooLarge: () => this.#onTooLarge(),
    });
  }

  /** Null before the start and after the end. */
  get programPid(): number | null {
    return this.#closed ? null : (this.#program?.pid ?? null);
  }

  /** Bytes written to the program since its start. */
  get bytesOut(): number {
    return this.#bytesOut;
  }

  /** Bytes the program wrote to stdout since its start. */
  get bytesIn(): number {
    return this.#bytesIn;
  }

  /** Why the connection ended, unless this side closed it. */
  get failure(): StdioError | null {
    return this.#failure;
  }

  /** The last lines the program wrote, for whoever has to say why it does not answer (W6). */
  lastWords(): string[] {
    const logged = this.#parts.log.lastWords(LAST_LINES);
    if (logged.length > 0) return logged.map((line) => line.slice(0, LAST_LINE_LENGTH));
    if (this.#answered || this.#lastRequest === '') return [];
    // Not in the log so far, because it was a well-formed message: it goes through the log to be masked.
    this.#parts.log.noise(this.#lastRequest);
    this.#lastRequest = '';
    return this.lastWords();
  }

  async start(): Promise<void> {
    if (this.#starting) throw new Error('This transport was already started.');
    this.#starting = true;
    const started = await startProgram({
      ...this.#parts.launch,
      onStdout: (chunk) => this.#onStdout(chunk),
      onStderr: (chunk) => this.#parts.log.stderr(chunk),
      onExit: (exit) => this.#onExit(exit),
      ...(this.#parts.writeTimeoutMs === undefined ? {} : { writeTimeoutMs: this.#parts.writeTimeoutMs }),
    });
    if (!started.ok) {
      const error = new StdioError(
        'PROGRAM_NOT_STARTED',
        `${this.#parts.serverName} was not started. ${started.problem}`,
        null,
        [],
      );
      this.#parts.log.note(started.problem);
      this.#fail(error);
      throw error;
    }
    this.#program = started.value;
    if (!this.#closed) return;
    // Closed while it was starting: nobody else knows this program.
    this.#stopped = started.value.kill();
    await this.#stopped;
    throw new StdioError('PROGRAM_CLOSED', `${this.#parts.serverName} was stopped while it was starting.`, null, []);
  }

  send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    const program = this.#program;
    if (this.#closed || !program) return Promise.reject(this.#failure ?? this.#notConnected());
    try {
      this.#parts.beforeSend?.(message);
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
    const bytes = Buffer.from(`${options?.text ?? JSON.stringify(message)}\n`);
    this.#bytesOut += bytes.length;
    if (options?.onTraffic && 'method' in message && 'id' in message) {
      const { id } = message;
      this.#exchanges.set(id, { bytesOut: bytes.length, onTraffic: options.onTraffic });
      options.signal?.addEventListener('abort', () => this.#settle(id, 0), { once: true });
    }
    return program.write(bytes).catch(async (error: unknown) => {
      // A pipe breaks a moment before its program is known to have ended, and the end says more (W6).
      await Promise.race([program.exited, new Promise((resolve) => setTimeout(resolve, END_NOTICE_MS))]);
      throw error;
    });
  }

  /** Waiting calls end at once; resolves when nothing of the program runs any more. */
  close(): Promise<void> {
    if (this.#program) this.#stopped ??= this.#program.stop();
    this.#end();
    return this.#stopped ?? Promise.resolve();
  }

  #onStdout(chunk: Buffer): void {
    if (this.#closed) return;
    this.#bytesIn += chunk.length;
    this.#reader.push(chunk);
  }

  #onLine(line: string, bytes: number): void {
    const message = messageIn(line);
    if (!message) {
      this.#parts.log.noise(line);
      return;
    }
    if ('method' in message) {
      if (!this.#answered) this.#lastRequest = line.slice(0, LAST_LINE_LENGTH);
    } else {
      this.#answered = true;
      this.#settle(message.id, bytes);
    }
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #settle(id: unknown, bytesIn: number): void {
    if (this.#exchanges.size === 0) return;
    const exchange = this.#exchanges.get(id as string | number);
    if (!exchange) return;
    this.#exchanges.delete(id as string | number);
    exchange.onTraffic({ bytesOut: exchange.bytesOut, bytesIn, address: null });
  }

  #onTooLarge(): void {
    const { serverName, maxReplyBytes } = this.#parts;
    const message = `${serverName} sent a line larger than its limit of ${sizeInWords(maxReplyBytes)}, so it was stopped.`;
    this.#parts.log.note(message);
    // Asked to end politely, it would go on sending for seconds.
    this.#stopped ??= this.#program?.kill() ?? null;
    this.#fail(new StdioError('REPLY_TOO_LARGE', message, null, [], { cause: new TooLargeError(maxReplyBytes) }));
  }

  #onExit(exit: ProgramExit): void {
    if (this.#closed) return;
    // A last line can end with the pipe instead of a line end: whole it is a message, half it is noise.
    this.#reader.push(Buffer.from('\n'));
    if (this.#closed) return;
    const lines = this.lastWords();
    const how = exit.signal === null ? `exited with code ${exit.code ?? 'unknown'}` : `was ended by ${exit.signal}`;
    const said = lines.length === 0 ? ' It wrote nothing that says why.' : ` It wrote: ${lines.join(' / ')}`;
    const early = this.#answered ? '' : ' before it answered';
    this.#fail(new StdioError('PROGRAM_EXITED', `${this.#parts.serverName} ${how}${early}.${said}`, exit, lines));
  }

  #fail(error: StdioError): void {
    if (this.#closed) return;
    this.#failure = error;
    try {
      this.onerror?.(error);
    } finally {
      this.#end();
    }
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#reader.close();
    for (const exchange of this.#exchanges.values())
      exchange.onTraffic({ bytesOut: exchange.bytesOut, bytesIn: 0, address: null });
    this.#exchanges.clear();
    this.onclose?.();
  }

  #notConnected(): StdioError {
    return new StdioError('PROGRAM_CLOSED', `${this.#parts.serverName} is not running.`, null, []);
  }
}

/** The message in a line, or null. One parse and a look at the shape: the protocol client judges the rest. */
function messageIn(line: string): JSONRPCMessage | null {
  if (!line.includes('"jsonrpc"')) return null;
  let value: unknown;
  try {
    value = parseJsonRpc(line);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || !('jsonrpc' in value) || value.jsonrpc !== '2.0') return null;
  const id = 'id' in value ? typeof value.id : 'absent';
  if ('method' in value) {
    return typeof value.method === 'string' && (id === 'absent' || isId(id)) ? (value as JSONRPCMessage) : null;
  }
  // A reply to nobody would only be an error to the client: some servers answer notifications.
  return isId(id) && ('result' in value || 'error' in value) ? (value as JSONRPCMessage) : null;
}

const isId = (type: string): boolean => type === 'string' || type === 'number';
