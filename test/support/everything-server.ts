import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';

const file = resolve(import.meta.dirname, '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js');

/** The official server that uses every feature, on an address of its own; it ends with the test. */
export async function startEverything(how: 'streamableHttp' | 'sse'): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, [file, how], {
    env: { PATH: process.env['PATH'] ?? '', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise<void>((ready) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => /listening|running/i.test(chunk.toString('utf8')) && ready());
  });
  return `http://127.0.0.1:${port}/${how === 'sse' ? 'sse' : 'mcp'}`;
}

function freePort(): Promise<number> {
  return new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => found(port));
    });
  });
}
