import { describe, expect, test } from 'vitest';
import { grantCalls } from '../../../src-main/approvals/grant-calls';
import type { Digest } from '../../../src-shared/base/digest.schema';
import type { ServerId } from '../../../src-shared/servers/server.schema';
import type { ToolClaims } from '../../../src-shared/tools/tool.schema';
import { memoryGrants } from '../../support/memory-grants';

const notes = 'notes' as ServerId;
const digest = (letter: string) => letter.repeat(64) as Digest;
const facts = { caller: 'model', serverId: notes, rawName: 'find', fingerprint: 'f1', definition: digest('a') } as const;
const chatFacts = { ...facts, conversationId: 'chat-1' as never };

function setUp(claims: ToolClaims = {}) {
  const grants = memoryGrants();
  const state: { noAct: string | null } = { noAct: null };
  const calls = grantCalls({
    grants,
    offeredTool: (id, rawName) =>
      id === notes && rawName === 'find' ? { digest: digest('a'), claims, fingerprint: 'f1' } : null,
    noActProblem: () => state.noAct,
  });
  const set = (policy: 'ask' | 'allowed', rawName = 'find', letter = 'a') =>
    calls['grants.setPolicy']({ serverId: notes, rawName, policy, digest: digest(letter) });
  return { grants, state, calls, set };
}

describe('grants.setPolicy', () => {
  test('A1: "Allowed" covers a model’s calls of that one tool as it is now, and "Ask" takes back all of them', async () => {
    const { grants, set } = setUp();
    expect(await set('allowed')).toEqual({ ok: true, value: {} });
    grants.lasting.allow({ ...facts, caller: 'you' });
    expect([grants.standing(chatFacts), grants.standing({ ...chatFacts, caller: 'command-line' })]).toEqual(['always', 'none']);
    expect(await set('ask')).toEqual({ ok: true, value: {} });
    expect(grants.lasting.list()).toEqual([]);
  });

  const refusals: [what: string, claims: ToolClaims, rawName: string, letter: string, says: RegExp][] = [
    ['A3: a tool its server calls destructive', { destructive: true }, 'find', 'a', /asks every time/],
    ['A3: one whose hints contradict each other', { destructive: true, readOnly: true }, 'find', 'a', /asks every time/],
    ['R4: a definition that was not on the screen', {}, 'find', 'b', /changed while it was on the screen/],
    ['R4: a tool that is not on', {}, 'delete\u202e', 'a', /^delete\\u202e is not on\. Turn it on first\.$/],
  ];
  test.each(refusals)('%s is not allowed for good', async (_what, claims, rawName, letter, says) => {
    const { grants, set } = setUp(claims);
    expect(await set('allowed', rawName, letter)).toMatchObject({ ok: false, problem: { message: expect.stringMatching(says) } });
    expect(grants.lasting.list()).toEqual([]);
  });

  test('A9: without a click or a key press nothing is allowed, and taking back needs neither', async () => {
    const { grants, set, state } = setUp();
    state.noAct = 'Use the switch yourself.';
    expect(await set('allowed')).toMatchObject({ ok: false, problem: { message: 'Use the switch yourself.' } });
    grants.lasting.allow(facts);
    expect(await set('ask')).toEqual({ ok: true, value: {} });
    expect(grants.standing(chatFacts)).toBe('none');
  });
});

test('A1: grants.revoke takes back one, of a chat or a lasting one', async () => {
  const { grants, calls } = setUp();
  grants.remember(chatFacts, 'this-chat');
  grants.remember(chatFacts, 'always');
  expect(grants.standing(chatFacts)).toBe('always');
  await calls['grants.revoke']({ id: grants.lasting.list()[0]!.id });
  expect(grants.standing(chatFacts)).toBe('this-chat');
  await calls['grants.revoke']({ id: grants.ofChats.list()[0]!.id });
  expect(grants.standing(chatFacts)).toBe('none');
});

test('T4: grants.revokeAll takes back all of both kinds', async () => {
  const { grants, calls } = setUp();
  grants.remember(chatFacts, 'this-chat');
  grants.remember({ ...chatFacts, rawName: 'read' }, 'always');
  expect(await calls['grants.revokeAll']({})).toEqual({ ok: true, value: {} });
  expect([grants.ofChats.list(), grants.lasting.list()]).toEqual([[], []]);
});
