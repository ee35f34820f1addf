import { utf8ToBytes } from '@noble/hashes/utils.js';
import { readExactJson } from '../base/exact-json';
import { markSpans, type KeySpan } from './outbound-check';
import type { Overlap } from './text-overlap';
import type { Json, JsonObject } from '../tools/tool.schema';
import type { ShownArgument, VisibleText } from './approval.schema';

/** What is to be marked in a text. */
export interface ArgumentFinders {
  keys(text: string): KeySpan[];
  /** Words of others (A6). */
  overlaps(text: string): Overlap[];
}

/** The arguments of a frozen call, one by one and whole, in the order they are sent; what is found is marked (A5, A6, A7). */
export function shownArguments(frozenText: string, find: ArgumentFinders): ShownArgument[] {
  const exact = readExactJson(frozenText);
  return Object.entries(exact.value as JsonObject).map(([name, part]) => {
    const digits = exact.numberIn(part);
    const text = digits ?? (typeof part === 'string' ? part : exact.write(part, 2));
    const type = digits === null ? typeWords(part) : 'number';
    const mark = (shown: string, found: string): VisibleText => markSpans(shown, find.keys(found), find.overlaps(found));
    return { name: mark(name, name), type, bytes: utf8ToBytes(text).length, value: withVisibleEnd(text, mark) };
  });
}

/** Line ends at the very end take no room on the screen, so they are spelled out; longer runs are blanks with their count. */
function withVisibleEnd(text: string, mark: (shown: string, found: string) => VisibleText): VisibleText {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  const lineEnds = text.length - end;
  if (lineEnds === 0 || lineEnds > 3) return mark(text, text);
  return [...mark(text.slice(0, end), text), { kind: 'escape', text: '\\n'.repeat(lineEnds) }];
}

function typeWords(value: Json): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return `list of ${value.length}`;
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
      return 'number';
    case 'boolean':
      return 'yes or no';
    default:
      return Object.keys(value).length === 1 ? '1 part' : `${Object.keys(value).length} parts`;
  }
}
