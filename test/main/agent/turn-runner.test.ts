import { describe, expect, test } from 'vitest';
import type { ChatRequest, ModelReply } from '../../../src-main/agent/openai-chat';
import { MAX_ANSWERS_PER_TURN, TurnRunner, type ReadyModel } from '../../../src-main/agent/turn-runner';
import type { ToolCallRequest } from '../../../src-main/tools/call-decision';
import { failed, ok, type Result } from '../../../src-shared/base/result';
import type { ConversationEntry, ConversationFeed, ConversationId } from '../../../src-shared/conversations/conversation.schema';
import type { LedgerRow } from '../../../src-shared/egress/egress.schema';
import type { ModelId } from '../../../src-shared/models/model.schema';
import { FakeClock } from '../../support/fake-clock';

const chat = 'chat-1' as ConversationId;
const model = 'model-1' as ModelId;
const ready: ReadyModel = {
  modelName: 'Local',
  host: '127.0.0.1:11434',
  baseURL: 'http://127.0.0.1:11434/v1',
  model: 'm',
  key: null,
  fetch: () => Promise.reject(new Error('not used')),
  leaves: false,
};
const answer = (text: string): ModelReply => ({ text, toolUses: [], finish: 'done' });
const uses = (...names: string[]): ModelReply => ({
  text: '',
  toolUses: names.map((name) => ({ id: 'call_0', name, argumentsText: '{}' })),
  finish: 'tool-calls',
});

function setUp(
  replies: (ModelReply | ((request: ChatRequest) => Promise<ModelReply>))[],
  readyModel: Result<ReadyModel, string> = ok(ready),
) {
  const entries: ConversationEntry[] = [];
  const disk = { append: (entry: ConversationEntry): boolean => entries.push(entry) > 0 };
  const asked: ChatRequest[] = [];
  const calls: ToolCallRequest[] = [];
  const fed: ConversationFeed[] = [];
  const road: { until(request: ToolCallRequest): Promise<void> | void } = { until: () => undefined };
  const ledger: LedgerRow[] = [];
  const runner = new TurnRunner({
    clock: new FakeClock(),
    pipeline: {
      call: async (request) => {
        calls.push(request);
        await road.until(request);
        return {} as never;
      },
      toolsForModel: () => [{ name: 'read_output', description: '', parameters: {} }],
    },
    conversations: { entries: () => entries, append: (_id, entry) => disk.append(entry) },
    readyModel: () => readyModel,
    streamChat: async (request) => {
      asked.push(request);
      const next = replies.shift() ?? answer('nothing more');
      return typeof next === 'function' ? next(request) : next;
    },
    ledgerSince: () => ledger,
    feed: (value) => fed.push(value),
    changed: () => undefined,
  });
  const idle = async (): Promise<void> => {
    while (runner.isBusy(chat)) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  return { runner, road, disk, entries, asked, calls, fed, ledger, idle };
}

describe('TurnRunner', () => {
  test('W3: one call of a turn can be cancelled, and the turn goes on', async () => {
    const { runner, road, calls, entries, idle } = setUp([uses('a__x', 'a__y'), answer('done')]);
    road.until = ({ signal }) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    runner.send(chat, model, 'hi');
    while (calls.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    runner.cancelCall(calls[0]!.callId);
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    runner.cancelCall(calls[1]!.callId);
    await idle();
    expect(entries.at(-1)).toMatchObject({ text: 'done' });
  });

  test('writes down the message and the answer', async () => {
    const { runner, entries, idle } = setUp([answer('hello')]);
    expect(runner.send(chat, model, 'hi').ok).toBe(true);
    await idle();
    expect(entries).toMatchObject([
      { kind: 'user', text: 'hi' },
      { kind: 'assistant', text: 'hello', finish: 'done', model: 'Local' },
    ]);
  });

  test('A8: a message to a chat that was deleted goes to nobody', async () => {
    const { runner, disk, asked, idle } = setUp([answer('hello')]);
    disk.append = () => false;
    expect(runner.send(chat, model, 'hi').ok).toBe(false);
    await idle();
    expect(asked).toEqual([]);
  });

  test('G2: a message that could not be written leaves the chat free for the next', async () => {
    const { runner, disk, asked, idle } = setUp([answer('hello')]);
    const { append } = disk;
    disk.append = () => {
      throw new Error('ENOSPC');
    };
    expect(() => runner.send(chat, model, 'hi')).toThrow();
    expect([runner.isBusy(chat), asked.length]).toEqual([false, 0]);
    disk.append = append;
    expect(runner.send(chat, model, 'hi').ok).toBe(true);
    await idle();
  });

  test('G2: a disk that is full when the answer comes ends the turn with a word, and no tool runs', async () => {
    const { runner, disk, entries, asked, calls, fed, idle } = setUp([{ ...uses('notes__find'), text: 'I look.' }]);
    const { append } = disk;
    disk.append = (entry) => {
      if (entry.kind === 'user') return append(entry);
      throw new Error('ENOSPC');
    };
    runner.send(chat, model, 'hi');
    await idle();
    expect(fed).toMatchObject([
      {
        kind: 'entry',
        conversationId: chat,
        entry: {
          kind: 'assistant',
          text: 'I look.',
          finish: 'interrupted',
          problem: 'The chat could not be written to its file. Check that the disk has room.',
        },
      },
    ]);
    expect([entries.length, asked.length, calls.length]).toEqual([1, 1, 0]);
  });

  test('P1: a model that is off gets nothing, and the message is not lost half-stored', () => {
    const { runner, entries, asked } = setUp([], failed('Local is off.'));
    expect(runner.send(chat, model, 'hi')).toEqual(failed('Local is off.'));
    expect([entries.length, asked.length]).toEqual([0, 0]);
  });

  test('A1: every tool use takes the one road, as a call by the model', async () => {
    const { runner, calls, idle } = setUp([uses('notes__find', 'notes__wipe'), answer('done')]);
    runner.send(chat, model, 'hi');
    await idle();
    expect(calls.map(({ caller, target }) => [caller, target])).toEqual([
      ['model', { kind: 'named', name: 'notes__find' }],
      ['model', { kind: 'named', name: 'notes__wipe' }],
    ]);
  });

  test('A8: uses that share an id, in one answer or across answers, are told apart', async () => {
    const { runner, calls, idle } = setUp([uses('a', 'b'), uses('c'), answer('done')]);
    runner.send(chat, model, 'hi');
    await idle();
    expect(new Set(calls.map((call) => call.callId)).size).toBe(3);
  });

  test('G2: what was asked for in a stream that broke is not run', async () => {
    const { runner, calls, entries, idle } = setUp([
      { text: 'half', toolUses: [], finish: 'interrupted', problem: 'It stopped.' },
    ]);
    runner.send(chat, model, 'hi');
    await idle();
    expect(calls).toEqual([]);
    expect(entries.at(-1)).toMatchObject({ kind: 'assistant', text: 'half', finish: 'interrupted', problem: 'It stopped.' });
  });

  test('stops at once when told to, and hears no second message meanwhile', async () => {
    const waiting = (request: ChatRequest): Promise<ModelReply> =>
      new Promise((resolve) =>
        request.signal.addEventListener('abort', () => resolve({ text: 'ha', toolUses: [], finish: 'stopped' })),
      );
    const { runner, entries, idle } = setUp([waiting]);
    runner.send(chat, model, 'hi');
    expect(runner.send(chat, model, 'again').ok).toBe(false);
    runner.stop(chat);
    await idle();
    expect(entries.at(-1)).toMatchObject({ text: 'ha', finish: 'stopped' });
  });

  test('G3: quitting in the middle of an answer keeps what was said so far', async () => {
    const waiting = (request: ChatRequest): Promise<ModelReply> =>
      new Promise((resolve) =>
        request.signal.addEventListener('abort', () =>
          setTimeout(() => resolve({ text: 'half', toolUses: [], finish: 'stopped' }), 5),
        ),
      );
    const { runner, entries } = setUp([waiting]);
    runner.send(chat, model, 'hi');
    await runner.end();
    expect(entries.at(-1)).toMatchObject({ kind: 'assistant', text: 'half', finish: 'stopped' });
  });

  test('a model that calls tools for ever is stopped with a sentence', async () => {
    const { runner, asked, entries, idle } = setUp(Array.from({ length: 100 }, () => uses('a')));
    runner.send(chat, model, 'hi');
    await idle();
    expect(asked).toHaveLength(MAX_ANSWERS_PER_TURN);
    expect(entries.at(-1)).toMatchObject({ kind: 'assistant', finish: 'stopped' });
  });

  test('G6: says what reached the model’s host while the answer was made', async () => {
    const { runner, entries, ledger, idle } = setUp([answer('hello')]);
    ledger.push({ host: ready.host, bytesOut: 512 } as LedgerRow, { host: 'other', bytesOut: 9 } as LedgerRow);
    runner.send(chat, model, 'hi');
    await idle();
    expect(entries.at(-1)).toMatchObject({ sent: [{ host: ready.host, bytesOut: 512, leaves: false }] });
  });
});
