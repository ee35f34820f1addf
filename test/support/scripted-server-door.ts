import type { HttpAnswer, HttpAsk, HttpDoor } from '../../src-main/sessions/http-transport-door';

export interface ScriptedAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** Pieces of the body; a promise holds the rest back, an error breaks it off. */
  body?: (string | Promise<unknown> | Error)[];
}

export interface Asked extends HttpAsk {
  url: string;
  message: { id?: number | string; method?: string; params?: Record<string, unknown> } | undefined;
}

/** A door to a server without a network. It remembers what was asked and which answers were torn down. */
export class ScriptedDoor implements HttpDoor {
  readonly asked: Asked[] = [];
  readonly destroyed: number[] = [];
  readonly allowedPaths: string[] = [];

  constructor(private readonly script: (asked: Asked, count: number) => ScriptedAnswer | Promise<ScriptedAnswer>) {}

  allowPath(_routeId: string, path: string): void {
    this.allowedPaths.push(path);
  }

  async request(_routeId: string, url: string, ask: HttpAsk): Promise<HttpAnswer> {
    ask.signal?.throwIfAborted();
    const asked: Asked = {
      ...ask,
      url,
      message: ask.body === undefined ? undefined : (JSON.parse(ask.body) as Asked['message']),
    };
    const count = this.asked.push(asked);
    let tear: (error: Error) => void = () => undefined;
    const torn = new Promise<never>((_, reject) => {
      tear = reject;
    });
    torn.catch(() => undefined);
    const stop = (): void => tear(new Error('aborted'));
    ask.signal?.addEventListener('abort', stop, { once: true });
    const { status = 200, headers = {}, body = [] } = await Promise.race([this.script(asked, count), torn]);
    return {
      status,
      headers,
      body: (async function* () {
        try {
          for (const piece of body) {
            if (piece instanceof Error) throw piece;
            if (typeof piece === 'string') yield Buffer.from(piece);
            else await Promise.race([piece, torn]);
          }
        } finally {
          ask.signal?.removeEventListener('abort', stop);
        }
      })(),
      bytesOut: () => ask.body?.length ?? 0,
      bytesIn: () => 7,
      address: '127.0.0.1',
      destroy: () => {
        this.destroyed.push(count);
        tear(new Error('destroyed'));
      },
    };
  }
}

const JSON_TYPE = { 'content-type': 'application/json' };
const EVENT_TYPE = { 'content-type': 'text/event-stream' };

export const jsonAnswer = (message: object, headers: Record<string, string> = {}): ScriptedAnswer => ({
  headers: { ...JSON_TYPE, ...headers },
  body: [JSON.stringify({ jsonrpc: '2.0', ...message })],
});
export const eventAnswer = (...body: NonNullable<ScriptedAnswer['body']>): ScriptedAnswer => ({ headers: EVENT_TYPE, body });
export const eventOf = (message: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;

/** What a plain server of the session era answers; `id` is its session. */
export function plainAnswer({ method, message }: Asked, id = 's-1'): ScriptedAnswer {
  if (method !== 'POST') return { status: method === 'GET' ? 405 : 200 };
  if (message?.id === undefined) return { status: 202 };
  const say = (answer: object, headers: Record<string, string> = {}): ScriptedAnswer =>
    jsonAnswer({ id: message.id, ...answer }, headers);
  if (message.method === 'initialize') {
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } };
    return say({ result }, { 'Mcp-Session-Id': id });
  }
  if (message.method === 'tools/list') return say({ result: { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] } });
  if (message.method === 'tools/call') return say({ result: { content: [{ type: 'text', text: 'done' }] } });
  return say({ error: { code: -32601, message: 'Method not found' } });
}
