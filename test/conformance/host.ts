import { randomBytes } from 'node:crypto';
import type { Clock } from '../../src-shared/base/clock';
import { failed, ok } from '../../src-shared/base/result';
import { buildRouteTable, COMMAND_LINE_ROUTE_ID } from '../../src-shared/egress/route-table';
import { DEFAULT_LIMITS, ServerIdSchema, type ServerConfig } from '../../src-shared/servers/server.schema';
import type { ToolDefinition } from '../../src-shared/tools/tool.schema';
import { EgressDoor } from '../../src-main/egress/egress-door';
import { openLedger } from '../../src-main/egress/ledger';
import { digestIfWritable } from '../../src-main/processes/file-digest';
import { findProgram } from '../../src-main/processes/find-program';
import { planLaunch } from '../../src-main/sessions/launch-plan';
import { openSession, type McpSession } from '../../src-main/sessions/mcp-session';
import type { AnswerQuestion } from '../../src-main/sessions/mcp-session-questions';
import { ServerLog } from '../../src-main/sessions/server-log';
import { createLink } from '../../src-main/sessions/session-pool-link';

const NAME = 'conformance';

const clock: Clock = {
  now: () => Date.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

/** The app's own road to a server, without its window. */
export interface Host {
  open(): Promise<McpSession>;
  /** Every tool the app would offer, by the name its server gives it. */
  tools(session: McpSession): Promise<Map<string, ToolDefinition>>;
  /** What the server asks meanwhile is put to `person`; without one it is declined. */
  call(session: McpSession, tool: ToolDefinition | undefined, given: object, person?: AnswerQuestion): Promise<unknown>;
  close(): Promise<void>;
}

/** Builds what the command line builds for one address: route, door, ledger, transport, session. */
export function openHost(endpoint: string, ledgerFolder: string): Host {
  const connection = { kind: 'http' as const, endpoint, headers: [] };
  const config: ServerConfig = {
    id: ServerIdSchema.parse(NAME),
    name: NAME,
    namespace: NAME,
    connection,
    enabled: true,
    source: { kind: 'you' },
    addedAt: clock.now(),
    limits: DEFAULT_LIMITS,
  };
  const routes = buildRouteTable({
    models: [],
    servers: [],
    keychainState: 'absent',
    commandLineRun: { name: NAME, connection },
  });
  const ledger = openLedger({ folder: ledgerFolder, name: NAME, key: null, clock });
  const door = new EgressDoor({ routes: () => routes, ledger, clock });
  const log = new ServerLog({ now: () => clock.now(), mask: (text) => text });
  const sessions: McpSession[] = [];

  return {
    async open() {
      const launch = await planLaunch(config, {
        findProgram,
        digestIfWritable,
        readSecret: () => failed('missing'),
        hostEnv: {},
        home: ledgerFolder,
        key: randomBytes(32),
      });
      if (!launch.ok) throw new Error(launch.problem);
      const opened = await openSession({
        serverName: NAME,
        limits: config.limits,
        clock,
        answersQuestions: true,
        link: async () =>
          ok(
            createLink({
              serverName: NAME,
              routeId: COMMAND_LINE_ROUTE_ID,
              launch: launch.value,
              maxReplyBytes: config.limits.maxReplyBytes,
              door,
              clock,
              log,
            }),
          ),
      });
      if (!opened.ok) throw new Error(opened.problem.message);
      sessions.push(opened.value);
      return opened.value;
    },

    async tools(session) {
      const listed = await session.listTools();
      if (!listed.ok) throw new Error(listed.problem.message);
      for (const { rawName, why } of listed.value.skipped) process.stderr.write(`Not offered: ${rawName}. ${why}\n`);
      return new Map(listed.value.tools.map((tool) => [tool.rawName, tool]));
    },

    async call(session, tool, given, person) {
      if (!tool) throw new Error('The server does not list the tool this scenario is about.');
      const outcome = await session.callTool({ definition: tool, frozenText: JSON.stringify(given), onQuestion: person });
      if (!outcome.ok) throw new Error(outcome.problem.message);
      return outcome.raw;
    },

    async close() {
      for (const session of sessions) await session.close();
      await door.close();
      ledger.close();
    },
  };
}
