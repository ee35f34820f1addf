import { readExactJson, type ExactJson } from '../base/exact-json';
import { HIDDEN_CHARACTER, ODD_BLANK } from '../base/hidden-characters';
import { failed, ok, type Result } from '../base/result';
import type { Json, JsonObject } from '../tools/tool.schema';
import type { EditableText } from './approval.schema';

/** Which argument of a frozen call, by its place on the sheet; null is all of them as one text. */
export type EditedPart = number | null;

const GONE = 'That argument is not on the sheet. Look again.';
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
// Line ends and tabs are seen in a field that is edited; inside of JSON they stand escaped already.
const UNSEEN = new RegExp(`${HIDDEN_CHARACTER}|${ODD_BLANK}|[\\p{Co}\\p{Cn}]`, 'gu');

/** One argument as a person edits it: a text as it stands, and as JSON with escapes where something in it cannot be seen (A5). */
export function editableText(frozenText: string, part: EditedPart): Result<EditableText, string> {
  const exact = readExactJson(frozenText);
  if (part === null) return ok({ kind: 'json', text: asSeen(exact.write(exact.value, 2)) });
  const member = membersOf(exact)[part];
  if (!member) return failed(GONE);
  const [, value] = member;
  const kind = kindOf(exact, value);
  if (kind === 'text') return ok({ kind, text: value as string });
  return ok({ kind, text: kind === 'json' ? asSeen(exact.write(value, 2)) : exact.write(value) });
}

/** The arguments with one of them as a person typed it, as JSON that still has to be checked; a sentence when it cannot be read. */
export function withEditedPart(frozenText: string, part: EditedPart, typed: string): Result<string, string> {
  if (part === null) return isJson(typed) ? ok(typed) : failed(NO_JSON);
  const exact = readExactJson(frozenText);
  const members = membersOf(exact);
  const member = members[part];
  if (!member) return failed(GONE);
  const json = jsonOf(kindOf(exact, member[1]), typed);
  if (!json.ok) return json;
  const written = members.map(
    ([name, value], place) => `${JSON.stringify(name)}:${place === part ? json.value : exact.write(value)}`,
  );
  return ok(`{${written.join(',')}}`);
}

const NO_JSON = 'This is not valid JSON yet. Check its quotes, commas and braces.';

function jsonOf(kind: EditableText['kind'], typed: string): Result<string, string> {
  switch (kind) {
    case 'text':
      return ok(JSON.stringify(typed));
    case 'number': {
      const number = typed.trim();
      return NUMBER.test(number) ? ok(number) : failed('This takes a number, such as 3 or 0.5.');
    }
    case 'yes-no':
      return typed === 'true' || typed === 'false' ? ok(typed) : failed('This takes yes or no.');
    case 'json':
      // Read by itself, so that what was typed is one value and nothing beside it.
      return isJson(typed) ? ok(typed) : failed(NO_JSON);
  }
}

function kindOf(exact: ExactJson, value: Json): EditableText['kind'] {
  if (exact.numberIn(value) !== null || typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'yes-no';
  return typeof value === 'string' && asSeen(value) === value ? 'text' : 'json';
}

const membersOf = (exact: ExactJson): [string, Json][] => Object.entries(exact.value as JsonObject);

const asSeen = (text: string): string =>
  text.replace(UNSEEN, (unseen) =>
    unseen
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
