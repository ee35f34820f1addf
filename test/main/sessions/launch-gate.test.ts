import { expect, test } from 'vitest';
import { failed, ok } from '../../../src-shared/base/result';
import { DEFAULT_LIMITS, ServerIdSchema, type ServerConfig } from '../../../src-shared/servers/server.schema';
import { LaunchGate, type LaunchGateParts } from '../../../src-main/sessions/launch-gate';
import type { LaunchTrust } from '../../../src-shared/servers/server-rows';
import type { FrozenLaunch } from '../../../src-main/sessions/launch-plan';

const id = ServerIdSchema.parse('one');
const config: ServerConfig = {
  id,
  name: 'Notes',
  namespace: 'notes',
  connection: { kind: 'http', endpoint: 'https://notes.example/mcp', headers: [] },
  enabled: true,
  source: { kind: 'you' },
  addedAt: 0,
  limits: { ...DEFAULT_LIMITS },
};
const launch: FrozenLaunch = {
  fingerprint: 'f1',
  plan: { kind: 'http', host: 'notes.example', address: [], headers: [], flags: [] },
  start: { kind: 'http', address: { url: 'https://notes.example/mcp', headers: [] } },
};

const gateOf = (parts: Partial<LaunchGateParts>) =>
  new LaunchGate({
    configOf: () => config,
    plan: async () => ok(launch),
    launchTrust: () => 'approved',
    storeProblem: () => null,
    ...parts,
  });

test('T2: an approved launch is started with the very values that were just compared', async () => {
  const asked: unknown[] = [];
  const gate = gateOf({
    launchTrust: (...question) => {
      asked.push(question);
      return 'approved';
    },
  });
  const admitted = await gate.admit(id);
  expect(admitted.ok && admitted.value.launch).toBe(launch);
  expect(asked).toEqual([[id, 'f1']]);
});

const refused: [trust: LaunchTrust, message: string][] = [
  ['never-approved', 'Notes has not been approved. Review it in Settings, MCP servers.'],
  ['changed-since-approved', 'Notes changed since you approved it. Review it again in Settings, MCP servers.'],
];
test.each(refused)('T1: a launch that is %s is refused', async (trust, message) => {
  expect(await gateOf({ launchTrust: () => trust }).admit(id)).toEqual(failed({ kind: 'refused', message }));
});

test('T1: a launch that cannot be worked out is refused with the reason', async () => {
  const gate = gateOf({ plan: async () => failed('No program named nts was found.') });
  expect(await gate.admit(id)).toEqual(
    failed({ kind: 'refused', message: 'Notes was not started. No program named nts was found.' }),
  );
});

test('S4: nothing new starts while what the user decided cannot be read', async () => {
  const gate = gateOf({ storeProblem: () => 'servers.json could not be read.' });
  expect(await gate.admit(id)).toEqual(
    failed({ kind: 'refused', message: 'Notes was not started. servers.json could not be read.' }),
  );
});

test('S11: a server that was removed is not started', async () => {
  expect(await gateOf({ configOf: () => null }).admit(id)).toMatchObject({ ok: false, problem: { kind: 'refused' } });
});
