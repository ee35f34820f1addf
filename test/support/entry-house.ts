import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { launchPlanner, unlessRefused } from '../../src-main/app/launch-planner';
import { OutsideServers } from '../../src-main/app/open-workspaces';
import { RouteKeeper } from '../../src-main/app/route-keeper';
import { ServerProjection } from '../../src-main/app/server-projection';
import { systemClock } from '../../src-main/app/system-clock';
import { EgressDoor } from '../../src-main/egress/egress-door';
import { openLedger } from '../../src-main/egress/ledger';
import { answerCall } from '../../src-main/ipc/serve-calls';
import { openTrustFile } from '../../src-main/servers/sealed-records';
import { serverCalls } from '../../src-main/servers/server-calls';
import { openServersFile, ServerStore } from '../../src-main/servers/server-store';
import { TrustStore } from '../../src-main/servers/trust-store';
import { EraMemory, openErasFile } from '../../src-main/sessions/era-memory';
import { LaunchGate } from '../../src-main/sessions/launch-gate';
import { LaunchReview } from '../../src-main/sessions/launch-review';
import { LaunchStates } from '../../src-main/sessions/launch-states';
import { SessionPool } from '../../src-main/sessions/session-pool';
import { routeIdForServer } from '../../src-shared/egress/route-table';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import type { ServerId, ServerRow } from '../../src-shared/servers/server.schema';
import { fakeSealer } from './fake-sealer';
import { FakeVault } from './fake-vault';
import { runCounter } from './run-counter';
import { tempFolder } from './temp-folder';

/** The rooms that decide whether a server runs, wired as the app wires them, on real files, programs and sockets. Nobody is there to ask. */
export function entryHouse() {
  const top = tempFolder();
  const [profile, root] = [join(top, 'home/profile'), join(top, 'home/project')];
  for (const folder of [profile, root]) mkdirSync(folder, { recursive: true });
  const clock = systemClock;
  const vault = new FakeVault();
  const servers = new ServerStore({ document: openServersFile(profile), vault, clock });
  const trust = new TrustStore({ document: openTrustFile(profile), sealer: fakeSealer(), generation: runCounter(), clock });
  const secrets = { vault, keyFor: () => Buffer.alloc(32, 7) } as unknown as Parameters<typeof launchPlanner>[0]['secrets'];
  const stores = { servers, trust, secrets };

  const outside = new OutsideServers({ folder: profile, clock, stores, revokeServer: () => null, changed: () => undefined });
  const plan = unlessRefused(launchPlanner({ secrets, alsoMask: () => undefined }), (config) =>
    outside.workspaces.refusal(config),
  );
  const configOf = (id: ServerId) => projection.configOf(id);
  const launches = new LaunchStates({ configOf, plan, trust, changed: () => undefined });
  const asked: string[] = [];
  const review = new LaunchReview({
    ...{ clock, configOf, plan, trust, isPrivateAddress: () => false, changed: () => undefined },
    broker: { ask: async ({ serverName }) => (asked.push(serverName), { kind: 'refused', why: 'nobody-answered' }) },
  });
  const ledger = openLedger({ folder: profile, key: null, clock });
  const door: EgressDoor = new EgressDoor({ routes: () => routes.current(), ledger, clock });
  const pool: SessionPool = new SessionPool({
    ...{ clock, door, configOf, routeIdOf: routeIdForServer, mask: (text: string) => text },
    gate: new LaunchGate({
      ...{ configOf, plan, launchTrust: (id: ServerId, fingerprint: string) => trust.launchTrust(id, fingerprint) },
      storeProblem: (config) => servers.problem() ?? trust.problem() ?? outside.workspaces.unread(config),
    }),
    eras: new EraMemory(openErasFile(profile)),
  });
  const projection: ServerProjection = new ServerProjection({
    ...{ clock, store: servers, trust, launches, review, pool, halted: new Set<ServerId>() },
    ...{ signInOf: () => 'not-asked', listingProblemOf: () => null },
  });
  const routes = new RouteKeeper(
    () => ({ models: [], servers: projection.routeFacts(), keychainState: 'ready' }),
    (id) => door.closeRoute(id),
  );
  const handlers = serverCalls({
    store: servers,
    pickFile: async () => join(top, 'import.json'),
    pickFolder: async () => null,
    sampleDraft: () => ({ name: 'sample', connection: { kind: 'stdio', command: 'x', args: [], env: [] } }),
    ...{ turnOff: () => null, revoke: () => null, revokeEverything: () => null },
  });
  onTestFinished(async () => {
    await pool.stopAll();
    outside.end();
    await door.close();
    for (const store of [servers, trust, ledger]) store.close();
  });

  /** What the app does after any change, and then all that any room can try with a server. */
  async function tryEverything(): Promise<ServerRow[]> {
    const settle = async () => {
      routes.refresh();
      pool.reconcile(projection.wishes());
      await launches.refresh(projection.configs());
      pool.reconcile(projection.wishes());
      routes.refresh();
    };
    await settle();
    for (const { id } of projection.configs()) {
      await pool.use(id);
      await pool.retry(id);
    }
    await settle();
    return projection.rows([]);
  }
  return {
    ...{ top, profile, root, vault, servers, trust, outside, projection, launches, review, pool, plan, asked, tryEverything },
    importFile: join(top, 'import.json'),
    call: (name: string, input: unknown) => answerCall(handlers as unknown as CallHandlers, name, input),
  };
}
