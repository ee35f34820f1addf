import { describe, expect, test } from 'vitest';
import type { Question, Settled } from '../../../src-main/approvals/approval-broker';
import { openTrustFile } from '../../../src-main/servers/sealed-records';
import { TrustStore } from '../../../src-main/servers/trust-store';
import { LaunchReview } from '../../../src-main/sessions/launch-review';
import { LaunchStates } from '../../../src-main/sessions/launch-states';
import type { FrozenLaunch } from '../../../src-main/sessions/launch-plan';
import { failed, ok, type Result } from '../../../src-shared/base/result';
import { ServerConfigSchema, type ServerConfig, type ServerId } from '../../../src-shared/servers/server.schema';
import { FakeClock } from '../../support/fake-clock';
import { fakeSealer } from '../../support/fake-sealer';
import { runCounter } from '../../support/run-counter';
import { tempFolder } from '../../support/temp-folder';

const notes = 'notes' as ServerId;
const configWith = (changes: object = {}): ServerConfig =>
  ServerConfigSchema.parse({
    id: notes,
    name: 'Notes',
    namespace: 'notes',
    connection: { kind: 'stdio', command: 'notes', args: [], env: [] },
    ...changes,
  });

function setUp(answer: Settled = { kind: 'allowed', reach: 'once' }) {
  const clock = new FakeClock();
  const trust = new TrustStore({ document: openTrustFile(tempFolder()), sealer: fakeSealer(), generation: runCounter(), clock });
  const world = {
    config: configWith() as ServerConfig | null,
    fingerprint: 'f1',
    problem: null as string | null,
    url: 'https://a.example/',
    whileAsked: () => {},
  };
  const asked: Question[] = [];
  const plan = async (): Promise<Result<FrozenLaunch, string>> => {
    if (world.problem === 'vanished') throw new Error('ENOENT');
    if (world.problem) return failed(world.problem);
    return ok({
      plan: { kind: 'http', host: 'a', address: [{ kind: 'text', text: world.fingerprint }], headers: [], flags: [] },
      fingerprint: world.fingerprint,
      start: { kind: 'http', address: { url: world.url, headers: [] } },
    });
  };
  const review = new LaunchReview({
    clock,
    configOf: () => world.config,
    plan,
    trust,
    looksLike: () => [{ name: 'Notes', words: 'looks like “N0tes”, which is another server' }],
    isPrivateAddress: (host) => host === '10.0.0.5',
    changed: () => undefined,
    broker: {
      ask: async (question) => {
        asked.push(question);
        world.whileAsked();
        return answer;
      },
    },
  });
  const states = new LaunchStates({ configOf: () => world.config, plan, trust, changed: () => undefined });
  return { world, asked, review, trust, states };
}

describe('LaunchReview', () => {
  test('T1: nothing is looked at before the exact launch was shown and allowed', async () => {
    const { review, asked, trust } = setUp();
    expect(await review.review(notes)).toEqual(ok({ looking: true }));
    expect(asked).toMatchObject([{ kind: 'launch', plan: { host: 'a' }, changedSince: null }]);
    expect([review.isLooking(notes), trust.launchTrust(notes, 'f1')]).toEqual([true, 'approved']);
  });

  test('T1: a refusal leaves nothing approved and nothing looked at', async () => {
    const { review, trust } = setUp({ kind: 'refused', why: 'nobody-answered' });
    expect(await review.review(notes)).toEqual(ok({ looking: false }));
    expect([review.isLooking(notes), trust.launchTrust(notes, 'f1')]).toEqual([false, 'never-approved']);
  });

  test('E7: an address inside a private network asks for a yes of its own, which is sealed with the approval', async () => {
    const { review, asked, trust, world } = setUp({ kind: 'allowed', reach: 'once', privateNetwork: true });
    world.url = 'https://10.0.0.5/mcp';
    await review.review(notes);
    expect(asked).toMatchObject([{ privateNetwork: 'is' }]);
    expect(trust.mayReachPrivateNetwork(notes)).toBe(true);
  });

  test('E7: a plain yes does not open a private network', async () => {
    const { review, trust, world } = setUp();
    world.url = 'https://10.0.0.5/mcp';
    await review.review(notes);
    expect([trust.launchTrust(notes, 'f1'), trust.mayReachPrivateNetwork(notes)]).toEqual(['approved', false]);
  });

  test('E7: a host that led to a private network is asked about again, though its launch is approved', async () => {
    const { review, asked } = setUp();
    await review.review(notes);
    review.ledToPrivateNetwork(notes);
    await review.review(notes);
    expect(asked).toMatchObject([{ kind: 'launch' }, { privateNetwork: 'led', changedSince: null }]);
    expect(asked[0]).not.toHaveProperty('privateNetwork');
  });

  test('T2: a launch that changed is shown beside the one that was approved, and the first one beside nothing', async () => {
    const { review, asked, world } = setUp();
    await review.review(notes);
    review.stopLooking(notes);
    world.fingerprint = 'f2';
    await review.review(notes);
    expect(asked[0]).not.toHaveProperty('changes');
    const side = (text: string) => [{ kind: 'text', text, changed: true }];
    const row = { part: 'address', before: side('f1'), after: side('f2'), changed: true };
    expect(asked[1]).toMatchObject({ changes: { rows: [row], changed: 1 } });
  });

  test('N7: a name that looks like another server’s is told on the sheet', async () => {
    const { review, asked } = setUp();
    await review.review(notes);
    expect(asked).toMatchObject([{ looksLike: [{ name: 'Notes', words: 'looks like “N0tes”, which is another server' }] }]);
  });

  test('S6 N7: where it goes and whether it leaves are told of the address with its variables filled in', async () => {
    const { review, asked, world } = setUp();
    world.config = configWith({ connection: { kind: 'http', endpoint: '${SERVER}/mcp', headers: [] } });
    world.url = 'http://localhost:3000/mcp';
    await review.review(notes);
    expect(asked).toMatchObject([{ where: 'localhost:3000', leaves: false }]);
  });

  test('T2: what was approved before and has not changed is not asked again', async () => {
    const { review, asked } = setUp();
    await review.review(notes);
    review.stopLooking(notes);
    expect(await review.review(notes)).toEqual(ok({ looking: true }));
    expect(asked).toHaveLength(1);
  });

  test('T2: what changed since is asked again, and the sheet says so', async () => {
    const { review, asked, world } = setUp();
    await review.review(notes);
    world.fingerprint = 'f2';
    await review.review(notes);
    expect(asked[1]).toMatchObject({ kind: 'launch', changedSince: expect.any(Number) });
    expect(asked[1]?.digest).not.toBe(asked[0]?.digest);
  });

  const impossible: [what: string, change: (world: ReturnType<typeof setUp>['world']) => void, says: string][] = [
    ['a removed server', (world) => (world.config = null), 'removed'],
    ['a server without a short name', (world) => (world.config = configWith({ namespace: null })), 'short name'],
    ['a program that is not there', (world) => (world.problem = 'notes was not found.'), 'notes was not found'],
  ];
  test.each(impossible)('N1, T1: says why %s cannot be reviewed', async (_what, change, says) => {
    const { review, world, asked } = setUp();
    change(world);
    const reviewed = await review.review(notes);
    expect(reviewed.ok ? '' : reviewed.problem).toContain(says);
    expect(asked).toEqual([]);
  });
});

describe('LaunchReview while things change', () => {
  test('S11: a server removed while its sheet is up gets no approval under its id', async () => {
    const { review, world, trust } = setUp();
    world.whileAsked = () => (world.config = null);
    expect((await review.review(notes)).ok).toBe(false);
    expect([review.isLooking(notes), trust.approvedAt(notes)]).toEqual([false, null]);
  });

  test('A9: two requests at once show one sheet', async () => {
    const { review, asked } = setUp({ kind: 'refused', why: 'user' });
    const outcomes = await Promise.all([review.review(notes), review.review(notes)]);
    expect(asked).toHaveLength(1);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false]);
  });
});

describe('LaunchStates', () => {
  test('T2, P1: an entry edited since the last look is not approved until it was looked at', async () => {
    const { states, review, world } = setUp();
    await review.review(notes);
    await states.refresh([world.config!]);
    world.config = configWith({ connection: { kind: 'http', endpoint: 'https://elsewhere.example/', headers: [] } });
    expect(states.of(notes)).toEqual({ trust: 'changed-since-approved', fingerprint: null, realPath: null, origin: null });
    world.config = configWith({ name: 'Other name' });
    expect(states.of(notes).trust).toBe('approved');
  });

  test('T2: a look that broke off counts as changed, and later looks go on', async () => {
    const { states, review, world } = setUp();
    await review.review(notes);
    world.problem = 'vanished';
    await states.refresh([world.config!]);
    expect(states.of(notes).trust).toBe('changed-since-approved');
    world.problem = null;
    await states.refresh([world.config!]);
    expect(states.of(notes).trust).toBe('approved');
  });

  test('T2: tells approved, never approved and changed apart', async () => {
    const { states, review, world } = setUp();
    await states.refresh([configWith()]);
    expect(states.of(notes).trust).toBe('never-approved');
    await review.review(notes);
    await states.refresh([configWith()]);
    expect(states.of(notes)).toMatchObject({ trust: 'approved', fingerprint: 'f1' });
    world.fingerprint = 'f2';
    await states.refresh([configWith()]);
    expect(states.of(notes).trust).toBe('changed-since-approved');
  });

  test('T2: an approved launch that cannot be worked out any more is not approved', async () => {
    const { states, review, world } = setUp();
    await review.review(notes);
    world.problem = 'notes was not found.';
    await states.refresh([configWith()]);
    expect(states.of(notes)).toMatchObject({ trust: 'changed-since-approved', fingerprint: null });
  });

  test('S11: a server that is gone has no state', async () => {
    const { states, review } = setUp();
    await review.review(notes);
    await states.refresh([configWith()]);
    await states.refresh([]);
    expect(states.of(notes).trust).toBe('never-approved');
  });
});
