import { describe, expect, test } from 'vitest';
import { serverCalls } from '../../../src-main/servers/server-calls';
import { sampleServer } from '../../../src-main/servers/sample-server';
import { failed, ok } from '../../../src-shared/base/result';
import { DEFAULT_LIMITS } from '../../../src-shared/servers/server.schema';
import type { ServerDraft, ServerId, ServerSource } from '../../../src-shared/servers/server.schema';

const id = 'notes' as ServerId;
const draft: ServerDraft = { name: 'Notes', connection: { kind: 'http', endpoint: 'https://a.example/mcp', headers: [] } };

function setUp({ picked = '/home/me/q3' as string | null, problem = null as string | null } = {}) {
  const added: [ServerDraft, ServerSource][] = [];
  const acts: string[] = [];
  const result = () => (problem === null ? ok(undefined) : failed(problem));
  const calls = serverCalls({
    store: {
      takenNamespaces: () => [],
      add: (given, source) => {
        added.push([given, source]);
        return problem === null ? ok(id) : failed(problem);
      },
      update: () => result(),
      setLimits: (_id, limits) => {
        acts.push(`limits ${limits.maxTools}`);
        return result();
      },
      setWire: (_id, wire) => {
        acts.push(`wire ${wire.protocol} ${wire.era}`);
        return result();
      },
      remove: () => result(),
    },
    pickFolder: async () => picked,
    pickFile: async () => null,
    sampleDraft: (folder) => sampleServer({ folder, serverScriptPath: '/app/server.js', nodePath: 'node' }),
    turnOff: () => {
      acts.push('off');
      return problem;
    },
    revokeEverything: () => {
      acts.push('everything revoked');
      return problem;
    },
    revoke: () => {
      acts.push('revoked');
      return problem;
    },
  });
  return { calls, added, acts };
}

describe('server calls', () => {
  test('S8: what is added in the window came from you', async () => {
    const { calls, added } = setUp();
    expect(await calls['servers.add'](draft)).toEqual(ok({ id }));
    expect(added[0]?.[1]).toEqual({ kind: 'you' });
  });

  test('the sample is an ordinary entry on the picked folder, and closing the picker adds nothing', async () => {
    const { calls, added } = setUp();
    expect(await calls['servers.addSample']({})).toEqual(ok({ id }));
    expect(added[0]).toMatchObject([{ connection: { kind: 'stdio', command: 'node' } }, { kind: 'sample' }]);
    const closed = setUp({ picked: null });
    expect(await closed.calls['servers.addSample']({})).toEqual(ok({ id: null }));
    expect(closed.added).toEqual([]);
  });

  test('R2, T4: turning off and revoking reach the house', async () => {
    const { calls, acts } = setUp();
    await calls['servers.turnOff']({ id });
    await calls['servers.revoke']({ id });
    await calls['servers.revokeEverything']({});
    expect(acts).toEqual(['off', 'revoked', 'everything revoked']);
  });

  test('W2, S2: limits in bounds reach the store; others are refused with a sentence and change nothing', async () => {
    const { calls, acts } = setUp();
    expect(await calls['servers.setLimits']({ id, limits: { ...DEFAULT_LIMITS, maxTools: 7 } })).toEqual(ok({}));
    const limits = { ...DEFAULT_LIMITS, maxReplyBytes: 65 * 1024 * 1024 };
    expect(await calls['servers.setLimits']({ id, limits })).toEqual(
      failed({ code: 'invalid-input', message: 'Set the largest reply to between 0.001 and 64 MiB.' }),
    );
    expect(acts).toEqual(['limits 7']);
  });

  test('W1: how it is spoken to reaches the store', async () => {
    const { calls, acts } = setUp();
    expect(await calls['servers.setWire']({ id, wire: { protocol: 'sse', era: 'auto' } })).toEqual(ok({}));
    expect(acts).toEqual(['wire sse auto']);
  });

  test('S2: a refusal of the store reaches the window as it stands', async () => {
    const { calls } = setUp({ problem: 'The short name notes is in use.' });
    const refusal = { ok: false, problem: { code: 'refused', message: 'The short name notes is in use.' } };
    expect(await calls['servers.add'](draft)).toEqual(refusal);
    expect(await calls['servers.update']({ id, draft })).toEqual(refusal);
    expect(await calls['servers.setWire']({ id, wire: { protocol: 'sse', era: 'auto' } })).toEqual(refusal);
    expect(await calls['servers.remove']({ id })).toEqual(refusal);
    expect(await calls['servers.turnOff']({ id })).toEqual(refusal);
    expect(await calls['servers.revoke']({ id })).toEqual(refusal);
    expect(await calls['servers.revokeEverything']({})).toEqual(refusal);
  });
});
