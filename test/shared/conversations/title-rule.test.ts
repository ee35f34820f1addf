import { expect, test } from 'vitest';
import type { ConversationEntry } from '../../../src-shared/conversations/conversation.schema';
import { titleFromEntry } from '../../../src-shared/conversations/title-rule';
import { assistantSays, toolAnswered, toolCalled, userSays } from '../../support/conversation-entries';

const titles: [because: string, entry: ConversationEntry, title: string | undefined][] = [
  ['short words', userSays('Find the invoice'), 'Find the invoice'],
  ['several lines', userSays('  Find\n\n the\tinvoice '), 'Find the invoice'],
  ['exactly 60 characters', userSays('x'.repeat(60)), 'x'.repeat(60)],
  ['61 characters', userSays('x'.repeat(61)), `${'x'.repeat(60)}…`],
  ['emoji at the cut', userSays('😀'.repeat(61)), `${'😀'.repeat(60)}…`],
  ['nothing but blanks', userSays(' \n '), undefined],
  ['a tool run by hand', toolCalled('1', { caller: 'you', toolName: 'find.all' }), 'Tool run: find.all'],
  ['an answer', assistantSays('hello'), undefined],
  ['a result', toolAnswered('1'), undefined],
];
test.each(titles)('names a conversation that begins with %s', (_because, entry, title) => {
  expect(titleFromEntry(entry)).toBe(title);
});
