import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Result } from '../../src-shared/base/result';
import type { McpSession } from '../../src-main/sessions/mcp-session';
import type { SessionProblem } from '../../src-main/sessions/session-problem';
import { openProgram } from '../support/program-session';
import { callOf } from '../support/scripted-server';

const fixtures = resolve(import.meta.dirname, '../fixtures');
const packages = resolve(import.meta.dirname, '../../node_modules');

const connected = (opened: Result<McpSession, SessionProblem>): McpSession => {
  if (!opened.ok) throw new Error(opened.problem.message);
  return opened.value;
};
const textOf = (raw: unknown): string => (raw as { content: { text: string }[] }).content[0]!.text;
const fixture = (id: string): string => resolve(fixtures, `hostile/${id}.mjs`);
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('a program', () => {
  test('W1: of the session era is started once', async () => {
    const { opened, starts } = await openProgram(resolve(packages, '@modelcontextprotocol/server-everything/dist/index.js'), {
      args: ['stdio'],
    });
    const session = connected(opened);
    expect([session.era, session.transportKind, starts()]).toEqual(['legacy', 'stdio', 1]);
    const listed = await session.listTools();
    expect(listed.ok && listed.value.tools).toHaveLength(13);
    const called = await session.callTool(callOf('get-sum', { a: 2, b: 40 }));
    expect(called.ok && textOf(called.raw)).toContain('42');
    expect(called.figures.bytesOut).toBeGreaterThan(50);
    expect(called.figures.bytesIn).toBeGreaterThan(50);
    const pid = session.pid!;
    await session.close();
    expect(isAlive(pid)).toBe(false);
  });

  test('W1: of the stateless era is started once', async () => {
    const { opened, starts } = await openProgram(resolve(fixtures, 'peers/modern-stdio.mjs'));
    const session = connected(opened);
    expect([session.era, starts()]).toEqual(['modern', 1]);
    const called = await session.callTool(callOf('echo', { text: 'ж' }));
    expect(called.ok && textOf(called.raw)).toBe('ж');
  });

  test('W1: that ends at the question about its era is started once more, in the old way', async () => {
    const { opened, starts } = await openProgram(resolve(fixtures, 'peers/exits-on-probe.mjs'));
    const { era, spoken } = connected(opened);
    expect([era, starts()]).toEqual(['legacy', 2]);
    // Once that is known, the next start needs no second program.
    const again = await openProgram(resolve(fixtures, 'peers/exits-on-probe.mjs'), { parts: { era: spoken } });
    expect([connected(again.opened).era, again.starts()]).toEqual(['legacy', 1]);
  });

  test('W6: that ends before it answers is told with its last words and code', async () => {
    const { opened } = await openProgram(resolve(fixtures, 'peers/exits-at-once.mjs'), { mode: '0' });
    expect(opened).toEqual({
      ok: false,
      problem: { kind: 'exited', message: 'Notes exited with code 0 before it was ready.', said: 'API_KEY is not set' },
    });
  });

  test('W6: that dies in a call ends the call within a second', async () => {
    const session = connected((await openProgram(fixture('B05'))).opened);
    const startedAt = Date.now();
    expect(await session.callTool(callOf('echo'))).toMatchObject({
      ok: false,
      problem: {
        kind: 'exited',
        message: expect.stringMatching(/^Notes exited with code 3 before it answered\./),
        said: 'fatal: simulated crash',
      },
    });
    expect(Date.now() - startedAt).toBeLessThan(1000);
  });

  test('W3: that never answers is told with what it said, and is gone', async () => {
    const { opened } = await openProgram(fixture('B11'), { limits: { startTimeoutMs: 1000 } });
    expect(opened).toMatchObject({
      ok: false,
      problem: {
        kind: 'timed-out',
        message: 'Notes did not finish starting within a second.',
        said: expect.stringContaining('cannot open database'),
      },
    });
  });

  test('W2: that sends a line over the cap is told so', async () => {
    const session = connected((await openProgram(fixture('B13'))).opened);
    expect(await session.callTool(callOf('echo'))).toMatchObject({ ok: false, problem: { kind: 'too-large' } });
  });

  test('W8: gets its answers before it lists its tools', async () => {
    const session = connected((await openProgram(fixture('B51'))).opened);
    expect((await session.listTools()).ok).toBe(true);
  });

  test('W3: is told of a cancelled call, and stays', async () => {
    const session = connected((await openProgram(fixture('B57'), { limits: { callTimeoutMs: 300 } })).opened);
    expect(await session.callTool(callOf('slow'))).toMatchObject({ ok: false, problem: { kind: 'timed-out' } });
    const log = await session.callTool(callOf('log'));
    expect(log.ok && textOf(log.raw)).toMatch(/^\[\d+\]$/);
  });

  test('W3: that reports progress may take longer than a call without', async () => {
    const session = connected((await openProgram(fixture('B53'), { limits: { callTimeoutMs: 1000 } })).opened);
    const seen: number[] = [];
    const called = await session.callTool({ ...callOf('echo'), onProgress: ({ progress }) => seen.push(progress) });
    expect(called.ok && textOf(called.raw)).toContain('present');
    expect(seen.length).toBeGreaterThan(5);
  });

  test('R3: that changes its list with every look is looked at about once a second', async () => {
    let told = 0;
    let again: () => void = () => undefined;
    const { opened } = await openProgram(fixture('B54'), { parts: { onToolsChanged: () => again() } });
    const session = connected(opened);
    again = () => {
      told += 1;
      void session.listTools();
    };
    await session.listTools();
    await new Promise((done) => setTimeout(done, 3500));
    expect(told).toBeGreaterThanOrEqual(2);
    expect(told).toBeLessThanOrEqual(4);
  });
});
