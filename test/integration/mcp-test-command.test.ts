import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { McpTestReportSchema, type McpTestReport } from '../../src-shared/local-rpc/mcp-test-report.schema';
import { bundleForNode } from '../support/bundle-for-node';
import { startFixture } from '../support/scripted-server';
import { tempFolder } from '../support/temp-folder';

const fixture = (id: string): string => resolve(import.meta.dirname, `../fixtures/hostile/${id}.mjs`);

let folder: string;
let script: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portcullis-cli-'));
  script = await bundleForNode('src-main/cli/portcullis.ts', folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function run(args: string[], whileRunning?: (child: ReturnType<typeof spawn>) => void): Promise<Ended> {
  const home = tempFolder();
  const child = spawn(process.execPath, [script, ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: home, GITHUB_TOKEN: 'host-token' },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  whileRunning?.(child);
  return new Promise((done) => child.on('close', (code) => done({ code, stdout, stderr })));
}

async function runTest(
  args: string[],
  whileRunning?: Parameters<typeof run>[1],
): Promise<Ended & { report: McpTestReport; records: string }> {
  const ledger = tempFolder();
  const ended = await run(['mcp', 'test', '--json', '--ledger-folder', ledger, ...args], whileRunning);
  const records = readdirSync(ledger)
    .map((file) => readFileSync(join(ledger, file), 'utf8'))
    .join('');
  return { ...ended, report: McpTestReportSchema.parse(JSON.parse(ended.stdout)), records };
}

const processesOf = (marker: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(marker);
    } catch {
      return false;
    }
  });

test('O6, A5: a number beyond 2^53 reaches a program and comes back with all its digits', async () => {
  const program = resolve(import.meta.dirname, '../fixtures/programs/digits.mjs');
  const { report } = await runTest([
    '--command',
    'node',
    '--arg',
    program,
    '--call',
    'echo',
    '--args',
    '{"id": 9007199254740993}',
  ]);
  expect(report.result?.parts).toEqual([{ kind: 'structured', json: '{"got":9007199254740993}' }]);
});

describe('portcullis mcp test', () => {
  test('T1: says the literal command first, lists, calls, and prints one JSON document', async () => {
    const { code, stdout, stderr, report, records } = await runTest([
      '--command',
      'node',
      '--arg',
      fixture('B01'),
      '--arg',
      'a b\u202e',
      '--arg',
      '',
      '--call',
      'echo',
      '--args',
      '{"n":1}',
    ]);
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(report).toMatchObject({
      connected: true,
      era: 'legacy',
      problem: null,
      tools: [{ published: 'test__echo', name: 'echo', state: 'on', why: '' }],
    });
    expect(report.result).toMatchObject({ isError: false, parts: [{ kind: 'text', text: '{"n":1}' }] });
    expect(report.result!.forModel).toMatch(/^<tool_output /);
    expect(report.log.length).toBeGreaterThan(2);
    expect(stderr).toContain(`argument 1: ${fixture('B01')}\n  argument 2: a b\\u202e\n  argument 3: \n`);
    expect(records).toContain('command-line-run');
    expect(records).not.toContain('B01');
  });

  test('T1: says the address first, sends the header, and prints its value nowhere', async () => {
    const running = await startFixture('hostile/B26.mjs', { MODE: 'upper' });
    const { code, stdout, stderr, report, records } = await runTest([
      '--url',
      running.url,
      '--header',
      'Authorization=Bearer canary-4711',
      '--call',
      'test__echo',
    ]);
    expect([code, report.problem]).toEqual([0, null]);
    expect(stderr).toContain(`${running.url} with Authorization`);
    expect(
      (await running.stats()).every(
        (seen) => (seen as unknown as { authorization: string }).authorization === 'Bearer canary-4711',
      ),
    ).toBe(true);
    expect(stdout + stderr + records).not.toContain('canary-4711');
    expect(records).toContain('"method":"POST"');
  });

  test('K1: says that a server needs a sign-in, and where that is done; it begins none', async () => {
    const running = await startFixture('peers/sign-in-server.mjs');
    const { report, code } = await runTest(['--url', running.url]);
    expect(report.problem).toContain('until someone signs in, which is done in the window of Portcullis');
    expect(code).not.toBe(0);
    const seen = (await (await fetch(new URL('/headers', running.url))).json()) as { path: string }[];
    expect(new Set(seen.map(({ path }) => path))).toEqual(new Set(['/mcp', '/headers']));
  });

  test('S5: a program gets the variables given and none of this computer’s secrets', async () => {
    const { report } = await runTest(['--command', 'node', '--arg', fixture('B08'), '--env', 'EXTRA_KEY=k', '--call', 'echo']);
    expect(report.result!.parts).toEqual([{ kind: 'text', text: '{"extra":"k","leaked":[]}' }]);
  });

  const failures: [because: string, args: () => string[], problem: RegExp][] = [
    ['W7: no such program', () => ['--command', 'no-such-program-here'], /^No program named no-such-program-here was found/],
    ['E1: an address that only looks like this computer', () => ['--url', 'http://127.1:9/mcp'], /^Use an https address/],
    ['W6: nobody there', () => ['--url', 'http://127.0.0.1:9/mcp'], /^test did not answer/],
    [
      'W3: no answer in time',
      () => ['--command', 'node', '--arg', fixture('B11'), '--start-timeout', '0.5s'],
      /^test did not finish starting within 500 milliseconds/,
    ],
    [
      'W6: it dies in the call',
      () => ['--command', 'node', '--arg', fixture('B05'), '--call', 'echo'],
      /exited with code 3.*simulated crash/,
    ],
    [
      'N2: no such tool',
      () => ['--command', 'node', '--arg', fixture('B01'), '--call', 'nope'],
      /^The server lists no tool named nope\.$/,
    ],
    [
      'G2: arguments that are no object',
      () => ['--command', 'node', '--arg', fixture('B01'), '--call', 'echo', '--args', '[1]'],
      /must be a JSON object/,
    ],
    [
      'W2: a reply over the limit',
      () => ['--command', 'node', '--arg', fixture('B13'), '--call', 'echo', '--max-reply', '64KiB'],
      /larger than its limit of 64 KiB/,
    ],
  ];
  test.each(failures)('%s: ends with 1 and a sentence', async (_because, args, problem) => {
    const { code, report, stderr } = await runTest(args());
    expect(code).toBe(1);
    expect(report.problem).toMatch(problem);
    expect(stderr).not.toMatch(/Error|\bat .*:\d+/);
  });

  const misuse: [args: string[], sentence: string][] = [
    [['mcp', 'test'], 'Give either --command or --url.'],
    [['mcp', 'test', '--command', 'a', '--url', 'https://b.example'], 'Give either --command or --url.'],
    [['mcp', 'test', '--command', 'a', '--env', 'x'], 'Write --env as NAME=VALUE.'],
    [['mcp', 'test', '--command', 'a', '--header', 'a=b'], 'The option --header belongs to --url, not to --command.'],
    [
      ['mcp', 'test', '--command', 'a', '--max-reply', '65MiB'],
      'Write --max-reply as a size between 1KiB and 64MiB, such as 8MiB.',
    ],
    [
      ['mcp', 'test', '--command', 'a', '--call-timeout', '1e9'],
      'Write --call-timeout as milliseconds or as seconds such as 5s, between 100 milliseconds and 600s.',
    ],
    [['mcp', 'test', '--command', 'a', '--args', '{}'], 'Name the tool for --args with --call.'],
    [['mcp', 'test', '--command'], "Option '--command <program>' argument missing."],
    [['mcp', 'test', '--nope'], "Unknown option '--nope'."],
    [['mcp', 'nope'], "Unknown command 'nope'."],
  ];
  test.each(misuse)('%j is bad usage: one sentence, and 2', async (args, sentence) => {
    expect(await run(args)).toEqual({ code: 2, stdout: '', stderr: `${sentence}\n` });
  });

  test('P4: two tests at once keep a ledger each, and the next one goes on with the first', async () => {
    const ledger = tempFolder();
    const once = () =>
      run(['mcp', 'test', '--json', '--ledger-folder', ledger, '--command', 'node', '--arg', fixture('B01'), '--call', 'echo']);
    const ended = await Promise.all([once(), once(), once()]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    const files = () => readdirSync(ledger).sort();
    const all = ['', '-2', '-3'].flatMap((nth) => [`command-line${nth}-head.jsonl`, `command-line${nth}.jsonl`]).sort();
    expect(files()).toEqual(all);
    const lines = (name: string) => readFileSync(join(ledger, name), 'utf8').trim().split('\n');
    const kinds = (name: string) => lines(name).map((line) => /"kind":"([a-z]+)"/.exec(line)?.[1]);
    for (const nth of ['', '-2', '-3']) expect(kinds(`command-line${nth}.jsonl`)).toEqual(['start', 'attempt', 'result']);
    expect((await once()).code).toBe(0);
    expect(files()).toEqual(all);
    expect(lines('command-line.jsonl').join('\n')).not.toContain('"afterBreak":true');
    expect(kinds('command-line.jsonl')).toHaveLength(6);
  });

  test('W6: a program that exits at once is told with its code, its last words and its log', async () => {
    const script = join(tempFolder(), 'exits.mjs');
    writeFileSync(script, "console.error('Error: the folder q3 does not exist');\nprocess.exit(3);\n");
    const { code, report } = await runTest(['--command', 'node', '--arg', script]);
    expect(code).toBe(1);
    expect(report.problem).toBe('test exited with code 3 before it was ready. It said: "Error: the folder q3 does not exist"');
    expect(report.log).toEqual(['Error: the folder q3 does not exist']);
  });

  test('W5: ends everything when interrupted', async () => {
    const startedAt = Date.now();
    const { code, report } = await runTest(
      ['--command', 'node', '--arg', fixture('B11'), '--arg', 'interrupted-run'],
      (child) => {
        child.stderr!.once('data', () => setTimeout(() => child.kill('SIGINT'), 500));
      },
    );
    expect([code, report.problem]).toEqual([1, expect.stringContaining('cancelled')]);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    expect(processesOf('interrupted-run')).toEqual([]);
  });

  test('W5: leaves no process of a program that ignores every polite end', async () => {
    const { code } = await runTest(['--command', 'node', '--arg', fixture('B06'), '--arg', 'stubborn-run']);
    expect(code).toBe(0);
    expect(processesOf('stubborn-run')).toEqual([]);
    expect(processesOf('B06.mjs')).toEqual([]);
  });

  test('the command needs neither Electron nor a keychain', () => {
    const text = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.mjs') || file.endsWith('.js'))
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('\n');
    expect(text).not.toMatch(/(?:from|import|import\(|require\()\s*["'](?:electron|keytar|electron-store)["']/);
  });

  test('prints readable text without --json', async () => {
    const { code, stdout } = await run([
      'mcp',
      'test',
      '--ledger-folder',
      tempFolder(),
      '--command',
      'node',
      '--arg',
      fixture('B36'),
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('Connected (protocol with a session).\n16 tools:\n  test__good_first\n');
    expect(stdout).toContain('schema_null (not offered: Its input schema is missing or not an object.)');
  });
});
