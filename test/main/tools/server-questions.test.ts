import { describe, expect, test } from 'vitest';
import { ApprovalBroker } from '../../../src-main/approvals/approval-broker';
import { maskSecrets } from '../../../src-main/secrets/mask-secrets';
import type { AskedQuestion } from '../../../src-main/sessions/mcp-session-questions';
import { questionsDuring } from '../../../src-main/tools/server-questions';
import {
  ARMING_MS,
  ApprovalRequestSchema,
  DEFAULT_APPROVAL_TIMEOUT_MS,
  type ApprovalAnswer,
  type QuestionApproval,
} from '../../../src-shared/approvals/approval.schema';
import type { ConversationId } from '../../../src-shared/conversations/conversation.schema';
import type { ServerId } from '../../../src-shared/servers/server.schema';
import type { CallerKind, JsonObject } from '../../../src-shared/tools/tool.schema';
import { FakeClock } from '../../support/fake-clock';

const chat = 'chat-1' as ConversationId;
const notes = 'notes' as ServerId;
const call = {
  serverId: notes,
  rawName: 'find\u202e',
  conversationId: chat,
  face: { name: 'Notes', namespace: 'notes', where: 'notes.example', leaves: true, fingerprint: 'not for the window' },
};
const form = (properties: JsonObject = { city: { type: 'string' } }, message = 'Which city?') => ({
  message,
  requestedSchema: { type: 'object', properties },
});
const address = (url = 'https://notes.example/in?a=1') => ({ mode: 'url', message: 'Sign in', url, elicitationId: 'e1' });

function setUp(caller: CallerKind = 'model', browserOpens = true) {
  const clock = new FakeClock();
  const window = { inputAt: -Infinity };
  const broker = new ApprovalBroker(clock, { lastInputAt: () => window.inputAt, windowFocused: () => true }, () => undefined);
  const opened: string[] = [];
  const became: string[] = [];
  const parts = {
    broker,
    mask: (text: string) => maskSecrets(text, ['hunter2']),
    async openBrowser(url: string) {
      if (browserOpens) opened.push(url);
      return browserOpens;
    },
  };
  const answer = questionsDuring(parts, caller, call, became);
  const ask = (params: unknown, rest: Partial<AskedQuestion> = {}) =>
    answer!({ params, signal: new AbortController().signal, returned: null, ...rest });
  const sheet = (): QuestionApproval => {
    const [first] = broker.waiting();
    if (first?.kind !== 'question') throw new Error('no question is waiting');
    return first;
  };
  const give = (given: ApprovalAnswer) => {
    const { id, digest, nonce } = sheet();
    broker.shown(id);
    clock.advance(ARMING_MS);
    window.inputAt = clock.now();
    return broker.answer({ id, digest, nonce, answer: given });
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { clock, broker, answer, ask, sheet, give, opened, became, settled, window };
}

const filled = (value: object): ApprovalAnswer => ({ kind: 'filled', text: JSON.stringify(value) });

describe('a form', () => {
  test('W8, N7: its sheet names the server, its short name, where it is, the tool and the chat', async () => {
    const { ask, sheet, give } = setUp();
    const reply = ask(form());
    expect(sheet()).toMatchObject({
      serverName: 'Notes',
      namespace: 'notes',
      where: 'notes.example',
      leaves: true,
      conversationId: chat,
      toolName: [
        { kind: 'text', text: 'find' },
        { kind: 'escape', text: '\\u202e' },
      ],
      message: 'Which city?',
    });
    expect(ApprovalRequestSchema.parse(sheet())).toEqual(sheet());
    expect(JSON.stringify(sheet())).not.toContain('not for the window');
    give({ kind: 'refuse' });
    await reply;
  });

  test('W8: what was filled in is sent, and only that', async () => {
    const { ask, give, became } = setUp();
    const reply = ask(form());
    expect(give(filled({ city: 'Rome' })).ok).toBe(true);
    expect(await reply).toEqual({ action: 'accept', content: { city: 'Rome' } });
    expect(became).toEqual(['Notes asked a question, and you answered it.']);
  });

  test('W8: an answer that breaks the form is not sent, and the question stays', async () => {
    const { ask, give, sheet } = setUp();
    void ask(form({ count: { type: 'integer', title: 'How many', maximum: 3 } }));
    for (const wrong of [filled({ count: 4 }), filled({ other: 1 }), { kind: 'filled', text: '{' } as const]) {
      expect(give(wrong)).toMatchObject({ ok: false });
      expect(sheet()).toBeDefined();
    }
    expect(give(filled({ count: 4 }))).toEqual({ ok: false, problem: '“How many”: Enter a number of at most 3.' });
    expect(give({ kind: 'once' })).toMatchObject({ ok: false, problem: 'Fill in the form to send it.' });
  });

  test('A7: an answer that holds a stored secret is not sent, and its field is named', async () => {
    const { ask, give, sheet } = setUp();
    void ask(form({ note: { type: 'string', title: 'Note' } }));
    expect(give(filled({ note: 'it is hunter2' }))).toMatchObject({
      ok: false,
      problem: expect.stringContaining('“Note” holds a secret'),
    });
    expect(sheet()).toBeDefined();
  });

  test('A7: an answer that holds what looks like a key is not sent, and an address that does says so', () => {
    const key = 'AKIA' + 'ABCDEFGHIJKLMNOP';
    const filling = setUp();
    void filling.ask(form({ note: { type: 'string', title: 'Note' } }));
    expect(filling.give(filled({ note: `it is ${key}` }))).toEqual({
      ok: false,
      problem: '“Note” holds what looks like an AWS access key. Take it out, and the form can be sent.',
    });
    const opening = setUp();
    void opening.ask(address(`https://notes.example/in?a=${key}`));
    expect(opening.sheet().ask).toMatchObject({
      warning: 'The address holds what looks like an AWS access key. Opening it gives that to notes.example.',
    });
  });

  test('A9: a filled form counts only on an armed sheet, with its nonce, its digest and a real act', () => {
    const { ask, broker, sheet, clock, window } = setUp();
    void ask(form());
    const { id, digest, nonce } = sheet();
    const answer = filled({ city: 'Rome' });
    window.inputAt = clock.now();
    expect(broker.answer({ id, digest, nonce, answer }).ok).toBe(false);
    broker.shown(id);
    clock.advance(ARMING_MS);
    expect(broker.answer({ id, digest, nonce, answer }).ok).toBe(false);
    window.inputAt = clock.now();
    expect(broker.answer({ id, digest: '0'.repeat(64) as never, nonce, answer }).ok).toBe(false);
    expect(broker.answer({ id, digest, nonce: '0'.repeat(32) as never, answer }).ok).toBe(false);
    expect(broker.answer({ id, digest, nonce, answer }).ok).toBe(true);
  });

  test('A5: other words are another digest', async () => {
    const { ask, sheet, give } = setUp();
    const digests = new Set<string>();
    for (const params of [form(), form(undefined, 'Which?'), form({ town: { type: 'string' } })]) {
      const reply = ask(params);
      digests.add(sheet().digest);
      give({ kind: 'refuse' });
      await reply;
    }
    expect(digests.size).toBe(3);
  });

  test('W8: no is decline; silence, a stop and a chat that is gone are cancel (A2)', async () => {
    const { ask, give, clock, broker } = setUp();
    const no = ask(form());
    give({ kind: 'refuse' });
    expect(await no).toEqual({ action: 'decline' });

    const silence = ask(form());
    clock.advance(DEFAULT_APPROVAL_TIMEOUT_MS);
    expect(await silence).toEqual({ action: 'cancel' });

    const gone = ask(form());
    broker.settleConversation(chat);
    expect(await gone).toEqual({ action: 'cancel' });

    const off = ask(form());
    broker.settleServer(notes);
    expect(await off).toEqual({ action: 'cancel' });

    const stop = new AbortController();
    const stopped = ask(form(), { signal: stop.signal });
    stop.abort();
    expect(await stopped).toEqual({ action: 'cancel' });
    expect(broker.waiting()).toEqual([]);
  });

  test('W8, H13, X12: a form that asks for a secret is declined without a sheet, and the chat is told why', async () => {
    const { ask, broker, became } = setUp();
    expect(await ask(form({ password: { type: 'string' } }))).toEqual({ action: 'decline' });
    expect(broker.waiting()).toEqual([]);
    expect(became).toEqual([expect.stringMatching(/^Notes asked for “password”, which looks like a secret\./)]);
  });

  test('S5, X10: a secret of this app that the server gives back stands on no sheet', async () => {
    const { ask, sheet, give, became } = setUp();
    const field = { type: 'string', title: 'hunter2', description: 'aHVudGVyMg==', default: 'hun\u200bter2' };
    const reply = ask(form({ city: field }, 'Still hunter2?'));
    expect(JSON.stringify(sheet())).not.toMatch(/hunter2|aHVudGVyMg/);
    give({ kind: 'refuse' });
    await reply;
    await ask(form({ password: { type: 'string', title: 'hunter2 password' } }));
    expect(became.join()).not.toContain('hunter2');
  });

  test('O1, H12: the sheet gets no invisible character of the server, and their number', async () => {
    const { ask, sheet, give } = setUp();
    const reply = ask(form({ city: { type: 'string', description: 'a\u202eb', default: 'x\u200b' } }, 'Which\u001b[31m one?'));
    const { message, removedCharacters, ask: asked } = sheet();
    expect([message, removedCharacters]).toEqual(['Which one?', 7]);
    expect(JSON.stringify(asked)).not.toMatch(/\u202e|\u200b|\u001b/);
    give({ kind: 'refuse' });
    await reply;
  });
});

describe('an address', () => {
  test('W8: it is shown whole, and opened only after the button', async () => {
    const { ask, sheet, give, opened } = setUp();
    const reply = ask(address());
    expect(sheet().ask).toEqual({ kind: 'open', before: 'https://', host: 'notes.example', after: '/in?a=1', warning: null });
    expect(opened).toEqual([]);
    give({ kind: 'once' });
    expect(await reply).toEqual({ action: 'accept' });
    expect(opened).toEqual(['https://notes.example/in?a=1']);
  });

  test('W8: not opened, it is declined; a browser that does not start is a cancel', async () => {
    const no = setUp();
    const refused = no.ask(address());
    no.give({ kind: 'refuse' });
    expect(await refused).toEqual({ action: 'decline' });
    expect(no.opened).toEqual([]);
    const broken = setUp('model', false);
    const reply = broken.ask(address());
    broken.give({ kind: 'once' });
    expect(await reply).toEqual({ action: 'cancel' });
    expect(broken.became.at(-1)).toContain('did not open');
  });

  test.each([
    'https://notes.example/?k=hunter2',
    'https://notes.example/?k=%68unter2',
    'http://notes.example/',
    'file:///etc/passwd',
  ])('A7, H1, X12: %s is declined without a sheet', async (url) => {
    const { ask, broker, opened } = setUp();
    expect(await ask(address(url))).toEqual({ action: 'decline' });
    expect([broker.waiting(), opened]).toEqual([[], []]);
  });

  test('W8: a call that is made again waits until the person is back', async () => {
    const { ask, sheet, give, settled } = setUp();
    let replied = false;
    const reply = ask(address(), { returned: new AbortController().signal }).finally(() => (replied = true));
    give({ kind: 'once' });
    await settled();
    expect(sheet().ask).toEqual({ kind: 'come-back', host: 'notes.example' });
    expect(replied).toBe(false);
    give({ kind: 'once' });
    expect(await reply).toEqual({ action: 'accept' });
  });

  test('W8: or until the server says that it is done; a stop is no return', async () => {
    for (const ends of ['done', 'stopped'] as const) {
      const { ask, give, settled, broker } = setUp();
      const [returned, stop] = [new AbortController(), new AbortController()];
      const reply = ask(address(), { returned: returned.signal, signal: stop.signal });
      give({ kind: 'once' });
      await settled();
      (ends === 'done' ? returned : stop).abort();
      expect(await reply).toEqual({ action: ends === 'done' ? 'accept' : 'cancel' });
      expect(broker.waiting()).toEqual([]);
    }
  });
});

test('W8: where a program calls, or without a window, nobody is asked', () => {
  expect(setUp('command-line').answer).toBeUndefined();
  expect(setUp('you').answer).toBeDefined();
  const broker = { ask: () => Promise.reject(new Error('asked')) };
  expect(questionsDuring({ broker, mask: String }, 'model', call, [])).toBeUndefined();
});
