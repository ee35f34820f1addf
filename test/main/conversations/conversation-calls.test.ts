import { describe, expect, test } from 'vitest';
import { conversationCalls } from '../../../src-main/conversations/conversation-calls';
import { openConversationStore } from '../../../src-main/conversations/conversation-store';
import { ok } from '../../../src-shared/base/result';
import type { ConversationId } from '../../../src-shared/conversations/conversation.schema';
import { FakeClock } from '../../support/fake-clock';
import { tempFolder } from '../../support/temp-folder';

function setUp() {
  const store = openConversationStore({ folder: tempFolder(), clock: new FakeClock() });
  const ended: ConversationId[] = [];
  const calls = conversationCalls({ store, kept: store.keptOutput, beforeDelete: (id) => void ended.push(id) });
  return { store, calls, ended };
}

const gone = { ok: false, problem: { code: 'not-found' } };

describe('conversation calls', () => {
  test('a new chat is empty, takes a title, and opens with its entries', async () => {
    const { calls, store } = setUp();
    const created = await calls['conversations.create']({});
    const id = created.ok ? created.value.id : ('' as ConversationId);
    expect(await calls['conversations.open']({ id })).toEqual(ok({ entries: [] }));
    store.append(id, { kind: 'user', id: 'entry-1' as never, at: 1, text: 'hi' });
    expect(await calls['conversations.rename']({ id, title: 'Quarterly' })).toEqual(ok({}));
    expect(store.list()[0]?.title).toBe('Quarterly');
    expect(await calls['conversations.open']({ id })).toMatchObject({ value: { entries: [{ text: 'hi' }] } });
  });

  test('A2: deleting ends what is under way first, and then nothing of the chat is left', async () => {
    const { calls, store, ended } = setUp();
    const id = store.create();
    store.append(id, { kind: 'user', id: 'entry-1' as never, at: 1, text: 'hi' });
    const handle = store.keptOutput.keep(id, 'long');
    expect(await calls['conversations.delete']({ id })).toEqual(ok({}));
    expect(ended).toEqual([id]);
    expect(await calls['conversations.open']({ id })).toMatchObject(gone);
    expect(await calls['conversations.rename']({ id, title: 'x' })).toMatchObject(gone);
    expect(await calls['conversations.delete']({ id })).toMatchObject(gone);
    expect(await calls['chat.readOutput']({ id, handle, offset: 0 })).toMatchObject(gone);
  });

  test('O3: a kept output is read page by page, in its own chat only', async () => {
    const { calls, store } = setUp();
    const [id, other] = [store.create(), store.create()];
    const handle = store.keptOutput.keep(id, 'x'.repeat(100_000));
    const first = await calls['chat.readOutput']({ id, handle, offset: 0 });
    expect(first).toMatchObject({ value: { nextOffset: 64_000, total: 100_000 } });
    expect(await calls['chat.readOutput']({ id, handle, offset: 64_000 })).toMatchObject({ value: { nextOffset: null } });
    expect(await calls['chat.readOutput']({ id: other, handle, offset: 0 })).toMatchObject(gone);
  });
});
