import { describe, expect, test } from 'vitest';
import { openGrants } from '../../../src-main/app/open-grants';
import { openTrustFile } from '../../../src-main/servers/sealed-records';
import { TrustStore } from '../../../src-main/servers/trust-store';
import type { LaunchState } from '../../../src-main/sessions/launch-states';
import type { Digest } from '../../../src-shared/base/digest.schema';
import { GrantsViewSchema } from '../../../src-shared/approvals/grant.schema';
import type { ServerId } from '../../../src-shared/servers/server.schema';
import { FakeClock } from '../../support/fake-clock';
import { fakeSealer } from '../../support/fake-sealer';
import { runCounter } from '../../support/run-counter';
import { tempFolder } from '../../support/temp-folder';

const notes = 'notes' as ServerId;
const chat = 'chat-1' as never;
const digest = (letter: string) => letter.repeat(64) as Digest;
const facts = {
  ...({ conversationId: chat, caller: 'model', serverId: notes, rawName: 'find\u202e' } as const),
  ...{ fingerprint: 'f1', definition: digest('a') },
};

function setUp() {
  const folder = tempFolder();
  const clock = new FakeClock();
  const trust = new TrustStore({ document: openTrustFile(folder), sealer: fakeSealer(), generation: runCounter(), clock });
  const now = {
    launch: { trust: 'approved', fingerprint: 'f1' } as Pick<LaunchState, 'trust' | 'fingerprint'>,
    listed: digest('a') as Digest | null,
    isThere: true,
    name: 'Notes',
    command: '/usr/bin/notes --all',
  };
  const room = openGrants({
    ...{ folder, clock },
    stores: { secrets: { state: 'ready' }, trust, conversations: { list: () => [{ id: chat, title: 'Plans' }] } } as never,
    launches: { of: () => now.launch as LaunchState },
    projection: () =>
      ({
        configOf: () => (now.isThere ? { name: now.name } : null),
        faceOf: () => (now.isThere ? { leaves: true, fingerprint: 'f1' } : null),
        launchInWords: () => (now.isThere ? now.command : ''),
      }) as never,
    catalog: () =>
      ({
        listed: () => now.listed && { digest: now.listed },
        findPicked: () => now.listed && { digest: now.listed, definition: { claims: {} } },
      }) as never,
    noActProblem: () => null,
    changed: () => undefined,
  });
  return { room, now, clock };
}

describe('the view of grants', () => {
  test('A1: each row says what it is bound to, for whom, since when and how often; nothing in it is a stranger’s formatting', () => {
    const { room, now, clock } = setUp();
    room.grants.remember(facts, 'always');
    room.grants.remember(facts, 'this-chat');
    room.grants.use(facts);
    now.command = '/usr/bin/other';
    const { rows, unsealed } = GrantsViewSchema.parse(room.view());
    const both = {
      ...{ serverId: notes, serverName: 'Notes', leaves: true, rawName: facts.rawName, caller: 'model', ended: null },
      definition: 'aaaaaaaaaaaa',
      madeAt: clock.now(),
    };
    expect(rows).toMatchObject([
      {
        ...both,
        reach: { kind: 'always' },
        toolName: [
          { kind: 'text', text: 'find' },
          { kind: 'escape', text: '\\u202e' },
        ],
        boundTo: [{ kind: 'text', text: '/usr/bin/notes --all' }],
        lastUsedAt: clock.now(),
        uses: 1,
      },
      { ...both, reach: { kind: 'this-chat', conversationId: chat, title: 'Plans' }, lastUsedAt: null, uses: 0 },
    ]);
    expect([unsealed, new Set(rows.map(({ id }) => id)).size]).toEqual([0, 2]);
  });

  test('N6: renaming its server keeps a grant, and the list has the new name', () => {
    const { room, now } = setUp();
    room.grants.remember(facts, 'always');
    now.name = 'Notes of mine';
    room.endChanged();
    expect(room.grants.standing(facts)).toBe('always');
    expect(room.view().rows).toMatchObject([{ serverName: 'Notes of mine', ended: null }]);
  });

  const ends: [what: string, change: (now: ReturnType<typeof setUp>['now']) => void, ended: string | null, kept: boolean][] = [
    ['nothing changed', () => undefined, null, true],
    ['its server lists another definition', (now) => (now.listed = digest('b')), 'tool-changed', false],
    ['its server lists it no more', (now) => (now.listed = null), null, true],
    ['another launch was approved', (now) => (now.launch = { trust: 'approved', fingerprint: 'f2' }), 'launch-changed', false],
    [
      'another launch stands there and is not approved',
      (now) => (now.launch = { trust: 'changed-since-approved', fingerprint: 'f2' }),
      null,
      true,
    ],
    ['its server is gone', (now) => (now.isThere = false), 'server-gone', true],
  ];
  test.each(ends)('R4: %s', (_what, change, ended, kept) => {
    const { room, now } = setUp();
    room.grants.remember(facts, 'always');
    const before = { ...now };
    change(now);
    expect(room.view().rows).toMatchObject([{ ended }]);
    room.endChanged();
    Object.assign(now, before);
    expect([room.grants.standing(facts) === 'always', room.view().rows[0]?.ended]).toEqual([kept, kept ? null : ended]);
  });
});

test('A1: grants.setPolicy allows what is offered, bound to the launch that is approved', async () => {
  const { room, now } = setUp();
  const allow = () =>
    room.calls['grants.setPolicy']({ serverId: notes, rawName: facts.rawName, policy: 'allowed', digest: digest('a') });
  expect(await allow()).toEqual({ ok: true, value: {} });
  expect(room.grants.standing(facts)).toBe('always');
  now.isThere = false;
  expect(await allow()).toMatchObject({ ok: false });
});
