import { describe, expect, test } from 'vitest';
import { ApprovalBroker, MAX_WAITING_PER_SERVER, type Question } from '../../../src-main/approvals/approval-broker';
import {
  ARMING_MS,
  DEFAULT_APPROVAL_TIMEOUT_MS,
  type ApprovalAnswer,
  type ApprovalRequest,
} from '../../../src-shared/approvals/approval.schema';
import { ConversationIdSchema } from '../../../src-shared/conversations/conversation.schema';
import { ServerIdSchema } from '../../../src-shared/servers/server.schema';
import { FakeClock } from '../../support/fake-clock';

const chat = ConversationIdSchema.parse('chat-1');
const otherChat = ConversationIdSchema.parse('chat-2');
const notes = ServerIdSchema.parse('notes');

const question = (changes: Partial<Extract<Question, { kind: 'tool-call' }>> = {}): Question => ({
  kind: 'tool-call',
  digest: 'a'.repeat(64) as never,
  serverId: notes,
  serverName: 'Notes',
  namespace: 'notes',
  where: '/usr/bin/notes',
  leaves: false,
  toolName: [{ kind: 'text', text: 'delete' }],
  typedName: 'delete',
  caller: 'model',
  conversationId: chat,
  claims: {},
  strength: 'ask',
  offers: ['once', 'this-chat'],
  arguments: [],
  argumentsText: [{ kind: 'text', text: '{}' }],
  argumentsBytes: 2,
  because: [],
  ...changes,
});

function setUp() {
  const clock = new FakeClock();
  const window = { focused: true, inputAt: -Infinity };
  const broker = new ApprovalBroker(
    clock,
    { lastInputAt: () => window.inputAt, windowFocused: () => window.focused },
    () => undefined,
  );
  const front = (): ApprovalRequest => broker.waiting()[0]!;
  const click = (request: ApprovalRequest, answer: ApprovalAnswer, changes: object = {}) => {
    window.inputAt = clock.now();
    return broker.answer({ id: request.id, digest: request.digest, nonce: request.nonce, answer, ...changes });
  };
  const arm = (request: ApprovalRequest): void => {
    broker.shown(request.id);
    clock.advance(ARMING_MS);
  };
  return { clock, window, broker, front, click, arm };
}

describe('ApprovalBroker', () => {
  test('A1: shows the request until it is answered, and runs once', async () => {
    const { broker, front, click, arm } = setUp();
    const answer = broker.ask(question());
    expect(broker.waiting()).toHaveLength(1);
    arm(front());
    expect(click(front(), { kind: 'once' }).ok).toBe(true);
    await expect(answer).resolves.toEqual({ kind: 'allowed', reach: 'once' });
    expect(broker.waiting()).toEqual([]);
  });

  test('A2: treats silence as a refusal', async () => {
    const { broker, clock } = setUp();
    const answer = broker.ask(question());
    clock.advance(DEFAULT_APPROVAL_TIMEOUT_MS);
    await expect(answer).resolves.toEqual({ kind: 'refused', why: 'nobody-answered' });
  });

  test('A2: a question whose time is over is refused by the answer itself, when the timer is late', async () => {
    const { broker, clock, front, click, arm } = setUp();
    const answer = broker.ask(question());
    arm(front());
    clock.sleep(DEFAULT_APPROVAL_TIMEOUT_MS - ARMING_MS);
    expect(click(front(), { kind: 'once' }).ok).toBe(false);
    await expect(answer).resolves.toEqual({ kind: 'refused', why: 'nobody-answered' });
  });

  test('A2: the first answer counts and a late one changes nothing', async () => {
    const { broker, front, click, arm } = setUp();
    const answer = broker.ask(question());
    const request = front();
    arm(request);
    expect(click(request, { kind: 'refuse', reason: 'not now' }).ok).toBe(true);
    expect(click(request, { kind: 'once' }).ok).toBe(false);
    await expect(answer).resolves.toEqual({ kind: 'refused', why: 'user', reason: 'not now' });
  });

  const settling: [name: string, act: (broker: ApprovalBroker, abort: AbortController) => void][] = [
    ['the window is lost', (broker) => broker.settleAll()],
    ['its chat is stopped or deleted', (broker) => broker.settleConversation(chat)],
    ['its server is turned off', (broker) => broker.settleServer(notes)],
    ['the caller gives up', (_broker, abort) => abort.abort()],
  ];
  test.each(settling)('A2: refuses when %s', async (_name, act) => {
    const { broker } = setUp();
    const abort = new AbortController();
    const answer = broker.ask(question(), abort.signal);
    act(broker, abort);
    await expect(answer).resolves.toEqual({ kind: 'refused', why: 'cancelled' });
    expect(broker.waiting()).toEqual([]);
  });

  test('A2: settling one chat leaves the questions of another', () => {
    const { broker } = setUp();
    void broker.ask(question());
    void broker.ask(question({ conversationId: otherChat }));
    broker.settleConversation(chat);
    expect(broker.waiting()).toHaveLength(1);
  });

  test('A5: an allowing answer before the sheet was shown for 500 ms is not heard', () => {
    const { broker, front, click, clock } = setUp();
    void broker.ask(question());
    expect(click(front(), { kind: 'once' }).ok).toBe(false);
    broker.shown(front().id);
    clock.advance(ARMING_MS - 1);
    expect(click(front(), { kind: 'once' }).ok).toBe(false);
    expect(broker.waiting()).toHaveLength(1);
    clock.advance(1);
    expect(click(front(), { kind: 'once' }).ok).toBe(true);
  });

  test('A9: one sheet is armed at a time: showing one disarms the other, which arms anew when it is back', () => {
    const { broker, click, arm, clock } = setUp();
    void broker.ask(question());
    void broker.ask(question({ digest: 'b'.repeat(64) as never }));
    const [first, second] = broker.waiting() as [ApprovalRequest, ApprovalRequest];
    arm(second);
    arm(first);
    expect(click(second, { kind: 'once' }).ok).toBe(false);
    expect(click(first, { kind: 'once' }).ok).toBe(true);
    broker.shown(second.id);
    expect(click(second, { kind: 'once' }).ok).toBe(false);
    clock.advance(ARMING_MS);
    expect(click(second, { kind: 'once' }).ok).toBe(true);
  });

  test('A2: a question of a chat out of sight keeps no other one from being answered', () => {
    const { broker, click, arm } = setUp();
    void broker.ask(question({ conversationId: otherChat }));
    void broker.ask(question({ digest: 'b'.repeat(64) as never }));
    const second = broker.waiting()[1]!;
    arm(second);
    expect(click(second, { kind: 'once' }).ok).toBe(true);
  });

  const forged: [name: string, changes: object][] = [
    ['another nonce', { nonce: '0'.repeat(32) }],
    ['the digest of other bytes', { digest: 'c'.repeat(64) }],
  ];
  test.each(forged)('A9: an answer with %s allows nothing', (_name, changes) => {
    const { broker, front, click, arm } = setUp();
    void broker.ask(question());
    arm(front());
    expect(click(front(), { kind: 'once' }, changes).ok).toBe(false);
    expect(broker.waiting()).toHaveLength(1);
  });

  test('A9, X13: a page script without a key press or click allows nothing', () => {
    const { broker, front, arm, window } = setUp();
    void broker.ask(question());
    arm(front());
    const { id, digest, nonce } = front();
    const answer = { id, digest, nonce, answer: { kind: 'once' } } as const;
    expect(broker.answer(answer).ok).toBe(false);
    window.inputAt = -1;
    expect(broker.answer(answer).ok).toBe(false);
  });

  test('A9, X13: a click made before the sheet was armed does not carry over', () => {
    const { broker, front, clock, window } = setUp();
    void broker.ask(question());
    broker.shown(front().id);
    clock.advance(ARMING_MS - 100);
    window.inputAt = clock.now();
    clock.advance(200);
    const { id, digest, nonce } = front();
    expect(broker.answer({ id, digest, nonce, answer: { kind: 'once' } }).ok).toBe(false);
  });

  test('A9: a window without the focus allows nothing', () => {
    const { broker, front, click, arm, window } = setUp();
    void broker.ask(question());
    arm(front());
    window.focused = false;
    expect(click(front(), { kind: 'once' }).ok).toBe(false);
  });

  test('A3: a destructive call takes only its typed name, and never "in this chat"', () => {
    const { broker, front, click, arm } = setUp();
    void broker.ask(question({ strength: 'ask-harder', offers: ['once'] }));
    arm(front());
    expect(click(front(), { kind: 'once' }).ok).toBe(false);
    expect(click(front(), { kind: 'once', typedName: 'Delete' }).ok).toBe(false);
    expect(click(front(), { kind: 'this-chat' }).ok).toBe(false);
    expect(click(front(), { kind: 'once', typedName: 'delete' }).ok).toBe(true);
  });

  test('A10: a flood from one server is refused and the others still get through', async () => {
    const { broker } = setUp();
    for (let nth = 0; nth < MAX_WAITING_PER_SERVER; nth++) void broker.ask(question());
    await expect(broker.ask(question())).resolves.toEqual({ kind: 'refused', why: 'too-many-waiting' });
    void broker.ask(question({ serverId: ServerIdSchema.parse('files') }));
    expect(broker.waiting()).toHaveLength(MAX_WAITING_PER_SERVER + 1);
  });
});

test.each<[string, 'is' | undefined, true | undefined]>([
  ['was asked for', 'is', true],
  ['was not on the screen', undefined, undefined],
])('E7: a yes to a private network counts where it %s', async (_when, privateNetwork, counts) => {
  const { broker, front, click, arm } = setUp();
  const launch: Question = {
    kind: 'launch',
    digest: 'b'.repeat(64) as never,
    serverId: notes,
    serverName: 'Notes',
    namespace: 'notes',
    where: '10.0.0.5',
    leaves: true,
    source: { kind: 'you' },
    addedAt: 0,
    changedSince: null,
    plan: { kind: 'http', host: '10.0.0.5', address: [], headers: [], flags: [] },
    ...(privateNetwork && { privateNetwork }),
  };
  const answer = broker.ask(launch);
  arm(front());
  expect(click(front(), { kind: 'once', privateNetwork: true }).ok).toBe(true);
  expect((await answer) as { privateNetwork?: true }).toHaveProperty('kind', 'allowed');
  expect(((await answer) as { privateNetwork?: true }).privateNetwork).toBe(counts);
});
