import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { groupRuns, RUN_MARKER } from '../../../src-main/processes/process-group';
import { type Program, type ProgramStart, startProgram } from '../../../src-main/processes/program';
import { bundleForNode } from '../../support/bundle-for-node';
import { eventually, isRunning } from '../../support/processes';

const programs = join(import.meta.dirname, '../../fixtures/programs');
const hostile = join(import.meta.dirname, '../../fixtures/hostile');

async function setUp(script: string, more: Partial<ProgramStart> = {}) {
  const output = { stdout: '', stderr: '' };
  const started = await startProgram({
    realPath: process.execPath,
    args: [script],
    cwd: '/',
    env: { PATH: process.env.PATH ?? '' },
    onStdout: (chunk) => (output.stdout += chunk.toString()),
    onStderr: (chunk) => (output.stderr += chunk.toString()),
    ...more,
  });
  if (!started.ok) throw new Error(started.problem);
  const program: Program = started.value;
  onTestFinished(() => program.kill());
  return { program, output };
}

const timed = async (work: Promise<unknown>) => {
  const startedAt = performance.now();
  await work;
  return performance.now() - startedAt;
};

describe('starting', () => {
  test('W5: a program gets exactly the environment given and the run marker, nothing inherited', async () => {
    process.env.SOME_API_KEY = 'inherited';
    onTestFinished(() => void delete process.env.SOME_API_KEY);
    const { program, output } = await setUp(join(programs, 'facts.mjs'), { env: { ONE: '1', TWO: 'a b' } });
    await program.exited;
    const { env } = JSON.parse(output.stdout) as { env: Record<string, string> };
    expect(Object.keys(env).sort()).toEqual(['ONE', RUN_MARKER, 'TWO']);
    expect(env[RUN_MARKER]).toMatch(/^[0-9a-f]{32}$/);
  });

  test('W5: an entry cannot set the run marker', async () => {
    const { program, output } = await setUp(join(programs, 'facts.mjs'), { env: { [RUN_MARKER]: 'mine' } });
    await program.exited;
    expect(JSON.parse(output.stdout).env[RUN_MARKER]).not.toBe('mine');
  });

  test('W5: arguments arrive as they are, never through a shell', async () => {
    const args = ['a b', 'C:\\Program Files\\x', 'q"u', '%PATH%', '', "it's", '$HOME', 'ünï', '$(id)', '; id', '*'];
    const { program, output } = await setUp('', { args: [join(programs, 'facts.mjs'), ...args] });
    await program.exited;
    expect(JSON.parse(output.stdout).args).toEqual(args);
  });

  test('a program is told the name it was found under', async () => {
    const { program, output } = await setUp(join(programs, 'facts.mjs'), { calledAs: '/some/shim/node' });
    await program.exited;
    expect(JSON.parse(output.stdout).calledAs).toBe('/some/shim/node');
  });

  test('W5: a program is the first of a process group of its own', async () => {
    const { program } = await setUp(join(programs, 'echo.mjs'));
    expect(await groupRuns(program.pid)).toBe(true);
    expect(program.pid).not.toBe(process.pid);
  });

  const notStarted: [because: string, more: Partial<ProgramStart>, says: RegExp][] = [
    [
      'a missing folder is not a missing program',
      { cwd: '/does/not/exist' },
      /^The working folder \/does\/not\/exist does not exist/,
    ],
    ['a missing program is named', { realPath: '/does/not/exist' }, /^\/does\/not\/exist does not exist/],
    ['a file that cannot run is named', { realPath: join(programs, 'echo.mjs') }, /echo\.mjs is not marked as a program/],
    ['too much for the system is told', { args: ['x'.repeat(4_000_000)] }, /too long for this computer/],
    ['a NUL is refused', { args: ['a\0b'] }, /could not be started/],
  ];
  test.each(notStarted)('B10: %s', async (_because, more, says) => {
    const started = await startProgram({
      realPath: process.execPath,
      args: [],
      cwd: '/',
      env: {},
      onStdout: () => undefined,
      onStderr: () => undefined,
      ...more,
    });
    expect(started.ok ? 'started' : started.problem).toMatch(says);
  });

  test('the exit is told once, with its code, after the last output', async () => {
    const told: unknown[] = [];
    const { program, output } = await setUp(join(programs, 'facts.mjs'), {
      env: { CODE: '7' },
      onExit: (exit) => told.push(exit, output.stdout.length > 0),
    });
    expect(await program.exited).toEqual({ code: 7, signal: null });
    await program.stop();
    expect(told).toEqual([{ code: 7, signal: null }, true]);
  });
});

describe('writing', () => {
  test('bytes reach the program in order', async () => {
    const { program, output } = await setUp(join(programs, 'echo.mjs'));
    await Promise.all([program.write(Buffer.from('one\n')), program.write(Buffer.from('two\n'))]);
    await eventually(() => output.stdout === 'one\ntwo\n');
  });

  test('a megabyte passes through a full pipe', async () => {
    const { program, output } = await setUp(join(programs, 'echo.mjs'));
    await program.write(Buffer.alloc(1_000_000, 'x'));
    await eventually(() => output.stdout.length === 1_000_000);
  });

  test('writing to a program that has exited is refused', async () => {
    const { program } = await setUp(join(programs, 'facts.mjs'));
    await program.exited;
    await expect(program.write(Buffer.from('x'))).rejects.toThrow('no longer takes input');
  });

  test('a program that does not read holds a write only until its deadline', async () => {
    const { program } = await setUp(join(programs, 'never-reads.mjs'), { writeTimeoutMs: 100 });
    await expect(program.write(Buffer.alloc(4_000_000))).rejects.toThrow('does not read its input');
  });
});

describe('stopping', () => {
  test('W5: a server that exits when its input ends is stopped promptly', async () => {
    const { program } = await setUp(join(programs, 'echo.mjs'));
    expect(await timed(program.stop())).toBeLessThan(1_500);
    expect(await program.exited).toEqual({ code: 0, signal: null });
  });

  test('B06: a wrapper and its child that ignore EOF and TERM are both gone, and stopping twice is harmless', async () => {
    const { program, output } = await setUp(join(hostile, 'B06.mjs'));
    await eventually(() => output.stderr.includes('pids'));
    const pids = /pids (\d+) (\d+)/.exec(output.stderr)?.slice(1).map(Number) ?? [];
    expect(pids.map(isRunning)).toEqual([true, true]);
    const first = program.stop();
    expect(program.stop()).toBe(first);
    expect(await timed(first)).toBeLessThan(6_000);
    expect(pids.map(isRunning)).toEqual([false, false]);
    expect(output.stderr).toContain('ignored SIGTERM');
  }, 15_000);

  test('W5: kill ends a deaf group without waiting', async () => {
    const { program, output } = await setUp(join(hostile, 'B06.mjs'));
    await eventually(() => output.stderr.includes('pids'));
    expect(await timed(program.kill())).toBeLessThan(1_000);
    expect(await groupRuns(program.pid)).toBe(false);
  });

  test('kill cuts a stop short that is under way', async () => {
    const { program, output } = await setUp(join(hostile, 'B06.mjs'));
    await eventually(() => output.stderr.includes('pids'));
    const stopped = program.stop();
    void program.kill();
    expect(await timed(stopped)).toBeLessThan(1_000);
  });

  test('W5: a child that left the group is found by its marker and ended', async () => {
    const { program, output } = await setUp(join(programs, 'leaves-group.mjs'));
    await eventually(() => output.stdout.includes('\n'));
    const helper = Number(output.stdout);
    expect(isRunning(helper)).toBe(true);
    await program.stop();
    expect(isRunning(helper)).toBe(false);
  });

  test('W5: a wrapper that exits by itself leaves no child behind', async () => {
    const { program, output } = await setUp(join(programs, 'leaves-child.mjs'));
    await program.exited;
    const child = Number(output.stdout);
    expect(child).toBeGreaterThan(1);
    await eventually(() => !isRunning(child));
  });
});

describe('when the app dies', () => {
  const deaths: [how: string, end: (pid: number) => boolean][] = [
    ['SIGKILL of the app', (pid) => process.kill(pid, 'SIGKILL')],
    ['SIGKILL of the whole group of the app', (pid) => process.kill(-pid, 'SIGKILL')],
  ];
  test.each(deaths)(
    'W5: %s ends every program, deaf ones and helpers that left their group too',
    async (_how, end) => {
      const bundle = await bundleForNode(join(programs, 'owner.ts'));
      const scripts = [join(hostile, 'B06.mjs'), join(programs, 'leaves-group.mjs')];
      const owner = spawn(process.execPath, [bundle, ...scripts], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
      onTestFinished(() => void owner.kill('SIGKILL'));
      let said = '';
      owner.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
      await eventually(() => /pids \d+ \d+/.test(said) && /^\d+$/m.test(said) && said.split('started').length === 3);
      const pids = [...said.matchAll(/\d+/g)].map(([pid]) => Number(pid));
      expect(pids.map(isRunning)).not.toContain(false);

      end(owner.pid ?? 0);
      await eventually(() => !pids.some(isRunning), 6_000);
    },
    20_000,
  );
});
