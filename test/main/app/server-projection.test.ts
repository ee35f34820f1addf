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
  };
  const config = () =>
    ServerConfigSchema.parse({
      id: notes,
      name: 'Notes',
      namespace: 'notes',
      enabled: facts.enabled,
      connection: { kind: 'http', endpoint: 'https://notes.example/mcp', headers: [] },
    });
  const projection = new ServerProjection({
    clock,
    store: {
      list: () => [{ kind: 'ok', config: config() }],
      get: () => ({ kind: 'ok', config: config() }),
      takenNamespaces: () => ['notes'],
    },
    trust: { approvedAt: () => 5, isRouteOn: () => facts.switchedOn },
    launches: { of: () => ({ trust: facts.trust, fingerprint: 'f', realPath: null }) },
    review: { isLooking: () => facts.looking },
    pool: { statusOf: () => facts.status },
  });
  return { clock, facts, projection };
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
    expect(projection.rows([])[0]?.status).toMatchObject({ kind: 'failed', problem: 'Notes was lost.' });
    clock.advance(1000);
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
