import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RouteIdSchema } from '../../src-shared/egress/egress.schema';
import type { ServerConfig, ServerDraft, ServerId } from '../../src-shared/servers/server.schema';
import { systemClock } from '../../src-main/app/system-clock';
import { digestIfWritable } from '../../src-main/processes/file-digest';
import { findProgram } from '../../src-main/processes/find-program';
import { openServersFile, ServerStore } from '../../src-main/servers/server-store';
import { EraMemory } from '../../src-main/sessions/era-memory';
import { LaunchGate } from '../../src-main/sessions/launch-gate';
import { planLaunch } from '../../src-main/sessions/launch-plan';
import { SessionPool } from '../../src-main/sessions/session-pool';
import { FakeVault } from '../support/fake-vault';
import { callOf } from '../support/scripted-server';
import { ScriptedDoor } from '../support/scripted-server-door';
import { tempFolder } from '../support/temp-folder';

const draft = (key: string): ServerDraft => ({
  name: 'Notes',
  connection: {
    kind: 'stdio',
    command: process.execPath,
    args: [{ kind: 'literal', value: resolve(import.meta.dirname, '../fixtures/hostile/B08.mjs') }],
    env: [{ name: 'EXTRA_KEY', value: { kind: 'new-secret', value: key } }],
  },
});

async function setUp() {
  const vault = new FakeVault();
  const store = new ServerStore({ document: openServersFile(tempFolder()), vault, clock: systemClock });
  const added = store.add(draft('first-key'), { kind: 'you' });
  if (!added.ok) throw new Error(added.problem);
  const id = added.value;
  store.setEnabled(id, true);
  const configOf = (of: ServerId): ServerConfig | null => {
    const stored = store.get(of);
    return stored?.kind === 'ok' ? stored.config : null;
  };
  const plan = (config: ServerConfig) =>
    planLaunch(config, {
      findProgram,
      digestIfWritable,
      readSecret: (ref) => vault.read(ref),
      hostEnv: process.env,
      home: homedir(),
      key: Buffer.alloc(32, 1),
    });
  const approved = await plan(configOf(id)!);
  const launchTrust = (_id: ServerId, fingerprint: string) =>
    approved.ok && approved.value.fingerprint === fingerprint ? 'approved' : 'changed-since-approved';
  const pool = new SessionPool({
    clock: systemClock,
    gate: new LaunchGate({ configOf, plan, launchTrust, storeProblem: () => null }),
    door: new ScriptedDoor(() => ({ status: 500 })),
    eras: new EraMemory(),
    configOf,
    routeIdOf: () => RouteIdSchema.parse('server-test'),
    mask: (text) => text,
  });
  const reconcile = (): void => pool.reconcile(new Map([[id, configOf(id)?.enabled ? 'on' : 'off']]));
  reconcile();
  store.onChange(reconcile);
  store.onSecretsReplaced((of) => void pool.stop(of));
  onTestFinished(async () => {
    await pool.stopAll();
    store.close();
  });
  const keyInUse = async (): Promise<string> => {
    const session = await pool.use(id);
    if (!session.ok) return session.problem.message;
    const called = await session.value.callTool(callOf('echo', {}));
    return called.ok ? JSON.stringify(called.raw) : called.problem.message;
  };
  return { id, store, keyInUse };
}

test('T2 S3: what runs with a replaced secret starts anew at the next need with the new one, and asks nothing', async () => {
  const { id, store, keyInUse } = await setUp();
  expect(await keyInUse()).toContain('first-key');
  expect(store.update(id, draft('second-key'))).toEqual({ ok: true, value: undefined });
  expect(await keyInUse()).toContain('second-key');
});
