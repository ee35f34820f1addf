import { spawn, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);

/** A server on this computer that a test talks to through the app. */
export interface Peer {
  readonly address: string;
  stop(): Promise<void>;
}

export interface ScriptedModel extends Peer {
  /** What reached the model, oldest first. */
  requests(): Promise<{ authorization: string | null; body: { messages: { role: string; content: unknown }[] } }[]>;
}

/** The official reference server over Streamable HTTP, or over the HTTP+SSE before it. */
export async function startEverything(node: string, how: 'streamableHttp' | 'sse' = 'streamableHttp'): Promise<Peer> {
  const port = await freePort();
  const script = join(resolve(require.resolve('@modelcontextprotocol/server-everything/package.json'), '..'), 'dist/index.js');
  const child = spawn(node, [script, how], { env: { ...process.env, PORT: String(port) } });
  await saying(child, /listening|running/i);
  return { address: `http://127.0.0.1:${port}/${how === 'sse' ? 'sse' : 'mcp'}`, stop: () => ended(child) };
}

/** A model that does what the user's message says; see the fixture. */
export async function startScriptedModel(node: string): Promise<ScriptedModel> {
  const { child, address } = await startFixture(node, 'scripted-model.mjs');
  const requests = async () => {
    const response = await fetch(new URL('/requests', address));
    return (await response.json()) as Awaited<ReturnType<ScriptedModel['requests']>>;
  };
  return { address, requests, stop: () => ended(child) };
}

/** A model endpoint that refuses what real providers refuse (B78): names, schemas, unpaired calls; else it answers "accepted". */
export async function startStrictModel(node: string): Promise<Peer> {
  const child = spawn(node, [join(root, 'test/fixtures/hostile/B78.mjs')]);
  const [, address = ''] = await saying(child, /LISTENING (\S+)/);
  return { address, stop: () => ended(child) };
}

/** A server that remembers the headers of every request. */
export async function startHeaderWitness(node: string): Promise<Peer & { headers(): Promise<Record<string, string>[]> }> {
  const { child, address } = await startFixture(node, 'modern-http.mjs');
  const headers = async () => {
    const response = await fetch(new URL('/stats', address));
    return ((await response.json()) as { headers: Record<string, string> }[]).map((seen) => seen.headers);
  };
  return { address, headers, stop: () => ended(child) };
}

/** A server that asks for a sign-in, and its own sign-in host. */
export async function startSignInServer(node: string): Promise<Peer & { paths(): Promise<string[]> }> {
  const { child, address } = await startFixture(node, 'sign-in-server.mjs');
  const paths = async () => {
    const response = await fetch(new URL('/headers', address));
    return ((await response.json()) as { path: string }[]).map(({ path }) => path.split('?', 1)[0] ?? '');
  };
  return { address, paths, stop: () => ended(child) };
}

/** A port nobody listens on now. */
export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}

async function startFixture(node: string, name: string): Promise<{ child: ChildProcess; address: string }> {
  const child = spawn(node, [join(root, 'test/fixtures/peers', name)]);
  const [, address = ''] = await saying(child, /LISTENING (\S+)/);
  return { child, address };
}

function saying(child: ChildProcess, wanted: RegExp): Promise<RegExpExecArray> {
  return new Promise((done, fail) => {
    let said = '';
    const listen = (chunk: Buffer): void => {
      said += chunk.toString('utf8');
      const found = wanted.exec(said);
      if (found) done(found);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`The peer ended with ${code} before it was ready: ${said}`)));
  });
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((done) => {
    child.once('exit', () => done());
    child.kill('SIGKILL');
  });
}
