import { describe, expect, test } from 'vitest';
import { ChatGrants, type GrantFacts } from '../../../src-main/approvals/chat-grants';
import { FakeClock } from '../../support/fake-clock';

const facts: GrantFacts = {
  conversationId: 'chat-1' as never,
  caller: 'model',
  serverId: 'notes' as never,
  rawName: 'find',
  fingerprint: 'f1',
  definition: 'd1' as never,
};

const different: [field: string, change: Partial<GrantFacts>][] = [
  ['another chat', { conversationId: 'chat-2' as never }],
  ['another kind of caller', { caller: 'you' }],
  ['another server', { serverId: 'files' as never }],
  ['another tool', { rawName: 'delete' }],
  ['a server that would start differently', { fingerprint: 'f2' }],
  ['a definition that changed', { definition: 'd2' as never }],
];

function setUp() {
  const clock = new FakeClock();
  const heard = { times: 0 };
  const grants = new ChatGrants({ clock, changed: () => void (heard.times += 1) });
  return { clock, grants, heard };
}

describe('ChatGrants', () => {
  test('A1: covers exactly what was allowed', () => {
    const { grants } = setUp();
    expect(grants.covers(facts)).toBe(false);
    grants.allow(facts);
    expect(grants.covers(facts)).toBe(true);
  });

  test.each(different)('A1: does not cover %s', (_field, change) => {
    const { grants } = setUp();
    grants.allow(facts);
    expect(grants.covers({ ...facts, ...change })).toBe(false);
  });

  const ends: [what: string, end: (grants: ChatGrants) => void][] = [
    ['its chat', (grants) => grants.forgetConversation(facts.conversationId)],
    ['its server', (grants) => grants.forgetServer(facts.serverId)],
    ['being taken back', (grants) => grants.list().forEach(({ id }) => grants.revoke(id))],
    ['all of them', (grants) => grants.forgetAll()],
  ];
  test.each(ends)('A1: ends with %s, and others hear of it', (_what, end) => {
    const { grants, heard } = setUp();
    grants.allow(facts);
    end(grants);
    expect([grants.covers(facts), grants.list(), heard.times]).toEqual([false, [], 2]);
  });

  test('A1: each is listed with when it was made and last used, and how often', () => {
    const { grants, clock } = setUp();
    grants.allow(facts);
    const madeAt = clock.now();
    clock.advance(5);
    grants.noteUse(facts);
    grants.noteUse({ ...facts, rawName: 'delete' });
    expect(grants.list()).toMatchObject([{ ...facts, madeAt, lastUsedAt: madeAt + 5, uses: 1 }]);
  });
});
