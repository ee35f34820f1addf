// Needs nothing but Node: these scripts run before node_modules exists.
import { spawn, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** Progress goes to stderr, so that stdout stays free for answers. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Ends the script with one sentence instead of a stack trace. */
export class Stop extends Error {}

/** Runs a script's main function and turns a Stop into a sentence and an exit code. */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    say(error instanceof Stop ? error.message : String(error?.stack ?? error));
    process.exitCode = 1;
  }
}

/** True when this file was started directly rather than imported. */
export function startedDirectly(moduleUrl) {
  return process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(moduleUrl);
}

/** Runs a program to its end with our own input and output, and gives its exit code. Signals sent to us are passed on. */
export function run(command, args, options = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', shell: needsShell(command), ...options });
    const passOn = (signal) => child.kill(signal);
    process.on('SIGINT', passOn);
    process.on('SIGTERM', passOn);
    const stopListening = () => {
      process.off('SIGINT', passOn);
      process.off('SIGTERM', passOn);
    };
    child.on('error', (error) => {
      stopListening();
      fail(new Stop(`${command} did not start: ${error.message}`));
    });
    child.on('exit', (code, signal) => {
      stopListening();
      done(code ?? 128 + (constants.signals[signal] ?? 1));
    });
  });
}

/** Runs a program to its end and keeps what it printed. */
export function capture(command, args, options = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: needsShell(command),
      ...options,
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => done({ code: 127, output: `${command} did not start: ${error.message}` }));
    child.on('close', (code) => done({ code: code ?? 1, output }));
  });
}

/** True when the program can be started from PATH. */
export function canRun(command, args = ['--version']) {
  return spawnSync(command, args, { stdio: 'ignore', shell: needsShell(command) }).error === undefined;
}

/** Seconds since `startedAt`, with one decimal. */
export function secondsSince(startedAt) {
  return ((performance.now() - startedAt) / 1000).toFixed(1);
}

export const isRoot = process.getuid?.() === 0;

// npm is a .cmd file on Windows, which only a shell can start.
function needsShell(command) {
  return process.platform === 'win32' && command === 'npm';
}
