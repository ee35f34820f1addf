import { describe, expect, test } from 'vitest';
import { grantCountWords, lastsWords, reachWords, unsealedSentence, usesWords } from '../../../src-renderer/grants/grant-words';
import type { GrantRow } from '../../../src-shared/approvals/grant.schema';

type Reach = Pick<GrantRow, 'reach' | 'caller' | 'ended'>;
const always: Reach = { reach: { kind: 'always' }, caller: 'model', ended: null };
const inChat = (title: string): Reach => ({
  reach: { kind: 'this-chat', conversationId: 'chat-1' as never, title },
  caller: 'you',
  ended: null,
});

describe('reachWords', () => {
  const table: [row: Reach, words: string][] = [
    [always, 'always, when a model calls'],
    [{ ...always, caller: 'command-line' }, 'always, from the command line'],
    [inChat('Quarterly notes'), 'in the chat “Quarterly notes”, when you run it'],
    [inChat(''), 'in the chat “New chat”, when you run it'],
    [{ ...always, ended: 'tool-changed' }, 'ended: the tool changed'],
    [{ ...always, ended: 'launch-changed' }, 'ended: what its server runs or contacts changed'],
    [{ ...inChat('Notes'), ended: 'server-gone' }, 'ended: its server was removed'],
  ];
  test.each(table)('A1: %j', (row, words) => {
    expect(reachWords(row)).toBe(words);
  });
});

test('A1: counts those that stand, and those that a change ended', () => {
  expect([[], [always], [always, always, { ...always, ended: 'tool-changed' as const }]].map(grantCountWords)).toEqual([
    '0 grants',
    '1 grant',
    '2 grants, 1 ended by a change',
  ]);
  expect([0, 1, 148].map(usesWords)).toEqual(['not yet', '1 time', '148 times']);
});

test('S5: says that it lasts until the app quits where nothing can be sealed', () => {
  const states = ['ready', 'locked', 'absent', 'memory-only'] as const;
  expect(states.map((state) => lastsWords(state).includes('until you quit'))).toEqual([false, true, true, true]);
});

test('S10: says of a grant without a seal that it allows nothing, and what to do', () => {
  expect(unsealedSentence(1)).toMatch(/^1 grant needs review: .* allows nothing\. Revoke all grants/);
  expect(unsealedSentence(2)).toMatch(/^2 grants need review/);
});
