import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { ok, type Result } from '../../src-shared/base/result';
import type { Route, RouteId } from '../../src-shared/egress/egress.schema';
import { DEFAULT_LIMITS, type ServerLimits } from '../../src-shared/servers/server.schema';
import { systemClock } from '../../src-main/app/system-clock';
import { EgressDoor } from '../../src-main/egress/egress-door';
import { openLedger, type Ledger } from '../../src-main/egress/ledger';
import type { FrozenLaunch } from '../../src-main/sessions/launch-plan';
import { openSession, type McpSession, type SessionParts } from '../../src-main/sessions/mcp-session';
import { ServerLog } from '../../src-main/sessions/server-log';
import { createLink } from '../../src-main/sessions/session-pool-link';
import type { SessionProblem } from '../../src-main/sessions/session-problem';
import { tempFolder } from './temp-folder';

const fixtures = resolve(import.meta.dirname, '../fixtures');

export interface RunningFixture {
  url: string;
  lines: string[];
  stats(): Promise<
    { method: string; path: string; session: string | null; protocol: string | null; rpc: string | null; body: string }[]
  >;
}

/** Starts an HTTP fixture and waits for the address it prints; it ends with the test. */
export async function startFixture(file: string, env: Record<string, string> = {}): Promise<RunningFixture> {
  const child = spawn(process.execPath, [resolve(fixtures, file)], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const url = await new Promise<string>((found, fail) => {
    let text = '';
    child.on('exit', () => fail(new Error(`${file} ended`)));
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      lines.splice(0, lines.length, ...text.split('\n'));
      const match = /(?:LISTENING )(http:\S+)/.exec(text);
      if (match) found(match[1]!);
    });
  });
  return {
    url,
    lines,
    stats: async () => (await fetch(new URL('/stats', url))).json() as ReturnType<RunningFixture['stats']>,
  };
}

/** A server of one function, in this process; it ends with the test. */
export async function serveHttp(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<{ url: string; open(): number }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, response, Buffer.concat(chunks).toString('utf8')));
  });
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    socket.on('close', () => (open -= 1));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, open: () => open };
}

const ROUTE = 'server-test' as RouteId;

/** A real door with one route, to one address. */
export function openDoor(url: string): { door: EgressDoor; ledger: Ledger } {
  const { origin, pathname } = new URL(url);
  const route: Route = {
    id: ROUTE,
    kind: 'mcp-server',
    name: 'Test',
    origin,
    pathPrefix: pathname,
    on: true,
    leaves: false,
    where: '127.0.0.1',
    sends: 'tool calls',
    switchable: true,
  };
  const ledger = openLedger({ folder: tempFolder(), key: null, clock: systemClock });
  const door = new EgressDoor({ routes: () => [route], ledger, clock: systemClock });
  onTestFinished(() => door.close());
  return { door, ledger };
}

export interface HttpSessionOptions {
  limits?: Partial<ServerLimits>;
  headers?: [string, string][];
  parts?: Partial<SessionParts>;
}

/** Opens a session through a real door; session and door end with the test. */
export async function openHttpSession(
  url: string,
  options: HttpSessionOptions = {},
): Promise<Result<McpSession, SessionProblem>> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { door } = openDoor(url);
  const log = new ServerLog({ now: () => systemClock.now(), mask: (text) => text });
  const headers = (options.headers ?? []).map(([name, value]) => ({ name, value }));
  const launch: FrozenLaunch = {
    fingerprint: 'test',
    plan: { kind: 'http', host: new URL(url).host, address: [], headers: [], flags: [] },
    start: { kind: 'http', address: { url, headers } },
  };
  const { maxReplyBytes } = limits;
  const link: SessionParts['link'] = async (way) =>
    ok(createLink({ serverName: 'Notes', routeId: ROUTE, launch, way, maxReplyBytes, door, clock: systemClock, log }));
  const opened = await openSession({ serverName: 'Notes', limits, clock: systemClock, link, ...options.parts });
  if (opened.ok) onTestFinished(() => opened.value.close());
  return opened;
}

/** A call of a tool that the test did not have to list first. */
export const callOf = (rawName: string, input: object = {}) => ({
  definition: { rawName, inputSchema: { type: 'object' }, claims: {} },
  frozenText: JSON.stringify(input),
});
