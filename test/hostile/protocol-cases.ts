import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { hostile } from '../support/hostile-host';
import { eventually, isRunning } from '../support/processes';
import { tempFolder } from '../support/temp-folder';
import { eachMode, oneCase, type HostileCase } from './hostile-case';

const rest = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Kind e: the conversation itself. */
export const protocolCases: HostileCase[] = [
  oneCase('B51', 'W8', 'what a server asks is answered at once, under its own number, whatever that is', async () => {
    const server = await hostile('B51');
    const { offered } = await server.tools();
    expect(offered.map(({ rawName }) => rawName)).toEqual(['after_replies']);
    expect(JSON.parse(offered[0]!.definition.description)).toEqual({
      'srv-ping': 'result',
      '0': 'error -32601',
      '901': 'error -32601',
      'srv-x': 'error -32601',
      '(empty)': 'result',
    });
  }),

  oneCase('B53', 'W3', 'progress keeps a call alive beyond its deadline, and is told', async () => {
    const server = await hostile('B53', { limits: { callTimeoutMs: 1000 } });
    await server.session();
    const seen: number[] = [];
    const { outcome, ms } = await server.call('echo', {}, { onProgress: ({ progress }) => seen.push(progress) });
    expect(outcome.forModel).toContain('slow result, token present');
    expect(ms).toBeGreaterThan(2500);
    expect(seen.length).toBeGreaterThan(5);
    const silent = await hostile('B57', { limits: { callTimeoutMs: 1000 } });
    await silent.session();
    const still = await silent.call('slow');
    expect(still.problem).toMatchObject({ kind: 'timed-out' });
    expect(still.ms).toBeLessThan(2000);
    await expect.poll(() => silent.log().some((line) => /^CANCELLED \d+$/.test(line))).toBe(true);
  }),

  ...eachMode('B53', ['forever'], 'W3', 'a call without an end is ended by the user, and its server is told', async (mode) => {
    const server = await hostile('B53', { mode, limits: { callTimeoutMs: 1000 } });
    await server.session();
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 2500);
    const { problem, ms } = await server.call('echo', {}, { signal: stop.signal, onProgress: () => undefined });
    expect(problem).toMatchObject({ kind: 'cancelled' });
    expect(ms).toBeGreaterThan(2000);
    expect(ms).toBeLessThan(3500);
    expect((await server.open()).ok).toBe(true);
  }),

  oneCase('B54', 'R3', 'a storm of changes is looked at about once a second, and the last one is not lost', async () => {
    const server = await hostile('B54');
    const session = await server.session();
    let looks = 0;
    const following = setInterval(() => {
      if (server.changes > looks) {
        looks = server.changes;
        void session.listTools();
      }
    }, 20);
    await session.listTools();
    await rest(5000);
    await server.call('same');
    await rest(5000);
    clearInterval(following);
    const lists = server.log().filter((line) => line.startsWith('tools/list')).length;
    expect(lists).toBeGreaterThanOrEqual(3);
    expect(lists).toBeLessThanOrEqual(13);
  }),

  ...eachMode('B56', ['old'], 'W1', 'the oldest version we know is spoken', async (mode) => {
    const server = await hostile('B56', { mode });
    expect(await server.names()).toEqual(['echo']);
    expect((await server.session()).protocolVersion).toBe('2024-11-05');
  }),

  ...eachMode('B56', ['error'], 'W1', 'a refusal that names a version is followed by that version', async (mode) => {
    const heard = join(tempFolder(), 'heard');
    const fixture = resolve(import.meta.dirname, '../fixtures/hostile/B56.mjs');
    const args = ['-c', 'tee "$0" | node "$1"', heard, fixture];
    const server = await hostile('B56', { mode, command: 'sh', args });
    // The fixture refuses the version it names as well.
    const { kind, message } = await server.refusal();
    expect([kind, message]).toEqual(['server-error', expect.stringMatching(/^Notes /)]);
    const versions = [...readFileSync(heard, 'utf8').matchAll(/"protocolVersion":"([\d-]+)"/g)].map((match) => match[1]);
    expect(versions.at(-1)).toBe('2024-11-05');
    expect(versions.length).toBeLessThanOrEqual(3);
  }),

  ...eachMode(
    'B56',
    ['ancient', 'future', 'number'],
    'W1',
    'a version nobody knows ends the connection and is named',
    async (mode) => {
      const server = await hostile('B56', { mode });
      const { kind, message, said } = await server.refusal();
      expect(kind).toBe('server-error');
      expect(`${message} ${said ?? ''}`).toContain({ ancient: '1999-01-01', future: '2099-01-01', number: '20251125' }[mode]);
      await eventually(() => server.running().length === 0);
    },
  ),

  ...eachMode(
    'B56',
    ['missing', 'empty'],
    'W1',
    'an answer without a version is refused, and the program is gone',
    async (mode) => {
      const server = await hostile('B56', { mode });
      const { kind, message } = await server.refusal();
      expect([kind, message]).toEqual(['server-error', expect.stringMatching(/^Notes /)]);
      await eventually(() => server.running().length === 0);
    },
  ),

  oneCase('B57', 'W3', 'a stopped call is over at once, its server is told, and its late answer is nobody’s', async () => {
    const server = await hostile('B57');
    const session = await server.session();
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 300);
    const { problem, ms } = await server.call('slow', {}, { signal: stop.signal });
    expect(problem).toMatchObject({ kind: 'cancelled' });
    expect(ms).toBeLessThan(1000);
    await rest(600);
    expect(await server.callText('log')).toMatch(/^\[\d+\]$/);
    expect(await server.session()).toBe(session);
    expect(isRunning(session.pid!)).toBe(true);
    const heard = join(tempFolder(), 'heard');
    const silent = resolve(import.meta.dirname, '../fixtures/hostile/B11.mjs');
    const args = ['-c', 'tee "$0" | node "$1"', heard, silent];
    const unanswered = await hostile('B11', { command: 'sh', args, limits: { startTimeoutMs: 1000 } });
    expect(await unanswered.refusal()).toMatchObject({ kind: 'timed-out' });
    expect(readFileSync(heard, 'utf8')).toContain('"method":"initialize"');
    expect(readFileSync(heard, 'utf8')).not.toContain('notifications/cancelled');
  }),
];
