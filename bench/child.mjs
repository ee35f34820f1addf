import { fork, spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../scripts/steps.mjs';

/** Runs a script in a Node of its own and gives the JSON it prints last, or null when it outlasts the limit. */
export function runForJson(script, input, { limitMs = 120_000, nodeArgs = [] } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...nodeArgs, script, JSON.stringify(input)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    let outlasted = false;
    const limit = setTimeout(() => {
      outlasted = true;
      child.kill('SIGKILL');
    }, limitMs);
    child.stdout.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      if (outlasted) return resolve(null);
      if (code !== 0) return reject(new Error(`${script} ended with ${signal ?? code}.`));
      resolve(JSON.parse(output.trim().split('\n').at(-1)));
    });
  });
}

/** Starts one of bench/servers that listens, and waits for its address. */
export async function startServer(file, args = []) {
  const child = fork(join(root, 'bench/servers', file), args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = new Promise((_, reject) => child.once('exit', () => reject(new Error(`${file} ended.`))));
  ended.catch(() => undefined);
  const next = () => Promise.race([new Promise((resolve) => child.once('message', resolve)), ended]);
  const { url } = await next();
  return {
    url,
    /** Bytes that left the server's sockets since it was last asked. */
    async sentBytes() {
      const answer = next();
      child.send('sent');
      return (await answer).sent;
    },
    stop: () => child.kill(),
  };
}
