import { spawn } from 'node:child_process';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Agent, request } from 'undici';
import { openAppRoad } from './app-road';
import { openAppSession, type AppServer, type Where } from './app-server';

/** One way to make the same call. */
export interface Way {
  name: 'floor' | 'sdk' | 'transport' | 'road';
  /** Fails unless the text came back. */
  call(): Promise<void>;
  end(): Promise<void>;
  oneAtATime?: true;
  isInLedger?: true;
}

const TEXT = 'The quick brown fox jumps over the lazy dog, sixty-four bytes long.';

/** Opens all four. Each has a connection of its own, and for stdio a server of its own. */
export async function openWays(where: Where, server: AppServer): Promise<Way[]> {
  return [
    where.kind === 'stdio' ? rawPipe(where.args) : rawHttp(where.url),
    await bareSdk(where),
    await transport(server, where),
    await road(server),
  ];
}

interface Reply {
  id: number;
  result: { content: { text: string }[] };
}

function callMessage(id: number): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'tool', arguments: { text: TEXT } } });
}

function rawPipe(args: string[]): Way {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, (reply: Reply) => void>();
  let nextId = 0;
  let rest = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    rest += text;
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
      const reply = JSON.parse(rest.slice(0, end)) as Reply;
      rest = rest.slice(end + 1);
      waiting.get(reply.id)?.(reply);
      waiting.delete(reply.id);
    }
  });
  return {
    name: 'floor',
    async call() {
      const id = nextId++;
      const reply = await new Promise<Reply>((resolve) => {
        waiting.set(id, resolve);
        child.stdin.write(`${callMessage(id)}\n`);
      });
      check(reply.result.content[0]?.text);
    },
    async end() {
      child.stdin.end();
    },
  };
}

function rawHttp(url: string): Way {
  const dispatcher = new Agent({ pipelining: 1 });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  let nextId = 0;
  return {
    name: 'floor',
    async call() {
      const { body } = await request(url, { method: 'POST', headers, body: callMessage(nextId++), dispatcher });
      check(((await body.json()) as Reply).result.content[0]?.text);
    },
    end: () => dispatcher.close(),
  };
}

async function bareSdk(where: Where): Promise<Way> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(
    where.kind === 'http'
      ? new StreamableHTTPClientTransport(new URL(where.url))
      : new StdioClientTransport({ command: process.execPath, args: where.args }),
  );
  return {
    name: 'sdk',
    async call() {
      const { content } = await client.callTool({ name: 'tool', arguments: { text: TEXT } });
      check((content[0] as { text?: string } | undefined)?.text);
    },
    end: () => client.close(),
  };
}

async function transport(server: AppServer, where: Where): Promise<Way> {
  const session = await openAppSession(server);
  const definition = { rawName: 'tool', inputSchema: { type: 'object' }, claims: {} };
  const frozenText = JSON.stringify({ text: TEXT });
  return {
    name: 'transport',
    async call() {
      const outcome = await session.callTool({ definition, frozenText });
      if (!outcome.ok) throw new Error(outcome.problem.message);
      check((outcome.raw as Reply['result']).content[0]?.text);
    },
    end: () => session.close(),
    // Over HTTP every request passes the door; calls to programs are recorded further up the road.
    ...(where.kind === 'http' ? { isInLedger: true } : {}),
  };
}

async function road(server: AppServer): Promise<Way> {
  const { call, end } = await openAppRoad(server);
  let nextCall = 0;
  return {
    name: 'road',
    async call() {
      const outcome = await call(`call-${nextCall++}`, TEXT);
      if (outcome.kind !== 'answered') throw new Error(outcome.forPerson);
      check(outcome.forPerson);
    },
    end,
    oneAtATime: true,
    isInLedger: true,
  };
}

function check(text: string | undefined): void {
  if (text !== TEXT) throw new Error(`The server answered something else: ${text}`);
}
