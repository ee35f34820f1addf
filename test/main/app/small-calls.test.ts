import { describe, expect, test } from 'vitest';
import { chatCalls } from '../../../src-main/agent/chat-calls';
import { shellCalls } from '../../../src-main/app/shell-calls';
import { shellView } from '../../../src-main/app/shell-view';
import { approvalCalls } from '../../../src-main/approvals/approval-calls';
import { ApprovalBroker } from '../../../src-main/approvals/approval-broker';
import { egressCalls } from '../../../src-main/egress/egress-calls';
import { sessionCalls } from '../../../src-main/sessions/session-calls';
import { failed, ok } from '../../../src-shared/base/result';
import { FakeClock } from '../../support/fake-clock';

describe('chat calls', () => {
  const chat = 'chat-1' as never;

  test('A2: stopping ends everything of the chat', async () => {
    const stopped: string[] = [];
    const calls = chatCalls({
      turns: { send: () => ok(undefined), isBusy: () => false },
      attachments: { fetch: async () => ok([]) },
      stopChat: (id) => void stopped.push(id),
    });
    expect(await calls['chat.stop']({ id: chat })).toEqual(ok({}));
    expect(await calls['chat.send']({ id: chat, modelId: 'model-1' as never, text: 'hi', attachments: [] })).toEqual(ok({}));
    expect(stopped).toEqual([chat]);
  });

  test('P1: a model that is off is said to be off', async () => {
    const calls = chatCalls({
      turns: { send: () => failed('Local is off.'), isBusy: () => false },
      attachments: { fetch: async () => ok([]) },
      stopChat: () => undefined,
    });
    const sent = await calls['chat.send']({ id: chat, modelId: 'model-1' as never, text: 'hi', attachments: [] });
    expect(sent).toMatchObject({ ok: false, problem: { message: 'Local is off.' } });
  });
});

describe('what is attached to a message', () => {
  const chat = 'chat-1' as never;
  const asks = [{ kind: 'resource', serverId: 'notes' as never, ref: 'notes://1', given: {} }] as const;

  test('W8: a message does not go out without what belongs to it', async () => {
    const sent: unknown[] = [];
    const calls = chatCalls({
      turns: { send: (...message) => ok(void sent.push(message)), isBusy: () => false },
      attachments: { fetch: async () => failed('Notes did not answer.') },
      stopChat: () => undefined,
    });
    const outcome = await calls['chat.send']({ id: chat, modelId: 'model-1' as never, text: 'hi', attachments: [...asks] });
    expect(outcome).toMatchObject({ ok: false, problem: { message: 'Notes did not answer.' } });
    expect(sent).toEqual([]);
  });

  test('W8: no server is asked for a message that cannot be sent now', async () => {
    const asked: unknown[] = [];
    const calls = chatCalls({
      turns: { send: () => failed('An answer is still being written.'), isBusy: () => true },
      attachments: {
        fetch: async (_id, wanted) => {
          asked.push(wanted);
          return ok([]);
        },
      },
      stopChat: () => undefined,
    });
    await calls['chat.send']({ id: chat, modelId: 'model-1' as never, text: 'hi', attachments: [...asks] });
    expect(asked).toEqual([]);
  });
});

describe('approval calls', () => {
  test('A2: an answer to a question that is gone says so and runs nothing', async () => {
    const broker = new ApprovalBroker(new FakeClock(), { lastInputAt: () => 0, windowFocused: () => true }, () => undefined);
    const calls = approvalCalls(broker, () => null);
    const id = 'approval-1' as never;
    expect(await calls['approvals.shown']({ id })).toEqual(ok({}));
    const given = { id, digest: 'a'.repeat(64) as never, nonce: '0'.repeat(32) as never, answer: { kind: 'once' } } as const;
    expect(await calls['approvals.answer'](given)).toMatchObject({ ok: false, problem: { code: 'refused' } });
  });
});

describe('session calls', () => {
  const id = 'notes' as never;

  test('T1: a review that cannot be shown says why', async () => {
    const looked: string[] = [];
    const lines = [{ at: 1, from: 'stderr', text: 'x' } as const];
    const calls = sessionCalls({
      review: { review: async () => failed('Notes needs a short name first.') },
      pool: { logOf: () => lines },
      lookAgain: (server) => void looked.push(server),
    });
    expect(await calls['servers.review']({ id })).toMatchObject({
      ok: false,
      problem: { message: 'Notes needs a short name first.' },
    });
    expect(await calls['servers.retry']({ id })).toEqual(ok({}));
    expect(await calls['servers.log']({ id })).toEqual(ok({ lines }));
    expect(looked).toEqual([id]);
  });
});

describe('egress calls', () => {
  test('P4: erasing says how many were erased', async () => {
    expect(await egressCalls({ erase: () => 7 })['egress.erase']({})).toEqual(ok({ erased: 7 }));
  });
});

describe('the shell', () => {
  const facts = { app: { getVersion: () => '1.2.3' }, problems: [null, 'The servers file cannot be read.'], goTo: null };

  test('S4, S5: stores that cannot be read and a keychain that does not answer stay in sight', () => {
    expect(shellView({ ...facts, keychain: 'ready' }).banners).toEqual(['The servers file cannot be read.']);
    for (const keychain of ['locked', 'absent', 'memory-only'] as const) {
      expect(shellView({ ...facts, keychain }).banners).toHaveLength(2);
    }
  });

  test('a window that is ready is told everything', async () => {
    let told = 0;
    expect(await shellCalls({ windowReady: () => void told++ })['shell.ready']({})).toEqual(ok({}));
    expect(told).toBe(1);
  });
});
