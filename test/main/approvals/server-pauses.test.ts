import { describe, expect, test } from 'vitest';
import { ApprovalBroker, MAX_WAITING_PER_SERVER, type ToolQuestion } from '../../../src-main/approvals/approval-broker';
import { approvalCalls } from '../../../src-main/approvals/approval-calls';
import { REFUSALS_BEFORE_PAUSE, ServerPauses } from '../../../src-main/approvals/server-pauses';
import { ARMING_MS, DEFAULT_APPROVAL_TIMEOUT_MS, type ApprovalRequest } from '../../../src-shared/approvals/approval.schema';
import { sha256Hex } from '../../../src-shared/base/sha256';
import { toVisibleText } from '../../../src-shared/base/visible-text';
import type { ConversationId } from '../../../src-shared/conversations/conversation.schema';
import { contract } from '../../../src-shared/ipc/contract';
import type { ServerId } from '../../../src-shared/servers/server.schema';
import { FakeClock } from '../../support/fake-clock';

const chat = 'chat-1' as ConversationId;
const otherChat = 'chat-2' as ConversationId;
const notes = 'notes' as ServerId;
const mail = 'mail' as ServerId;

const question = (changes: Partial<ToolQuestion> = {}): ToolQuestion => ({
  kind: 'tool-call',
  digest: sha256Hex('{}'),
  serverId: notes,
  serverName: 'Notes',
  namespace: 'notes',
  where: '/usr/bin/notes',
  leaves: false,
  toolName: toVisibleText('find'),
  typedName: 'find',
  caller: 'model',
  conversationId: chat,
  claims: {},
  strength: 'ask',
  offers: ['once'],
  arguments: [],
  argumentsText: toVisibleText('{}'),
  argumentsBytes: 2,
  because: [],
  ...changes,
});

function setUp() {
  const clock = new FakeClock();
  let inputAt = -Infinity;
  let acts = true;
  const broker = new ApprovalBroker(clock, { lastInputAt: () => inputAt, windowFocused: () => true }, () => undefined);
  const calls = approvalCalls(broker, () => (acts ? null : 'No click.'));
  const answer = (request: ApprovalRequest, kind: 'refuse' | 'once') => {
    if (kind === 'once') {
      broker.shown(request.id);
      clock.advance(ARMING_MS);
      inputAt = clock.now();
    }
    return broker.answer({ id: request.id, digest: request.digest, nonce: request.nonce, answer: { kind } });
  };
  const refuse = (times: number, changes: Partial<ToolQuestion> = {}) => {
    for (let nth = 0; nth < times; nth++) {
      void broker.ask(question(changes));
      answer(broker.waiting()[0]!, 'refuse');
    }
  };
  const withoutAct = () => (acts = false);
  return { clock, broker, calls, answer, refuse, withoutAct };
}

describe('fatigue', () => {
  test('A10: after three refusals in a chat nobody is asked about that server there any more', async () => {
    const { broker, refuse } = setUp();
    refuse(REFUSALS_BEFORE_PAUSE - 1);
    expect(broker.pauses.pausedIn(chat)).toEqual([]);
    refuse(1);
    expect(broker.pauses.pausedIn(chat)).toEqual([notes]);
    expect(await broker.ask(question())).toEqual({ kind: 'refused', why: 'paused' });
    expect(broker.waiting()).toEqual([]);
  });

  test('A10: another chat and another server are asked about as before', () => {
    const { broker, refuse } = setUp();
    refuse(REFUSALS_BEFORE_PAUSE);
    void broker.ask(question({ conversationId: otherChat }));
    void broker.ask(question({ serverId: mail }));
    expect(broker.waiting()).toHaveLength(2);
  });

  test('A10: a silence counts as a refusal, and what was stopped counts for nothing', () => {
    const { broker, clock } = setUp();
    for (let nth = 0; nth < REFUSALS_BEFORE_PAUSE; nth++) void broker.ask(question());
    broker.settleConversation(chat);
    expect(broker.pauses.pausedIn(chat)).toEqual([]);
    for (let nth = 0; nth < REFUSALS_BEFORE_PAUSE; nth++) void broker.ask(question());
    clock.advance(DEFAULT_APPROVAL_TIMEOUT_MS);
    expect(broker.pauses.pausedIn(chat)).toEqual([notes]);
  });

  test('A10: a yes in between takes no refusal back', () => {
    const { broker, refuse, answer } = setUp();
    refuse(REFUSALS_BEFORE_PAUSE - 1);
    void broker.ask(question());
    answer(broker.waiting()[0]!, 'once');
    refuse(1);
    expect(broker.pauses.isPaused(chat, notes)).toBe(true);
  });

  test('A10: resuming is an act of a person, and the count begins anew', async () => {
    const { broker, calls, refuse, withoutAct } = setUp();
    refuse(REFUSALS_BEFORE_PAUSE);
    expect(await calls['approvals.resume']({ conversationId: chat, serverId: notes })).toMatchObject({ ok: true });
    refuse(REFUSALS_BEFORE_PAUSE - 1);
    expect(broker.pauses.isPaused(chat, notes)).toBe(false);
    refuse(1);
    withoutAct();
    expect(await calls['approvals.resume']({ conversationId: chat, serverId: notes })).toMatchObject({ ok: false });
    expect(broker.pauses.isPaused(chat, notes)).toBe(true);
  });

  test('A10: the window is told when a pause begins and when it ends', () => {
    let told = 0;
    const pauses = new ServerPauses(() => told++);
    for (let nth = 0; nth < 5; nth++) pauses.refused(chat, notes);
    expect(told).toBe(1);
    pauses.resume(chat, notes);
    pauses.resume(chat, notes);
    expect(told).toBe(2);
  });

  test('X14: two hundred asks under two hundred names put three sheets before a person who refuses, and none runs', async () => {
    const { broker, answer } = setUp();
    const ran: string[] = [];
    const because = new Map<string, number>();
    let shown = 0;
    for (let nth = 0; nth < 200; nth++) {
      const settled = broker.ask(
        question({ toolName: toVisibleText(`find_${nth}`), caller: nth % 2 ? 'model' : 'command-line' }),
      );
      expect(broker.waiting().length).toBeLessThanOrEqual(MAX_WAITING_PER_SERVER);
      for (const request of broker.waiting()) {
        shown += 1;
        answer(request, 'refuse');
      }
      const outcome = await settled;
      if (outcome.kind === 'allowed') ran.push(`find_${nth}`);
      else because.set(outcome.why, (because.get(outcome.why) ?? 0) + 1);
    }
    expect({ shown, ran, because: [...because] }).toEqual({
      shown: REFUSALS_BEFORE_PAUSE,
      ran: [],
      because: [
        ['user', REFUSALS_BEFORE_PAUSE],
        ['paused', 200 - REFUSALS_BEFORE_PAUSE],
      ],
    });
  });

  test('X14: a flood at once never has more than five sheets of one server waiting', async () => {
    const { broker } = setUp();
    const all = Array.from({ length: 200 }, () => broker.ask(question()));
    expect(broker.waiting()).toHaveLength(MAX_WAITING_PER_SERVER);
    broker.settleAll();
    const whys = (await Promise.all(all)).map((settled) => settled.kind === 'refused' && settled.why);
    expect(whys.filter((why) => why === 'too-many-waiting')).toHaveLength(200 - MAX_WAITING_PER_SERVER);
    expect(whys).not.toContain(false);
  });
});

describe('no answer settles more than one call', () => {
  const names = Object.keys(contract.calls).filter((name) => name.startsWith('approvals.'));

  test('A10: the calls about approvals are these, and each one names one sheet or one server of one chat', () => {
    expect(names.sort()).toEqual([
      'approvals.answer',
      'approvals.edit',
      'approvals.editable',
      'approvals.resume',
      'approvals.shown',
    ]);
    const { id } = contract.calls['approvals.answer'].input.shape;
    expect(id.safeParse('approval-1').success).toBe(true);
    for (const many of ['*', 'all', '', null, ['approval-1', 'approval-2'], 'approval-1,approval-2']) {
      expect(id.safeParse(many).success, JSON.stringify(many)).toBe(false);
    }
  });

  test('A2: one yes leaves every other sheet of the same tool and the same arguments waiting', async () => {
    const { broker, answer } = setUp();
    const settled = [1, 2, 3].map(() => broker.ask(question()));
    const [first, second, third] = broker.waiting();
    expect(answer(second!, 'once').ok).toBe(true);
    expect(await settled[1]).toMatchObject({ kind: 'allowed' });
    expect(broker.waiting().map(({ id }) => id)).toEqual([first!.id, third!.id]);
  });
});
