import { randomBytes } from 'node:crypto';
import type { Clock } from '../../src-shared/base/clock';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { COMMAND_LINE_ROUTE_ID, buildRouteTable } from '../../src-shared/egress/route-table';
import type { McpTestReport, TestedTool } from '../../src-shared/local-rpc/mcp-test-report.schema';
import { ServerIdSchema, type ServerConfig } from '../../src-shared/servers/server.schema';
import { checkArguments } from '../../src-shared/tools/argument-check';
import { definitionDigest } from '../../src-shared/tools/definition-digest';
import { quoteServer } from '../../src-shared/tools/failure-text';
import { treatResult } from '../../src-shared/tools/output-treatment';
import { resolveFolded } from '../../src-shared/tools/publish-name-rule';
import { planRegistry, type PlannedTool } from '../../src-shared/tools/registry-plan';
import { readResultParts } from '../../src-shared/tools/result-parts';
import { stripInvisible } from '../../src-shared/tools/strip-invisible';
import type { ToolDefinition } from '../../src-shared/tools/tool.schema';
import { EgressDoor } from '../egress/egress-door';
import type { Ledger } from '../egress/ledger';
import { digestIfWritable } from '../processes/file-digest';
import { findProgram } from '../processes/find-program';
import { maskSecrets } from '../secrets/mask-secrets';
import { exactStructuredText } from '../sessions/exact-messages';
import { planLaunch, type FrozenLaunch } from '../sessions/launch-plan';
import { openSession, type McpSession, type ToolListAnswer } from '../sessions/mcp-session';
import { ServerLog } from '../sessions/server-log';
import { createLink } from '../sessions/session-pool-link';
import type { SessionProblem } from '../sessions/session-problem';
import { failedOutcome } from '../tools/tool-outcome';
import { announce } from './mcp-test-words';
import type { McpTestPlan } from './mcp-test-options';

/** Stands for the server in every text, and is the namespace of its tools. */
const NAME = 'test';

export interface McpTestParts {
  clock: Clock;
  home: string;
  hostEnv: Readonly<Record<string, string | undefined>>;
  openLedger(): Ledger;
  /** Told before anything starts or is contacted (T1). */
  announce(line: string): void;
  signal: AbortSignal;
}

/** Tries one server in the app's own way: starts or contacts it, lists its tools, makes the one call asked for, and ends it. */
export async function runMcpTest(plan: McpTestPlan, parts: McpTestParts): Promise<McpTestReport> {
  const startedAt = parts.clock.now();
  const mask = (text: string): string => maskSecrets(text, plan.secrets);
  const report: McpTestReport = { connected: false, era: null, tools: [], result: null, problem: null, log: [], ms: 0 };
  const config: ServerConfig = {
    id: ServerIdSchema.parse(NAME),
    name: NAME,
    namespace: NAME,
    connection: plan.connection,
    enabled: true,
    source: { kind: 'you' },
    addedAt: startedAt,
    limits: plan.limits,
  };
  const launch = await planLaunch(config, {
    findProgram,
    digestIfWritable,
    readSecret: () => failed('missing'),
    hostEnv: parts.hostEnv,
    home: parts.home,
    key: randomBytes(32),
  });
  if (launch.ok) {
    parts.announce(announce(launch.value.plan));
    report.problem = await tryServer({ config, launch: launch.value, plan, parts, mask, report });
  } else report.problem = launch.problem;
  report.ms = parts.clock.now() - startedAt;
  return report;
}

interface Trial {
  config: ServerConfig;
  launch: FrozenLaunch;
  plan: McpTestPlan;
  parts: McpTestParts;
  mask(text: string): string;
  report: McpTestReport;
}

/** Fills the report, and says what went wrong, if anything did. When it returns, nothing of the server runs. */
async function tryServer(trial: Trial): Promise<string | null> {
  const { config, launch, plan, parts, report } = trial;
  const { clock, signal } = parts;
  let ledger: Ledger;
  try {
    ledger = parts.openLedger();
  } catch {
    return 'The record of what is sent could not be opened, so nothing was started. Choose another place with --ledger-folder.';
  }
  const routes = buildRouteTable({
    models: [],
    servers: [],
    keychainState: 'absent',
    commandLineRun: { name: NAME, connection: config.connection },
  });
  const door = new EgressDoor({ routes: () => routes, ledger, clock });
  const closeEntry = launch.start.kind === 'stdio' ? recordRun(ledger, launch.start.program.realPath) : () => undefined;
  const newLog = (): ServerLog => new ServerLog({ now: () => clock.now(), mask: (text) => trial.mask(text) });
  let log = newLog();
  const ending: Promise<void>[] = [];
  let session: McpSession | undefined;
  try {
    const opened = await openSession({
      serverName: NAME,
      limits: config.limits,
      clock,
      signal,
      onEnding: (ended) => void ending.push(ended),
      wire: plan.wire,
      link: async (way) => {
        log = newLog();
        return ok(
          createLink({
            serverName: NAME,
            routeId: COMMAND_LINE_ROUTE_ID,
            launch,
            way,
            maxReplyBytes: config.limits.maxReplyBytes,
            door,
            clock,
            log,
          }),
        );
      },
    });
    if (!opened.ok) return inWords(opened.problem, trial);
    session = opened.value;
    report.connected = true;
    report.era = session.era;
    const listed = await session.listTools(signal);
    if (!listed.ok) return inWords(listed.problem, trial);
    const tools = planTools(config, listed.value);
    report.tools = tools.map(shown);
    return plan.call === null ? null : await makeCall(trial, session, tools, plan.call);
  } finally {
    await Promise.all([session?.close(), ...ending]);
    report.log = log.lines().map((line) => line.text);
    closeEntry();
    await door.close();
    ledger.close();
  }
}

async function makeCall(
  trial: Trial,
  session: McpSession,
  tools: PlannedTool[],
  call: { tool: string; argumentsText: string },
): Promise<string | null> {
  const found = findTool(tools, call.tool);
  if (!found.ok) return found.problem;
  const given = checkArguments(found.value.inputSchema, call.argumentsText);
  if (!given.ok) return given.problem;
  const called = await session.callTool({
    definition: found.value,
    frozenText: given.value.frozenText,
    signal: trial.parts.signal,
  });
  const id = randomBytes(8).toString('hex');
  const frame = { server: NAME, tool: found.value.rawName };
  if (!called.ok) {
    const outcome = failedOutcome({ serverName: NAME, toolName: found.value.rawName }, called.problem, { id, mask: trial.mask });
    trial.report.result = { forModel: outcome.forModel, parts: outcome.parts, isError: true };
    return inWords(called.problem, trial);
  }
  const { parts, isError } = readResultParts(called.raw, exactStructuredText(called.raw));
  const treated = treatResult(parts, { ...frame, id, failed: isError, mask: (text) => trial.mask(text) });
  trial.report.result = { forModel: treated.forModel, parts: treated.parts, isError };
  return null;
}

function planTools(config: ServerConfig, list: ToolListAnswer): PlannedTool[] {
  const entries = list.tools.map((definition) => ({ definition, digest: definitionDigest(definition) }));
  return planRegistry({
    servers: [{ id: config.id, name: config.name, namespace: config.namespace, on: true, down: false }],
    catalog: new Map([[config.id, { tools: entries, skipped: list.skipped }]]),
    choices: new Map([
      [config.id, new Map(entries.map(({ definition, digest }) => [definition.rawName, { digest, offered: true }]))],
    ]),
  }).tools;
}

function shown({ published, rawName, state, why }: PlannedTool): TestedTool {
  const name = stripInvisible(rawName).text;
  const tested = state === 'on' || state === 'refused' || state === 'skipped' ? state : 'off';
  return { published, name, state: tested, why };
}

/** A tool by its own name, its published name, or the plain folding of one (N2). */
function findTool(tools: readonly PlannedTool[], name: string): Result<ToolDefinition, string> {
  const on = tools.filter(({ state }) => state === 'on');
  const folded = resolveFolded(
    NAME,
    name,
    on.map(({ rawName }) => rawName),
  );
  const found =
    on.find(({ rawName }) => rawName === name) ??
    on.find(({ published }) => published === name) ??
    on.find(({ rawName }) => rawName === folded);
  if (found?.definition) return ok(found.definition);
  const off = tools.find(({ rawName, published }) => rawName === name || published === name);
  return failed(off ? `${name} is not offered. ${off.why}` : `The server lists no tool named ${name}.`);
}

function inWords({ kind, message, said }: SessionProblem, { mask }: Trial): string {
  // A sign-in takes a person, a browser and a place to keep tokens: there is none of them here (K1).
  if (kind === 'needs-sign-in')
    return `The server refuses access until someone signs in, which is done in the window of Portcullis. A key it gave you can be sent as a header instead.`;
  const words = said === undefined ? '' : quoteServer(mask(said));
  return words === '' ? message : `${message} It said: "${words}"`;
}

/** One line for the program that ran: what it does on its own is not seen. */
function recordRun(ledger: Ledger, realPath: string): () => void {
  const attempt = ledger.recordAttempt({ routeId: COMMAND_LINE_ROUTE_ID, host: realPath, method: 'RUN', conversation: null });
  return () => ledger.recordResult(attempt, { outcome: 'answered', status: null, bytesOut: 0, bytesIn: 0, address: null });
}
