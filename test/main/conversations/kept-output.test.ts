import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openKeptOutput } from '../../../src-main/conversations/kept-output';
import { newConversationId } from '../../../src-main/conversations/new-ids';
import { PrivateFolder } from '../../../src-main/storage/private-folder';
import { tempFolder } from '../../support/temp-folder';

function setUp(maxBytes?: number) {
  const path = join(tempFolder(), 'conversations');
  const open = () => openKeptOutput({ folder: new PrivateFolder(path), ...(maxBytes === undefined ? {} : { maxBytes }) });
  return { path, open, kept: open(), chat: newConversationId(), other: newConversationId() };
}

test('O3: gives the whole text back, also after a restart', () => {
  const { kept, open, chat } = setUp();
  const text = `ü😀\n${'x'.repeat(100_000)}`;
  const handle = kept.keep(chat, text);
  expect(kept.read(chat, handle)).toBe(text);
  expect(open().read(chat, handle)).toBe(text);
});

test('O3: handles are random', () => {
  const { kept, chat } = setUp();
  const handles = Array.from({ length: 20 }, () => kept.keep(chat, 'same'));
  expect(new Set(handles).size).toBe(20);
  expect(handles.every((handle) => /^out-[0-9a-f]{32}$/.test(handle))).toBe(true);
});

test('O3: a handle of another chat reads nothing', () => {
  const { kept, chat, other } = setUp();
  kept.keep(other, 'theirs');
  expect(kept.read(other, kept.keep(chat, 'mine'))).toBeUndefined();
});

test.each([
  '',
  '..',
  '../secrets',
  'out-',
  `out-${'0'.repeat(31)}`,
  `../x/out-${'0'.repeat(32)}`,
  `out-${'0'.repeat(32)}\n`,
  'out-\0',
])('O3: what is no handle reads nothing: %j', (handle) => {
  const { kept, chat } = setUp();
  kept.keep(chat, 'mine');
  expect(kept.read(chat, handle)).toBeUndefined();
});

test('O3: over the limit the oldest go first, across chats', () => {
  const { kept, chat, other } = setUp(100);
  const handles = [kept.keep(chat, 'a'.repeat(40)), kept.keep(other, 'b'.repeat(40)), kept.keep(chat, 'c'.repeat(40))];
  expect([kept.read(chat, handles[0] ?? ''), kept.read(other, handles[1] ?? ''), kept.read(chat, handles[2] ?? '')]).toEqual([
    undefined,
    'b'.repeat(40),
    'c'.repeat(40),
  ]);
});

test('O3: the limit counts what earlier runs kept', () => {
  const { path, kept, open, chat } = setUp(100);
  const [first, second] = [kept.keep(chat, 'a'.repeat(40)), kept.keep(chat, 'b'.repeat(40))];
  utimesSync(join(path, chat, `${first}.txt`), 1, 1);
  utimesSync(join(path, chat, `${second}.txt`), 2, 2);
  const reopened = open();
  reopened.keep(chat, 'c'.repeat(40));
  expect(reopened.read(chat, first)).toBeUndefined();
  expect(reopened.read(chat, second)).toBe('b'.repeat(40));
});

test('O3: making room touches only what was kept here', () => {
  const { path, kept, chat } = setUp(10);
  mkdirSync(join(path, chat), { recursive: true });
  writeFileSync(join(path, chat, 'notes.txt'), 'n'.repeat(50));
  kept.keep(chat, 'a'.repeat(8));
  kept.keep(chat, 'b'.repeat(8));
  expect(existsSync(join(path, chat, 'notes.txt'))).toBe(true);
});

test('G3: goes with its chat', () => {
  const { path, kept, chat, other } = setUp();
  const handle = kept.keep(chat, 'mine');
  kept.keep(other, 'theirs');
  kept.removeAll(chat);
  expect(kept.read(chat, handle)).toBeUndefined();
  expect(readdirSync(path)).toEqual([other]);
});

test('S5: keeps the files for this user alone', () => {
  const { path, kept, chat } = setUp();
  const handle = kept.keep(chat, 'mine');
  expect(statSync(join(path, chat)).mode & 0o777).toBe(0o700);
  expect(statSync(join(path, chat, `${handle}.txt`)).mode & 0o777).toBe(0o600);
});
