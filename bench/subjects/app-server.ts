import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src-main/app/system-clock';
import { EgressDoor } from '../../src-main/egress/egress-door';
import { openLedger, type Ledger } from '../../src-main/egress/ledger';
import { digestIfWritable } from '../../src-main/processes/file-digest';
import { findProgram } from '../../src-main/processes/find-program';
import { planLaunch, type FrozenLaunch } from '../../src-main/sessions/launch-plan';
import { openSession, type McpSession } from '../../src-main/sessions/mcp-session';
import { ServerLog } from '../../src-main/sessions/server-log';
import { createLink } from '../../src-main/sessions/session-pool-link';
import { ok } from '../../src-shared/base/result';
import { buildRouteTable, routeIdForServer } from '../../src-shared/egress/route-table';
import { DEFAULT_LIMITS, ServerConfigSchema, type Connection, type ServerConfig } from '../../src-shared/servers/server.schema';

/** Where a bench finds its server. */
export type Where = { kind: 'stdio'; args: string[] } | { kind: 'http'; url: string };

/** The app's own way to one server, up to but without a session. */
export interface AppServer {
  config: ServerConfig;
  folder: string;
  ledger: Ledger;
  door: EgressDoor;
  plan(): ReturnType<typeof planLaunch>;
  end(): Promise<void>;
}

/** Opens ledger and door in a folder of their own, with exactly one route. */
export function appServer(where: Where, limits: Partial<ServerConfig['limits']> = {}): AppServer {
  const config = ServerConfigSchema.parse({
    id: 'bench',
    name: 'Bench',
    namespace: 'bench',
    connection: connectionOf(where),
    enabled: true,
    limits: { ...DEFAULT_LIMITS, ...limits },
  });
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-bench-'));
  const ledger = openLedger({ folder, key: randomBytes(32), clock: systemClock });
  const routes = buildRouteTable({ models: [], servers: [{ ...config, on: true }], keychainState: 'ready' });
  const door = new EgressDoor({ routes: () => routes, ledger, clock: systemClock });
  const key = randomBytes(32);
  return {
    config,
    folder,
    ledger,
    door,
    plan: () =>
      planLaunch(config, {
        findProgram,
        digestIfWritable,
        readSecret: () => ({ ok: false, problem: 'missing' }),
        hostEnv: process.env,
        home: homedir(),
        key,
      }),
    async end() {
      await door.close();
      ledger.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** One session as the pool makes it: planned, linked, opened. */
export async function openAppSession(server: AppServer): Promise<McpSession> {
  const launch = await planned(server);
  const { config, door } = server;
  const opened = await openSession({
    serverName: config.name,
    limits: config.limits,
    clock: systemClock,
    link: async () =>
      ok(
        createLink({
          serverName: config.name,
          routeId: routeIdForServer(config.id),
          launch,
          maxReplyBytes: config.limits.maxReplyBytes,
          door,
          clock: systemClock,
          log: new ServerLog({ now: () => systemClock.now(), mask: (text) => text }),
        }),
      ),
  });
  if (!opened.ok) throw new Error(opened.problem.message);
  return opened.value;
}

async function planned(server: AppServer): Promise<FrozenLaunch> {
  const launch = await server.plan();
  if (!launch.ok) throw new Error(launch.problem);
  return launch.value;
}

function connectionOf(where: Where): Connection {
  if (where.kind === 'http') return { kind: 'http', endpoint: where.url, headers: [] };
  const args = where.args.map((value) => ({ kind: 'literal' as const, value }));
  return { kind: 'stdio', command: process.execPath, args, env: [] };
}
