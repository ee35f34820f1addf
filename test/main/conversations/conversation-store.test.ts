import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openConversationStore, type ConversationChange } from '../../../src-main/conversations/conversation-store';
import { ConversationIdSchema } from '../../../src-shared/conversations/conversation.schema';
import { endedCallOutcome } from '../../../src-shared/conversations/ended-call';
import { assistantSays, toolAnswered, toolCalled, userSays } from '../../support/conversation-entries';
import { FakeClock } from '../../support/fake-clock';
import { tempFolder } from '../../support/temp-folder';

function setUp() {
  const folder = tempFolder();
  const clock = new FakeClock();
  const open = () => openConversationStore({ folder, clock });
  const store = open();
  return { folder, clock, open, store, logOf: (id: string) => join(folder, 'conversations', `${id}.jsonl`) };
}

describe('keeping', () => {
  test('G3: gives every entry back after a restart, without being closed', () => {
    const { store, open } = setUp();
    const id = store.create();
    const entries = [userSays('q'), assistantSays('a'), toolCalled('1'), toolAnswered('1')];
    for (const entry of entries) expect(store.append(id, entry)).toBe(true);
    expect(open().entries(id)).toEqual(entries);
  });

  test('writes nothing for a chat in which nothing was said', () => {
    const { store, open, folder } = setUp();
    store.create();
    expect(store.list()).toHaveLength(1);
    expect(existsSync(join(folder, 'conversations'))).toBe(false);
    expect(open().list()).toEqual([]);
  });

  test('S5: keeps the files for this user alone', () => {
    const { store, folder, logOf } = setUp();
    const id = store.create();
    store.append(id, userSays('q'));
    expect(statSync(logOf(id)).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'conversations')).mode & 0o777).toBe(0o700);
  });

  test('G3: a line that cannot be read costs that line, and a torn last line is cut off', () => {
    const { store, open, logOf } = setUp();
    const id = store.create();
    const [first, second, third] = [userSays('one'), userSays('two'), userSays('three')];
    store.append(id, first);
    appendFileSync(logOf(id), 'no json\n{"kind":"user"}\n{"kind":"from a later version","at":1}\n');
    store.append(id, second);
    store.close();
    appendFileSync(logOf(id), '{"kind":"user","te');
    const reopened = open();
    expect(reopened.entries(id)).toEqual([first, second]);
    reopened.append(id, third);
    expect(open().entries(id)).toEqual([first, second, third]);
  });

  test('a chat that is not there takes nothing and gives nothing', () => {
    const { store } = setUp();
    const id = ConversationIdSchema.parse('chat-gone');
    expect([store.append(id, userSays('q')), store.rename(id, 'n'), store.remove(id), store.has(id)]).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(store.entries(id)).toEqual([]);
  });

  test('files of other names are left alone', () => {
    const { folder, open } = setUp();
    mkdirSync(join(folder, 'conversations'));
    for (const name of ['notes.txt', 'chat-UPPER.jsonl', 'x.jsonl']) writeFileSync(join(folder, 'conversations', name), 'x\n');
    expect(open().list()).toEqual([]);
    expect(readdirSync(join(folder, 'conversations'))).toHaveLength(3);
  });
});

describe('one result for each call', () => {
  test('A8: a call that a crash left open gets one result when the chat is opened, and only one', () => {
    const { store, open } = setUp();
    const id = store.create();
    for (const entry of [toolCalled('1'), toolCalled('2'), toolAnswered('1')]) store.append(id, entry);

    const reopened = open();
    const result = { kind: 'tool-result', callId: '2', outcome: endedCallOutcome };
    expect(reopened.entries(id)).toHaveLength(4);
    expect(reopened.entries(id).at(-1)).toMatchObject(result);
    expect(reopened.append(id, toolAnswered('2'))).toBe(false);
    expect(open().entries(id)).toEqual(reopened.entries(id));
  });

  test('A8: a call that runs now is not given up because someone looks', () => {
    const { store } = setUp();
    const id = store.create();
    store.append(id, toolCalled('1'));
    expect(store.entries(id)).toHaveLength(1);
    expect(store.append(id, toolAnswered('1'))).toBe(true);
  });

  const refused: [because: string, before: ReturnType<typeof toolCalled>[], entry: ReturnType<typeof toolCalled>][] = [
    ['a second result', [toolCalled('1'), toolAnswered('1')], toolAnswered('1')],
    ['a result of no call', [], toolAnswered('1')],
    ['a second call under an id that is open', [toolCalled('1')], toolCalled('1')],
  ];
  test.each(refused)('A8: %s is not written', (_because, before, entry) => {
    const { store, logOf } = setUp();
    const id = store.create();
    store.append(id, userSays('q'));
    for (const one of before) store.append(id, one);
    const written = readFileSync(logOf(id), 'utf8');
    expect(store.append(id, entry)).toBe(false);
    expect(readFileSync(logOf(id), 'utf8')).toBe(written);
  });

  test('A8: results doubled in the file are read once', () => {
    const { store, open, logOf } = setUp();
    const id = store.create();
    const [call, result] = [toolCalled('1'), toolAnswered('1')];
    store.append(id, call);
    store.append(id, result);
    appendFileSync(logOf(id), `${JSON.stringify(result)}\n`);
    expect(open().entries(id)).toEqual([call, result]);
  });
});

describe('the list', () => {
  test('names a chat after its first words, then after what the user calls it, also after a restart', () => {
    const { store, open } = setUp();
    const id = store.create();
    expect(store.list()[0]?.title).toBe('New chat');
    store.append(id, userSays('Find the invoice'));
    store.append(id, userSays('{"kind":"title","title":"not this"}'));
    expect([store.list()[0]?.title, open().list()[0]?.title]).toEqual(['Find the invoice', 'Find the invoice']);
    store.rename(id, 'Invoices');
    store.rename(id, 'Invoices of May');
    store.append(id, userSays('more'));
    expect([store.list()[0]?.title, open().list()[0]?.title]).toEqual(['Invoices of May', 'Invoices of May']);
  });

  test('keeps the time a chat began, and stands latest first', () => {
    const { store, open, clock } = setUp();
    const [one, two] = [store.create(), store.create()];
    const began = clock.now();
    clock.advance(1_000);
    store.append(one, userSays('q'));
    clock.advance(1_000);
    store.append(two, userSays('q'));
    clock.advance(1_000);
    store.append(one, userSays('r'));
    expect(store.list().map(({ id }) => id)).toEqual([one, two]);
    expect(store.list()[0]).toMatchObject({ createdAt: began, updatedAt: began + 3_000 });
    expect(
      open()
        .list()
        .every(({ createdAt }) => createdAt === began),
    ).toBe(true);
  });

  test('tells of every change', () => {
    const { store } = setUp();
    const heard: ConversationChange[] = [];
    const stop = store.onChange((change) => heard.push(change));
    const id = store.create();
    const entry = userSays('q');
    store.append(id, entry);
    store.rename(id, 'n');
    store.remove(id);
    stop();
    store.create();
    expect(heard).toEqual([
      { kind: 'created', id },
      { kind: 'entry', id, entry },
      { kind: 'renamed', id },
      { kind: 'removed', id },
    ]);
  });
});

test('G3: deleting a chat leaves nothing of it', () => {
  const { store, open, folder } = setUp();
  const [id, other] = [store.create(), store.create()];
  for (const one of [id, other]) store.append(one, userSays('words to be deleted'));
  const handle = store.keptOutput.keep(id, 'output to be deleted');
  expect(store.remove(id)).toBe(true);
  expect(readdirSync(join(folder, 'conversations'))).toEqual([`${other}.jsonl`]);
  expect(store.keptOutput.read(id, handle)).toBeUndefined();
  expect(
    open()
      .list()
      .map((one) => one.id),
  ).toEqual([other]);
});

test('G3: 5,000 messages open at once', () => {
  const { store, open } = setUp();
  const id = store.create();
  for (let nth = 0; nth < 5_000; nth += 1) store.append(id, userSays(`message ${nth} ${'x'.repeat(500)}`));
  store.close();
  const started = performance.now();
  expect(open().entries(id)).toHaveLength(5_000);
  expect(performance.now() - started).toBeLessThan(1_500);
});
