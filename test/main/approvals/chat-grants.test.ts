import { describe, expect, test } from 'vitest';
import { ChatGrants, type GrantFacts } from '../../../src-main/approvals/chat-grants';

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

describe('ChatGrants', () => {
  test('A1: covers exactly what was allowed', () => {
    const grants = new ChatGrants();
    expect(grants.covers(facts)).toBe(false);
    grants.allow(facts);
    expect(grants.covers(facts)).toBe(true);
  });

  test.each(different)('A1: does not cover %s', (_field, change) => {
    const grants = new ChatGrants();
    grants.allow(facts);
    expect(grants.covers({ ...facts, ...change })).toBe(false);
  });

  test('A1: ends with its chat and with its server', () => {
    const grants = new ChatGrants();
    grants.allow(facts);
    grants.forgetConversation(facts.conversationId);
    expect(grants.covers(facts)).toBe(false);
    grants.allow(facts);
    grants.forgetServer(facts.serverId);
    expect(grants.covers(facts)).toBe(false);
  });
});
