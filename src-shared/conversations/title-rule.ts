import type { ConversationEntry } from './conversation.schema';

export const UNTITLED = 'New chat';
const MAX_TITLE_CHARACTERS = 60;

/** What a conversation is called until the user names it: its first words, or the tool it began with. */
export function titleFromEntry(entry: ConversationEntry): string | undefined {
  if (entry.kind === 'user') return shorten(entry.text) || shorten(entry.attachments?.[0]?.name ?? '') || undefined;
  if (entry.kind === 'tool-call') return shorten(`Tool run: ${entry.toolName}`);
  return undefined;
}

function shorten(text: string): string {
  const characters = [...text.trim().replaceAll(/\s+/g, ' ')];
  return characters.length <= MAX_TITLE_CHARACTERS
    ? characters.join('')
    : `${characters.slice(0, MAX_TITLE_CHARACTERS).join('').trimEnd()}…`;
}
