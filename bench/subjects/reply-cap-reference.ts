// The least that stops in time: reads until the cap and lets go.
import { spawn } from 'node:child_process';
import { Readable, type Writable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Agent, request } from 'undici';
import type { Where } from './app-server';
import { watchCall } from './watch-call';

const CAP_BYTES = 2 * 1024 * 1024;
const LINE_FEED = 10;
const { where, args } = JSON.parse(process.argv[2] ?? '') as { where: Where; args: object };
const callLine = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'tool', arguments: args } });

const { value, ...cost } = await watchCall(await (where.kind === 'http' ? overHttp(where.url) : overStdio(where.args)));
console.log(JSON.stringify({ ...cost, outcome: value }));
process.exit();

async function overHttp(url: string): Promise<() => Promise<string>> {
  const dispatcher = new Agent();
  const headers = { 'content-type': 'application/json', accept: 'application/json', 'accept-encoding': 'gzip' };
  const post = (body: string): ReturnType<typeof request> => request(url, { method: 'POST', headers, body, dispatcher });
  // The connection stands before the clock runs, as it does for the others.
  await (await post(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' }))).body.dump();
  return async () => {
    const answer = await post(callLine);
    const body: Readable = answer.headers['content-encoding'] === 'gzip' ? answer.body.pipe(createGunzip()) : answer.body;
    const outcome = await readToCap(body);
    // Whoever lets go sees the stream end in the middle.
    answer.body.on('error', () => undefined).destroy();
    return outcome;
  };
}

async function overStdio(programArgs: string[]): Promise<() => Promise<string>> {
  const program = spawn(process.execPath, programArgs, { stdio: ['pipe', 'pipe', 'inherit'] });
  await askLine(program.stdin, program.stdout, JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' }));
  return async () => {
    program.stdin.write(`${callLine}\n`);
    const outcome = await readToCap(program.stdout);
    program.kill('SIGKILL');
    return outcome;
  };
}

function askLine(input: Writable, output: Readable, line: string): Promise<void> {
  input.write(`${line}\n`);
  return new Promise((resolve) => {
    output.once('data', () => resolve());
  });
}

function readToCap(stream: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > CAP_BYTES) {
        stream.destroy();
        resolve('too-large');
      } else if (chunk.at(-1) === LINE_FEED) resolve('accepted');
    });
    stream.once('end', () => resolve('accepted'));
    stream.once('error', reject);
  });
}
