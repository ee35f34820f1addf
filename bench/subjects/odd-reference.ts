// The least that reads the same answer: bounded pieces, one parse a message, a deadline.
import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { warmUpBy, type OddInput } from './odd-input';
import { watchCall } from './watch-call';

const CAP_BYTES = 2 * 1024 * 1024;
const { where, way, timeoutMs, warmUp } = JSON.parse(process.argv[2] ?? '') as OddInput;
const call = (how: string): string =>
  JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'tool_1', arguments: { way: how, text: 'done' } },
  });
const ask = way === 'tools' ? JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) : call(way);

const askFor = where.kind === 'http' ? overHttp(where.url) : overStdio(where.args);
await warmUpBy(warmUp, () => askFor(call('echo')));
const { value, ...cost } = await watchCall(() => askFor(ask));
console.log(JSON.stringify({ ...cost, outcome: value }));
await new Promise((resolve) => setTimeout(resolve, 1500));
process.exit();

function overHttp(url: string): (message: string) => Promise<string> {
  const dispatcher = new Agent();
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return async (message) => {
    const { body } = await request(url, { method: 'POST', headers, body: message, dispatcher });
    body.on('error', () => undefined);
    const outcome = await readAnswer(body);
    body.destroy();
    return outcome;
  };
}

function overStdio(args: string[]): (message: string) => Promise<string> {
  const program = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  return (message) => {
    program.stdin.write(`${message}\n`);
    return readAnswer(program.stdout);
  };
}

/** Lines of JSON, with or without the `data:` of an event stream before them, until one answers. */
function readAnswer(stream: Readable): Promise<string> {
  return new Promise((resolve) => {
    let rest = '';
    const deadline = setTimeout(() => resolve('timed-out'), timeoutMs);
    const settle = (outcome: string): void => {
      clearTimeout(deadline);
      stream.removeAllListeners('data');
      resolve(outcome);
    };
    const look = (line: string): void => {
      const text = line.startsWith('data: ') ? line.slice(6) : line;
      if (!text.startsWith('{')) return;
      const message = JSON.parse(text) as { id?: number };
      if (message.id === 1) settle('answered');
    };
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > CAP_BYTES) return settle('too-large');
      for (const line of lines) look(line);
    });
    stream.once('end', () => look(rest));
  });
}
