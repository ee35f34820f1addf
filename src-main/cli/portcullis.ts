import { homedir } from 'node:os';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import type { Clock } from '../../src-shared/base/clock';
import { McpTestReportSchema, type McpTestReport } from '../../src-shared/local-rpc/mcp-test-report.schema';
import { openLedger, type Ledger } from '../egress/ledger';
import { MAX_CALL_MS } from '../sessions/mcp-session-call';
import { claimName, type NameClaim } from '../storage/name-claim';
import { runMcpTest } from './mcp-test';
import { planMcpTest, type McpTestPlan, type TypedOptions } from './mcp-test-options';
import { inReadableText } from './mcp-test-words';

/** What closing may take on top of the deadlines of a test. */
const SPARE_MS = 20_000;
const BAD_USAGE = 2;

const clock: Clock = {
  now: () => Date.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

const collect = (value: string, earlier: string[]): string[] => [...earlier, value];

function buildProgram(): Command {
  const program = new Command('portcullis').description('Portcullis from the command line').helpCommand(false);
  const mcp = program.command('mcp').description('work with MCP servers').helpCommand(false);
  mcp
    .command('test')
    .description('start or contact one MCP server, list its tools, and end it; nothing of it is saved')
    .option('--command <program>', 'the program to start')
    .option('--arg <value>', 'one argument of it; repeat for more', collect, [])
    .option('--env <NAME=VALUE>', 'one variable it is given; repeat for more', collect, [])
    .option('--cwd <folder>', 'the folder it runs in (default: this one)')
    .option('--url <address>', 'the address to contact')
    .option('--header <NAME=VALUE>', 'one header to send; repeat for more', collect, [])
    .option('--call <tool>', 'call this tool once')
    .option('--args <json>', 'the arguments of that call (default: {})')
    .option('--max-reply <size>', 'the largest reply, such as 8MiB (default: 2MiB)')
    .option('--start-timeout <time>', 'how long the program has to start, as milliseconds or such as 30s (default: 60s)')
    .option('--discovery-timeout <time>', 'how long the tool list has to come (default: 10s)')
    .option('--call-timeout <time>', 'how long a call has without progress (default: 20s)')
    .option('--transport <kind>', 'how the address is spoken to: auto, streamable-http or sse (default: auto)')
    .option('--era <era>', 'which protocol is spoken: auto, modern or legacy (default: auto)')
    .option('--ledger-folder <folder>', 'where the record of what was sent is kept')
    .option('--json', 'print one JSON document')
    .allowExcessArguments(false)
    .action(async (typed: TypedOptions) => {
      const plan = planMcpTest(typed, process.cwd());
      if (!plan.ok) return leaveBadUsage(plan.problem);
      await test(plan.value, typed);
    });
  for (const each of [program, mcp, ...mcp.commands]) {
    each.exitOverride().configureOutput({ outputError: () => undefined });
  }
  return program;
}

async function test(plan: McpTestPlan, typed: TypedOptions): Promise<void> {
  const stop = new AbortController();
  const { startTimeoutMs, discoveryTimeoutMs } = plan.limits;
  const total = startTimeoutMs + discoveryTimeoutMs + (plan.call === null ? 0 : MAX_CALL_MS) + SPARE_MS;
  let asked = 0;
  const interrupt = (): void => {
    asked += 1;
    stop.abort();
    // Asked twice, the wait for a polite end is over; the watchdog ends what is left.
    if (asked > 1) process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  clock.after(total, () => stop.abort());
  clock.after(total + SPARE_MS, () => leave(endedByForce(total), typed));

  const held: NameClaim[] = [];
  const openOwnLedger = (): Ledger => {
    const folder = typed.ledgerFolder ?? appFolder();
    // Two runs at once in one file would break each other's chain (P4).
    const claim = claimName(folder, 'command-line');
    held.push(claim);
    return openLedger({ folder, name: claim.name, key: null, clock });
  };
  const report = await runMcpTest(plan, {
    clock,
    home: homedir(),
    hostEnv: process.env,
    openLedger: openOwnLedger,
    announce: (text) => void process.stderr.write(text),
    signal: stop.signal,
  });
  for (const claim of held) claim.release();
  leave(report, typed);
}

/** Prints once, and ends once it is written: a pipe takes a long report in pieces. */
function leave(report: McpTestReport, { json }: TypedOptions): void {
  const text = json ? `${JSON.stringify(McpTestReportSchema.parse(report))}\n` : inReadableText(report);
  process.stdout.write(text, () => process.exit(report.connected && report.problem === null ? 0 : 1));
}

function leaveBadUsage(sentence: string): void {
  process.stderr.write(`${sentence}\n`, () => process.exit(BAD_USAGE));
}

function endedByForce(ms: number): McpTestReport {
  const problem = `The test did not end within ${Math.round(ms / 1000)} seconds and was ended.`;
  return { connected: false, era: null, tools: [], result: null, problem, log: [], ms };
}

/** Where the app keeps its own files, so that its Privacy tab and this command write side by side. */
function appFolder(): string {
  const home = homedir();
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'Portcullis');
  if (process.platform === 'win32') return join(process.env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Portcullis');
  return join(process.env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'Portcullis');
}

function sentenceOf(error: CommanderError): string {
  const words = error.message
    .replace(/^error:\s*/, '')
    .replace(/\s+/g, ' ')
    .trim();
  const sentence = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.?!)]$/.test(sentence) ? sentence : `${sentence}.`;
}

buildProgram()
  .parseAsync(process.argv)
  .catch((error: unknown) => {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    leaveBadUsage(error.code === 'commander.help' ? 'Name a command, such as portcullis mcp test --help.' : sentenceOf(error));
  });
