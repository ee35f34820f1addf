import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { Watchdog, WATCHDOG_SCRIPT } from '../../../src-main/processes/watchdog';
import { eventually, isRunning } from '../../support/processes';

function sleeper(): number {
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child.pid ?? 0;
}

test('the watchdog runs only while programs run', async () => {
  const watchdog = new Watchdog();
  expect(watchdog.pid).toBeNull();
  watchdog.watch('a'.repeat(32));
  const pid = watchdog.pid ?? 0;
  expect(isRunning(pid)).toBe(true);
  watchdog.watch('b'.repeat(32), 999_999_999);
  expect(watchdog.pid).toBe(pid);
  watchdog.drop('a'.repeat(32));
  expect(watchdog.pid).toBe(pid);
  watchdog.drop('b'.repeat(32));
  expect(watchdog.pid).toBeNull();
  await eventually(() => !isRunning(pid));
});

test('a program let go of is not ended with the others', async () => {
  const [kept, dropped] = [sleeper(), sleeper()];
  const shell = spawn('/bin/sh', ['-c', WATCHDOG_SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'] });
  shell.stdin.write(
    `add ${'c'.repeat(32)} 0\nadd ${'c'.repeat(32)} ${kept}\nadd ${'d'.repeat(32)} ${dropped}\ndrop ${'d'.repeat(32)}\n`,
  );
  shell.stdin.end();
  await eventually(() => !isRunning(kept));
  await eventually(() => shell.exitCode === 0);
  expect(isRunning(dropped)).toBe(true);
});

test('a watchdog that somebody ended is started again while programs run', async () => {
  const watchdog = new Watchdog();
  watchdog.watch('e'.repeat(32));
  onTestFinished(() => watchdog.drop('e'.repeat(32)));
  const first = watchdog.pid ?? 0;
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  process.kill(first, 'SIGKILL');
  await eventually(() => watchdog.pid !== null && watchdog.pid !== first);
});
