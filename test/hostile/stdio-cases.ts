import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { hostile } from '../support/hostile-host';
import { eventually, isRunning } from '../support/processes';
import { tempFolder } from '../support/temp-folder';
import { eachMode, oneCase, type HostileCase } from './hostile-case';

const MIB = 1024 * 1024;
const fixtures = resolve(import.meta.dirname, '../fixtures/hostile');
const TRICKY = ['a b', 'C:\\Program Files\\x', 'q"u', '%PATH%', '', "it's", '$HOME', 'ünï'];

/** Kind a: programs. */
export const stdioCases: HostileCase[] = [
  oneCase('B01', 'W5', 'noise between the messages is logged, escaped and passed over', async () => {
    const server = await hostile('B01');
    expect(await server.names()).toEqual(['echo']);
    expect(await server.callText('echo', { a: 1 })).toBe('{"a":1}');
    const log = server.log();
    for (const line of ['Example server v1.2.3 starting on stdio', 'null', '42', '"text"', '[]', 'DEBUG sending reply'])
      expect(log).toContain(line);
    expect(log.every((line) => !/\p{Cc}/u.test(line))).toBe(true);
  }),

  oneCase('B02', 'W5', 'line ends of Windows, blank lines and a mark of byte order are no messages and no noise', async () => {
    const server = await hostile('B02');
    expect(await server.names()).toEqual(['echo']);
    expect(await server.callText('echo', { a: 1 })).toBe('{"a":1}');
    expect(server.log()).toEqual([]);
  }),

  oneCase('B04', 'W5', 'messages are whole however their bytes arrive', async () => {
    const server = await hostile('B04');
    expect(await server.names()).toEqual(['echo']);
    expect(await server.callText()).toBe('日本語🙂ж');
    expect(server.log()).toContain('info: same write');
  }),

  oneCase('B05', 'W6', 'a program that dies in a call ends its calls at once and touches no other', async () => {
    const [server, other] = [await hostile('B05'), await hostile('B04')];
    await Promise.all([server.session(), other.session()]);
    const [first, second, untouched] = await Promise.all([server.call('echo'), server.call('echo'), other.call('echo')]);
    for (const { outcome, problem, ms } of [first, second]) {
      expect(ms).toBeLessThan(1000);
      // Once for each call that reached it before it died.
      expect(problem).toMatchObject({ kind: 'exited', said: expect.stringMatching(/^fatal: simulated crash/) });
      expect(outcome.forModel).toContain('Notes exited with code 3');
      expect(outcome.forModel).toContain('fatal: simulated crash');
    }
    expect(untouched.problem).toBeNull();
    expect(server.pool.statusOf(server.config.id)).toMatchObject({ kind: 'failed' });
    expect(other.pool.statusOf(other.config.id)).toMatchObject({ kind: 'connected' });
  }),

  ...eachMode('B05', ['whole'], 'W6', 'a last line that is whole but for its end is an answer', async (mode) => {
    const server = await hostile('B05', { mode });
    await server.session();
    const { ms, problem, outcome } = await server.call('echo');
    expect(ms).toBeLessThan(1000);
    expect([problem, outcome.forPerson]).toEqual([null, 'never finished']);
  }),

  oneCase('B06', 'W5', 'a program that hears nothing ends with all that it started', async () => {
    for (const end of ['stop', 'quit'] as const) {
      const pidFile = join(tempFolder(), 'pids');
      const server = await hostile('B06', { env: { PIDFILE: pidFile } });
      const session = await server.session();
      const [wrapper, inner] = readFileSync(pidFile, 'utf8').trim().split(' ').map(Number);
      expect([isRunning(wrapper!), isRunning(inner!)]).toEqual([true, true]);
      const startedAt = performance.now();
      if (end === 'stop') await server.pool.stop(server.config.id);
      else await server.pool.stopAll();
      await eventually(() => !isRunning(wrapper!) && !isRunning(inner!), 6000);
      expect(performance.now() - startedAt).toBeLessThan(6000);
      await session.close();
      await session.close();
      await server.pool.stopAll();
    }
  }),

  oneCase('B08', 'W5', 'a program has its own variables and the safe ones, and no key of this computer', async () => {
    const hostEnv = { OPENAI_API_KEY: 'sk-1', GITHUB_TOKEN: 'gh-1', SOME_SECRET: 's' };
    const server = await hostile('B08', { env: { EXTRA_KEY: 'k' }, hostEnv });
    expect(JSON.parse(await server.callText())).toEqual({ extra: 'k', leaked: [] });
    const bare = await hostile('B08', { hostEnv });
    expect(await bare.refusal()).toMatchObject({
      kind: 'exited',
      message: 'Notes exited with code 9 before it was ready.',
      said: 'missing environment: EXTRA_KEY',
    });
  }),

  oneCase('B09', 'W5', 'arguments arrive exactly as they were given', async () => {
    const server = await hostile('B09', { args: TRICKY });
    expect(JSON.parse(await server.callText())).toEqual(TRICKY);
    const folder = join(tempFolder(), 's p & (x)');
    mkdirSync(folder);
    for (const file of ['B09.mjs', '_lib.mjs']) copyFileSync(join(fixtures, file), join(folder, file));
    const command = join(folder, 'run it');
    writeFileSync(command, '#!/bin/sh\nexec node "$(dirname "$0")/B09.mjs" "$@"\n');
    chmodSync(command, 0o755);
    const odd = await hostile('B09', { command, args: TRICKY });
    expect(JSON.parse(await odd.callText())).toEqual(TRICKY);
  }),

  oneCase('B10', 'W7', 'a program that cannot be started is told by its own name, and why', async () => {
    const unstarted = tempFolder();
    writeFileSync(join(unstarted, 'B01.mjs'), '');
    chmodSync(join(unstarted, 'B01.mjs'), 0o644);
    const missing = await hostile('B01', { command: 'npx-not-installed', args: ['-y', 'x'], hostEnv: { PATH: '/usr/bin:/bin' } });
    const { message } = await missing.refusal();
    for (const word of ['npx-not-installed', '/usr/bin', '/bin']) expect(message).toContain(word);
    const unrunnable = await hostile('B01', { command: './B01.mjs', cwd: unstarted });
    expect((await unrunnable.refusal()).message).toContain('B01.mjs');
    const nowhere = await hostile('B01', { cwd: '/does/not/exist' });
    const told = await nowhere.refusal();
    expect(told.message).toContain('/does/not/exist');
    expect(told.message).not.toMatch(/node (was|is) not found/);
  }),

  oneCase(
    'B11',
    'W3',
    'a program that never answers is told with its words, and is gone; its start can be cancelled',
    async () => {
      const server = await hostile('B11', { limits: { startTimeoutMs: 1500 } });
      const other = await hostile('B01', {});
      const [refusal] = await Promise.all([server.refusal(), other.session()]);
      expect(refusal).toMatchObject({
        kind: 'timed-out',
        message: 'Notes did not finish starting within 1.5 seconds.',
        said: expect.stringContaining('cannot open database'),
      });
      await eventually(() => server.running().length === 0);
      const waiting = await hostile('B11');
      const startedAt = performance.now();
      const opening = waiting.open();
      await eventually(() => waiting.log().length > 0);
      expect(waiting.running()).toHaveLength(1);
      await waiting.pool.stop(waiting.config.id);
      expect(await opening).toMatchObject({ ok: false, problem: { kind: 'cancelled' } });
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      expect(waiting.running()).toEqual([]);
    },
  ),

  oneCase('B13', 'W2', 'a long line arrives whole in linear time under a raised cap, and is refused over the cap', async () => {
    const raised = { maxReplyBytes: 64 * MIB };
    const short = await hostile('B13', { limits: raised });
    await short.session();
    const eight = await short.call('echo');
    expect(textLength(eight.raw)).toBe(8 * MIB);
    expect(eight.ms).toBeLessThan(2000);
    const long = await hostile('B13', { limits: raised, env: { SIZE: String(48 * MIB) } });
    await long.session();
    const most = await long.call('echo');
    expect(textLength(most.raw)).toBe(48 * MIB);
    // Six times the size in about six times the time; the floor takes the noise of a busy machine out.
    expect(most.ms).toBeLessThan(6 * Math.max(eight.ms, 500) * 1.5);
    const capped = await hostile('B13');
    await capped.session();
    const { problem, outcome } = await capped.call('echo');
    expect(problem).toMatchObject({ kind: 'too-large' });
    expect(outcome.forModel).toContain('Notes sent a reply larger than its limit of 2 MiB, so it was cut off.');
  }),
];

function textLength(raw: unknown): number {
  return (raw as { content: { text: string }[] }).content[0]?.text.length ?? 0;
}
