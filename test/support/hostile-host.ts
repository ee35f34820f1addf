import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { buildRouteTable, routeIdForServer } from '../../src-shared/egress/route-table';
import { DEFAULT_LIMITS, ServerConfigSchema, type ServerConfig, type ServerLimits } from '../../src-shared/servers/server.schema';
import { checkArguments } from '../../src-shared/tools/argument-check';
import { definitionDigest } from '../../src-shared/tools/definition-digest';
import { planRegistry, type OfferedTool } from '../../src-shared/tools/registry-plan';
import type { SkippedTool } from '../../src-shared/tools/tool-list-rule';
import type { ToolOutcome } from '../../src-shared/tools/tool.schema';
import { systemClock } from '../../src-main/app/system-clock';
import { EgressDoor } from '../../src-main/egress/egress-door';
import { openLedger, type Ledger } from '../../src-main/egress/ledger';
import { digestIfWritable } from '../../src-main/processes/file-digest';
import { findProgram } from '../../src-main/processes/find-program';
import { EraMemory } from '../../src-main/sessions/era-memory';
import { planLaunch } from '../../src-main/sessions/launch-plan';
import type { CallAsk, McpSession, ToolListAnswer } from '../../src-main/sessions/mcp-session';
import { SessionPool } from '../../src-main/sessions/session-pool';
import type { SessionProblem } from '../../src-main/sessions/session-problem';
import { failedOutcome, treatedOutcome } from '../../src-main/tools/tool-outcome';
import { isOverHttp, listening, programFile, seenAt, type SeenRequest } from './hostile-fixture';
import { programsAtHome } from './processes';
import { tempFolder } from './temp-folder';

// A first session loads these; the second that a refusal has is not meant for that.
await Promise.all([import('@modelcontextprotocol/client'), import('@modelcontextprotocol/client/validators/cf-worker')]);

export interface HostileChoices {
  mode?: string;
  env?: Record<string, string>;
  args?: readonly string[];
  limits?: Partial<ServerLimits>;
  headers?: readonly (readonly [name: string, value: string])[];
  /** What this computer's environment holds beside the path and the home folder. */
  hostEnv?: Record<string, string>;
  /** Another program than Node with the fixture. */
  command?: string;
  cwd?: string;
}

export interface HostileCall {
  outcome: ToolOutcome;
  /** What came back, untreated; undefined when nothing did. */
  raw: unknown;
  problem: SessionProblem | null;
  /** From the moment it was asked for. */
  ms: number;
}

export interface HostileList {
  offered: OfferedTool[];
  skipped: readonly SkippedTool[];
  instructions: string | null;
}

interface HostileParts {
  pool: SessionPool;
  config: ServerConfig;
  door: EgressDoor;
  ledger: Ledger;
  lines: readonly string[];
  /** The home folder of this server alone. */
  home: string;
  changes(): number;
}

/** One hostile server behind the app's own pool, door, registry plan and treatment; everything ends with the test. */
export class HostileServer {
  readonly #parts: HostileParts;
  #offered: OfferedTool[] = [];

  constructor(parts: HostileParts) {
    this.#parts = parts;
  }

  get pool(): SessionPool {
    return this.#parts.pool;
  }

  get config(): ServerConfig {
    return this.#parts.config;
  }

  /** What the fixture printed beside its address. */
  get lines(): readonly string[] {
    return this.#parts.lines;
  }

  /** Host and port where it listens. */
  get at(): string {
    const { connection } = this.config;
    return connection.kind === 'http' ? new URL(connection.endpoint).host : '';
  }

  open(signal?: AbortSignal): Promise<Result<McpSession, SessionProblem>> {
    return this.pool.use(this.config.id, signal);
  }

  async session(): Promise<McpSession> {
    const opened = await this.open();
    if (!opened.ok) throw new Error(`${opened.problem.message} ${opened.problem.said ?? ''}`);
    return opened.value;
  }

  /** What keeps it from being used; throws when nothing does. */
  async refusal(): Promise<SessionProblem> {
    const opened = await this.open();
    if (opened.ok) throw new Error('It connected.');
    return opened.problem;
  }

  /** Lists, plans and offers as if a person had reviewed and ticked every tool. */
  async tools(): Promise<HostileList> {
    const listed = await (await this.session()).listTools();
    if (!listed.ok) throw new Error(`${listed.problem.message} ${listed.problem.said ?? ''}`);
    this.#offered = planned(this.config, listed.value);
    return { offered: this.#offered, skipped: listed.value.skipped, instructions: listed.value.instructions };
  }

  async names(): Promise<string[]> {
    return (await this.tools()).offered.map(({ rawName }) => rawName);
  }

  /** One call, from checked arguments to treated outcome; a tool that was not listed is taken at its name. */
  async call(
    rawName: string,
    input: unknown = {},
    more: Partial<Pick<CallAsk, 'signal' | 'onProgress' | 'onQuestion'>> & { destructive?: boolean } = {},
  ): Promise<HostileCall> {
    const { destructive, ...asked } = more;
    const startedAt = performance.now();
    const listed = this.#offered.find((tool) => tool.rawName === rawName)?.definition;
    const known = listed ?? { rawName, inputSchema: { type: 'object' }, claims: {} };
    const definition = destructive === undefined ? known : { ...known, claims: { destructive } };
    const context = { serverName: this.config.name, toolName: rawName };
    const treatment = { id: '0123456789abcdef', mask: (text: string) => text };
    const failure = (problem: SessionProblem): HostileCall => ({
      outcome: failedOutcome(context, problem, treatment),
      raw: undefined,
      problem,
      ms: performance.now() - startedAt,
    });
    const checked = checkArguments(definition.inputSchema, input);
    if (!checked.ok) throw new Error(checked.problem);
    const opened = await this.open();
    if (!opened.ok) return failure(opened.problem);
    const called = await opened.value.callTool({ definition, frozenText: checked.value.frozenText, ...asked });
    if (!called.ok) return failure(called.problem);
    const outcome = treatedOutcome(context, called.raw, treatment, () => 'kept-1');
    return { outcome, raw: called.raw, problem: null, ms: performance.now() - startedAt };
  }

  /** The words of the first part. */
  async callText(rawName = 'echo', input: unknown = {}): Promise<string> {
    const { raw, problem } = await this.call(rawName, input);
    if (problem) throw new Error(`${problem.message} ${problem.said ?? ''}`);
    return (raw as { content: { text: string }[] }).content[0]!.text;
  }

  log(): string[] {
    return this.pool.logOf(this.config.id).map(({ text }) => text);
  }

  /** Every host and port the ledger names, newest first. */
  hosts(): string[] {
    return this.#parts.ledger.rows(500).map(({ host }) => host);
  }

  /** How often the server's word that its tools changed was passed on. */
  get changes(): number {
    return this.#parts.changes();
  }

  stats(): Promise<SeenRequest[]> {
    return seenAt(`http://${this.at}`);
  }

  /** How often a method was asked for. */
  async count(rpc: string): Promise<number> {
    return (await this.stats()).filter((seen) => seen.rpc === rpc).length;
  }

  /** What runs of it now: a program is known again by its home folder. */
  running(): number[] {
    return programsAtHome(this.#parts.home);
  }

  /** Ends it, and fails when anything of it is left (W5). */
  async close(): Promise<void> {
    await this.pool.stopAll();
    const left = this.running();
    if (left.length > 0) throw new Error(`Left running: ${left.join(', ')}`);
    await this.#parts.door.close();
    this.#parts.ledger.close();
  }
}

/** Starts an HTTP fixture, or makes a program fixture ready to be started by the app. */
export async function hostile(id: string, choices: HostileChoices = {}): Promise<HostileServer> {
  const running = isOverHttp(id) ? await listening(id, choices) : null;
  const connection = running ? addressOf(running.url, choices) : programOf(programFile(id), choices);
  const home = tempFolder();
  const config = ServerConfigSchema.parse({
    id: `hostile-${id.toLowerCase()}`,
    name: 'Notes',
    namespace: 'notes',
    connection,
    enabled: true,
    limits: { ...DEFAULT_LIMITS, ...choices.limits },
  });
  const routes = buildRouteTable({
    models: [],
    servers: [{ id: config.id, name: config.name, connection: config.connection, on: true }],
    keychainState: 'absent',
  });
  const ledger = openLedger({ folder: tempFolder(), key: null, clock: systemClock });
  const door = new EgressDoor({ routes: () => routes, ledger, clock: systemClock });
  let changes = 0;
  const pool = new SessionPool({
    clock: systemClock,
    gate: {
      async admit() {
        const launch = await planLaunch(config, {
          findProgram,
          digestIfWritable,
          readSecret: () => failed('missing'),
          hostEnv: { PATH: process.env['PATH'], HOME: home, ...choices.hostEnv },
          home,
          key: createHash('sha256').update(id).digest(),
        });
        if (!launch.ok) return failed({ kind: 'refused', message: `${config.name} was not started. ${launch.problem}` });
        return ok({ config, launch: launch.value });
      },
    },
    door,
    eras: new EraMemory(),
    configOf: (asked) => (asked === config.id ? config : null),
    routeIdOf: routeIdForServer,
    mask: (text) => text,
    onToolsChanged: () => (changes += 1),
  });
  pool.reconcile(new Map([[config.id, 'on']]));
  const server = new HostileServer({ pool, config, door, ledger, home, lines: running?.lines ?? [], changes: () => changes });
  onTestFinished(() => server.close());
  return server;
}

const literal = (value: string) => ({ kind: 'literal', value });

function programOf(file: string, { mode = '', env = {}, args = [], command, cwd }: HostileChoices): object {
  const all = mode === '' ? env : { MODE: mode, ...env };
  return {
    kind: 'stdio',
    command: command ?? 'node',
    args: (command === undefined ? [file, ...args] : args).map(literal),
    env: Object.entries(all).map(([name, value]) => ({ name, value: literal(value) })),
    ...(cwd === undefined ? {} : { cwd }),
  };
}

function addressOf(endpoint: string, { headers = [] }: HostileChoices): object {
  return { kind: 'http', endpoint, headers: headers.map(([name, value]) => ({ name, value: literal(value) })) };
}

function planned(config: ServerConfig, list: ToolListAnswer): OfferedTool[] {
  const tools = list.tools.map((definition) => ({ definition, digest: definitionDigest(definition) }));
  return planRegistry({
    servers: [{ id: config.id, name: config.name, namespace: config.namespace, on: true, down: false }],
    catalog: new Map([[config.id, { tools, skipped: list.skipped }]]),
    choices: new Map([
      [config.id, new Map(tools.map(({ definition, digest }) => [definition.rawName, { digest, offered: true }]))],
    ]),
  }).offered;
}
