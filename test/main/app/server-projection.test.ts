import { describe, expect, test } from 'vitest';
import { RouteKeeper } from '../../../src-main/app/route-keeper';
import { ServerProjection } from '../../../src-main/app/server-projection';
import type { SessionStatus } from '../../../src-main/sessions/session-pool-entry';
import type { RouteFacts } from '../../../src-shared/egress/route-table';
import type { LaunchTrust } from '../../../src-shared/servers/server-rows';
import { ServerConfigSchema, type ServerId } from '../../../src-shared/servers/server.schema';
import { FakeClock } from '../../support/fake-clock';

const notes = 'notes' as ServerId;

function setUp() {
  const clock = new FakeClock();
  const facts = {
    enabled: true,
    switchedOn: true,
    trust: 'approved' as LaunchTrust,
    looking: false,
    status: { kind: 'idle' } as SessionStatus,
    listingProblem: null as string | null,
    endpoint: 'https://notes.example/mcp',
    origin: null as string | null,
    privateNetwork: false,
  };
  const halted = new Set<ServerId>();
  const config = () =>
    ServerConfigSchema.parse({
      id: notes,
      name: 'Notes',
      namespace: 'notes',
      enabled: facts.enabled,
      connection: { kind: 'http', endpoint: facts.endpoint, headers: [] },
    });
  const projection = new ServerProjection({
    clock,
    store: {
      list: () => [{ kind: 'ok', config: config() }],
      get: () => ({ kind: 'ok', config: config() }),
      takenNamespaces: () => ['notes'],
    },
    trust: { approvedAt: () => 5, isRouteOn: () => facts.switchedOn, mayReachPrivateNetwork: () => facts.privateNetwork },
    launches: { of: () => ({ trust: facts.trust, fingerprint: 'f', realPath: null, origin: facts.origin }) },
    review: { isLooking: () => facts.looking },
    pool: { statusOf: () => facts.status, logOf: () => [{ at: 1, from: 'stderr', text: 'no such file' }] },
    halted,
    listingProblemOf: () => facts.listingProblem,
    signInOf: () => 'not-asked',
  });
  return { clock, facts, halted, projection };
}

describe('ServerProjection', () => {
  test('S10: on takes the intent of the file, the review of what would run now, and the sealed switch', () => {
    const { facts, projection } = setUp();
    expect(projection.wishes().get(notes)).toBe('on');
    for (const missing of [{ enabled: false }, { switchedOn: false }, { trust: 'changed-since-approved' as const }]) {
      const before = { ...facts };
      Object.assign(facts, missing);
      expect(projection.wishes().get(notes)).toBe('off');
      expect(projection.planned()[0]?.on).toBe(false);
      expect(projection.routeFacts()[0]?.on).toBe(false);
      Object.assign(facts, before);
    }
  });

  test('S10, W5: one that was turned off while its files could not be written is off, and can be looked at again', () => {
    const { facts, halted, projection } = setUp();
    halted.add(notes);
    expect(projection.wishes().get(notes)).toBe('off');
    expect([projection.planned()[0]?.on, projection.routeFacts()[0]?.on]).toEqual([false, false]);
    expect(projection.rows([])[0]).toMatchObject({ enabled: false, status: { kind: 'off' } });
    facts.looking = true;
    expect(projection.wishes().get(notes)).toBe('looking');
  });

  test('S6, P1: a route is for the host that was approved, without the value of any other variable', () => {
    const { facts, projection } = setUp();
    facts.endpoint = '${SERVER}/mcp?key=${KEY}';
    expect(projection.routeFacts()[0]?.connection).toMatchObject({ endpoint: facts.endpoint });
    expect(projection.rows([])[0]).toMatchObject({ where: '${SERVER}', leaves: true });
    facts.origin = 'http://localhost:3000';
    expect(projection.routeFacts()[0]?.connection).toMatchObject({ endpoint: 'http://localhost:3000/mcp' });
    expect(projection.rows([])[0]).toMatchObject({ where: 'localhost:3000', leaves: false });
    expect(projection.faceOf(notes)).toMatchObject({ where: 'localhost:3000', leaves: false });
  });

  test('E7: the yes to a private network reaches the route of that server', () => {
    const { facts, projection } = setUp();
    expect(projection.routeFacts()[0]).toMatchObject({ privateNetwork: false });
    facts.privateNetwork = true;
    expect(projection.routeFacts()[0]).toMatchObject({ privateNetwork: true });
  });

  test.each([true, false])('W6: a server that would not list its tools is shown as failed (looking: %s)', (looking) => {
    const { facts, projection } = setUp();
    const connected = { kind: 'connected', pid: null, since: 1 } as const;
    Object.assign(facts, { looking, enabled: !looking, status: connected, listingProblem: 'Notes did not list its tools.' });
    const status = { kind: 'failed', problem: 'Notes did not list its tools.', log: ['no such file'] };
    expect(projection.rows([])[0]?.status).toEqual(status);
    facts.status = { kind: 'idle' };
    expect(projection.rows([])[0]?.status.kind).not.toBe('failed');
  });

  test('R4: one that is looked at is contacted and offers nothing', () => {
    const { facts, projection } = setUp();
    Object.assign(facts, { enabled: false, looking: true });
    expect(projection.wishes().get(notes)).toBe('looking');
    expect(projection.routeFacts()[0]?.on).toBe(true);
    expect(projection.planned()[0]?.on).toBe(false);
    expect(projection.rows([])[0]?.status).toEqual({ kind: 'looking', phase: 'starting' });
  });

  test('W6: one that failed is down until its back-off is over', () => {
    const { clock, facts, projection } = setUp();
    const retryAt = clock.now() + 1000;
    facts.status = { kind: 'failed', problem: { kind: 'lost', message: 'Notes was lost.' }, log: [], retryAt };
    expect([projection.planned()[0]?.down, projection.nextRetryAt()]).toEqual([true, retryAt]);
    expect(projection.rows([])[0]?.status).toMatchObject({ kind: 'failed', problem: 'Notes was lost.', retryAt });
    clock.advance(1000);
    expect(projection.rows([])[0]?.status).not.toHaveProperty('retryAt');
    expect([projection.planned()[0]?.down, projection.nextRetryAt()]).toEqual([false, null]);
  });

  test('E3: a row says where it leads and whether that leaves', () => {
    const { projection } = setUp();
    expect(projection.rows([])[0]).toMatchObject({ leaves: true, where: 'notes.example' });
    expect(projection.faceOf(notes)).toEqual({
      name: 'Notes',
      namespace: 'notes',
      where: 'notes.example',
      leaves: true,
      fingerprint: 'f',
    });
  });
});

describe('RouteKeeper', () => {
  const server = (endpoint: string, on: boolean): RouteFacts['servers'][number] => ({
    id: notes,
    name: 'Notes',
    connection: { kind: 'http', endpoint, headers: [] },
    on,
  });

  test('P1: shuts the sockets of a route that was turned off or leads elsewhere now, and of no other', () => {
    const closed: string[] = [];
    const facts: RouteFacts = { models: [], servers: [server('https://a.example/mcp', true)], keychainState: 'ready' };
    const keeper = new RouteKeeper(
      () => facts,
      (id) => closed.push(id),
    );
    keeper.refresh();
    keeper.refresh();
    expect(closed).toEqual([]);
    facts.servers = [server('https://b.example/mcp', true)];
    keeper.refresh();
    expect(closed).toEqual(['server-notes']);
    facts.servers = [server('https://b.example/mcp', false)];
    keeper.refresh();
    expect(closed).toEqual(['server-notes', 'server-notes']);
  });

  test('P1: what is shown and what enforces is one array until a store changes', () => {
    const facts: RouteFacts = { models: [], servers: [], keychainState: 'ready' };
    const keeper = new RouteKeeper(
      () => facts,
      () => undefined,
    );
    expect(keeper.current()).toBe(keeper.current());
    const before = keeper.current();
    keeper.refresh();
    expect(keeper.current()).not.toBe(before);
  });
});
