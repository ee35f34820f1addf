import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { ok, type Result } from '../../src-shared/base/result';
import type { SendOptions } from '../../src-main/sessions/http-transport-door';
import type { SessionLink, SessionTransport } from '../../src-main/sessions/mcp-session-wire';
import type { SessionProblem } from '../../src-main/sessions/session-problem';

type Request = JSONRPCMessage & { method: string; id?: string | number; params?: Record<string, unknown> };

/** What a scripted server does with one message; what it returns is sent back as the result. */
export type Script = (message: Request, server: ScriptedServer) => object | undefined | Promise<object | undefined>;

/** A server without a process or a socket, of the session era unless its script says otherwise. */
export class ScriptedServer implements SessionTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Everything the client sent, in order. */
  readonly received: Request[] = [];
  closed = false;
  ending: Error | null = null;
  readonly #script: Script;

  constructor(script: Script) {
    this.#script = script;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage, { text }: SendOptions = {}): Promise<void> {
    // As on a wire: what the client does to its object later is not seen here.
    const request = JSON.parse(text ?? JSON.stringify(message)) as Request;
    this.received.push(request);
    const result = (await this.#script(request, this)) ?? this.#asUsual(request);
    if (result !== undefined && request.id !== undefined)
      this.say({ jsonrpc: '2.0', id: request.id, ...answerOf(result) } as JSONRPCMessage);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.onclose?.();
  }

  say(message: JSONRPCMessage): void {
    setImmediate(() => {
      if (!this.closed) this.onmessage?.(message);
    });
  }

  /** Ends as a program ends by itself. */
  end(why: Error): void {
    this.ending = why;
    this.closed = true;
    this.onclose?.();
  }

  link(): SessionLink {
    return { kind: 'http', transport: this, pid: () => null, failure: () => this.ending, lastWords: () => [] };
  }

  #asUsual({ method }: Request): object | undefined {
    if (method === 'initialize') {
      return {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'scripted', version: '1' },
      };
    }
    if (method === 'server/discover') return { error: { code: -32601, message: 'Method not found' } };
    if (method === 'tools/list') return { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] };
    return undefined;
  }
}

const answerOf = (result: object): object => ('error' in result ? result : { result });

/** Never answers. */
export const silence = (): Promise<undefined> => new Promise(() => undefined);

/** Ways to the servers of a list, one after another; the last one is used again. */
export function linksTo(...servers: ScriptedServer[]): () => Promise<Result<SessionLink, SessionProblem>> {
  let next = 0;
  return async () => ok(servers[Math.min(next++, servers.length - 1)]!.link());
}
