import type { AttachableRow } from '../../src-shared/attachments/attachment.schema';

export type PickerSign = '@' | '/';

/** What is being looked for, and where in the draft it stands. */
export interface PickerQuery {
  sign: PickerSign;
  text: string;
  from: number;
  to: number;
}

const MAX_QUERY = 80;
/** More rows than these are named by their number; typing narrows them. */
export const SHOWN_ROWS = 50;

const OPENING = /(?:^|\s)([@/])([^\n@]*)$/;

/** The word under the caret, when it asks for a resource (`@`) or a prompt (`/`). A sign within a word asks for nothing. */
export function queryAt(words: string, caret: number): PickerQuery | null {
  const found = OPENING.exec(words.slice(0, caret));
  const [, sign, text = ''] = found ?? [];
  if ((sign !== '@' && sign !== '/') || text.length > MAX_QUERY) return null;
  return { sign, text, from: caret - text.length - 1, to: caret };
}

/** What the sign is for: resources and their templates, or prompts. */
export function rowsFor({ sign, text }: PickerQuery, all: readonly AttachableRow[]): AttachableRow[] {
  const wanted = text.trim().toLowerCase();
  return all.filter((row) => {
    if ((row.kind === 'prompt') !== (sign === '/')) return false;
    return [row.name, row.serverName, row.ref].some((words) => words.toLowerCase().includes(wanted));
  });
}

/** The draft without the word that asked. */
export function withoutQuery(words: string, { from, to }: PickerQuery): string {
  const after = words.slice(to);
  return words.slice(0, from) + (from === 0 ? after.trimStart() : after);
}
