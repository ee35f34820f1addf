import { expect, test } from 'vitest';
import type { GrantFacts } from '../../../src-main/approvals/chat-grants';
import { Grants } from '../../../src-main/approvals/grants';
import { failed } from '../../../src-shared/base/result';
import { memoryGrants } from '../../support/memory-grants';

const facts: GrantFacts = {
  conversationId: 'chat-1' as never,
  caller: 'model',
  serverId: 'notes' as never,
  rawName: 'find',
  fingerprint: 'f1',
  definition: 'a'.repeat(64) as never,
};

test('A1: an answer for one call leaves nothing behind', () => {
  const grants = memoryGrants();
  expect(grants.remember(facts, 'once')).toBe('allowed it once');
  expect(grants.standing(facts)).toBe('none');
});

test('A1: a lasting grant holds in every chat, one of a chat in that chat alone', () => {
  const elsewhere = { ...facts, conversationId: 'chat-2' as never };
  const grants = memoryGrants();
  expect(grants.remember(facts, 'this-chat')).toBe('allowed it in this chat');
  expect([grants.standing(facts), grants.standing(elsewhere)]).toEqual(['this-chat', 'none']);
  expect(grants.remember(facts, 'always')).toBe('allowed this tool always');
  expect([grants.standing(facts), grants.standing(elsewhere)]).toEqual(['always', 'always']);
});

test('A1: a call that runs by a grant is counted on that one, and says what let it through', () => {
  const grants = memoryGrants();
  grants.remember(facts, 'this-chat');
  expect(grants.use(facts)).toBe('allowed in this chat');
  grants.remember(facts, 'always');
  expect(grants.use(facts)).toBe('allowed always for this tool');
  expect([grants.ofChats.list()[0]?.uses, grants.lasting.list()[0]?.use?.count]).toEqual([1, 1]);
});

test('A1: turning a server off ends what chats allowed of it, and removing it ends all', () => {
  const grants = memoryGrants();
  grants.remember(facts, 'this-chat');
  grants.remember(facts, 'always');
  grants.serverStopped(facts.serverId);
  expect([grants.ofChats.list().length, grants.standing(facts)]).toEqual([0, 'always']);
  grants.remember(facts, 'this-chat');
  grants.forgetServer(facts.serverId);
  expect(grants.standing(facts)).toBe('none');
});

test('S4: "always" that cannot be saved lets the one call through, and says so', () => {
  const { ofChats, lasting } = memoryGrants();
  lasting.allow = () => failed('trust.json could not be saved.');
  const grants = new Grants(ofChats, lasting);
  expect(grants.remember(facts, 'always')).toBe('allowed it once, because “always” could not be saved');
  expect(grants.standing(facts)).toBe('none');
});
