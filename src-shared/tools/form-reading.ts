import { readExactJson } from '../base/exact-json';
import { failed, ok, type Result } from '../base/result';
import type { ChoicesField, FormField, FormPlan, ListField, NumberField, PrimitiveKind, TextField } from './schema-form';
import type { Json, JsonObject } from './tool.schema';

/** What a person has typed so far, by field name. An absent member is an untouched field. */
export interface FormDraft {
  [name: string]: string | boolean | null | readonly string[] | FormDraft;
}

export interface FieldProblem {
  /** From the outermost field inwards. */
  path: readonly string[];
  /** One sentence to stand under the field. */
  message: string;
}

/** What the fields show before anybody types. A required box starts unticked, which is an answer; an optional one says nothing. */
export function initialDraft(plan: FormPlan): FormDraft {
  return draftOf(plan.fields);
}

function draftOf(fields: readonly FormField[]): FormDraft {
  return Object.fromEntries(
    fields.map((field): [string, FormDraft[string]] => {
      if (field.kind === 'group') return [field.name, draftOf(field.fields)];
      if (field.kind === 'boolean') return [field.name, field.initial ?? (field.required ? false : null)];
      return [field.name, field.initial];
    }),
  );
}

/** Turns what was typed into arguments, or says under each field what to do. Empty optional fields are not sent. */
export function readForm(plan: FormPlan, draft: FormDraft): Result<JsonObject, FieldProblem[]> {
  return readFields(plan.fields, draft, []);
}

type Reading = { kind: 'value'; value: Json } | { kind: 'absent' } | { kind: 'problems'; problems: FieldProblem[] };

function readFields(fields: readonly FormField[], draft: FormDraft, path: readonly string[]): Result<JsonObject, FieldProblem[]> {
  const members: [string, Json][] = [];
  const problems: FieldProblem[] = [];
  for (const field of fields) {
    const reading = readField(field, Object.hasOwn(draft, field.name) ? draft[field.name] : undefined, [...path, field.name]);
    if (reading.kind === 'value') members.push([field.name, reading.value]);
    else if (reading.kind === 'problems') problems.push(...reading.problems);
  }
  return problems.length > 0 ? failed(problems) : ok(Object.fromEntries(members));
}

function readField(field: FormField, typed: FormDraft[string] | undefined, path: readonly string[]): Reading {
  switch (field.kind) {
    case 'text':
      return orProblem(readText(field, textOf(typed)), field.required, 'Enter some text.', path);
    case 'number':
      return orProblem(readNumber(field, textOf(typed)), field.required, `${numberSentence(field)}`, path);
    case 'boolean':
      return orProblem(typeof typed === 'boolean' ? ok(typed) : ok(undefined), field.required, 'Choose yes or no.', path);
    case 'choice': {
      const choice = /^\d+$/.test(textOf(typed)) ? field.choices[Number(textOf(typed))] : undefined;
      return orProblem(ok(choice?.value), field.required, 'Choose one of the list.', path);
    }
    case 'choices':
      return orProblem(readChoices(field, listOf(typed)), field.required, 'Tick at least one.', path);
    case 'list':
      return orProblem(readList(field, listOf(typed)), field.required, 'Add at least one entry.', path);
    case 'json':
      return orProblem(readJson(textOf(typed)), field.required, 'Enter a value as JSON.', path);
    case 'group': {
      const read = readFields(field.fields, isDraft(typed) ? typed : {}, path);
      if (read.ok)
        return Object.keys(read.value).length === 0 && !field.required
          ? { kind: 'absent' }
          : { kind: 'value', value: read.value };
      // An optional group nobody touched is left out whole, whatever its members require.
      return !field.required && isUntouched(typed) ? { kind: 'absent' } : { kind: 'problems', problems: read.problem };
    }
  }
}

function orProblem(read: Result<Json | undefined, string>, required: boolean, missing: string, path: readonly string[]): Reading {
  if (!read.ok) return { kind: 'problems', problems: [{ path, message: read.problem }] };
  if (read.value !== undefined) return { kind: 'value', value: read.value };
  return required ? { kind: 'problems', problems: [{ path, message: missing }] } : { kind: 'absent' };
}

function readText(field: TextField, text: string): Result<Json | undefined, string> {
  if (text === '') return ok(undefined);
  const length = [...text].length;
  if (field.minLength !== undefined && length < field.minLength)
    return failed(`Enter at least ${counted(field.minLength, 'character', 'characters')}.`);
  if (field.maxLength !== undefined && length > field.maxLength)
    return failed(`Enter at most ${counted(field.maxLength, 'character', 'characters')}.`);
  return ok(text);
}

type NumberBounds = Pick<NumberField, 'minimum' | 'maximum' | 'integer'>;

function readNumber(field: NumberBounds, text: string): Result<Json | undefined, string> {
  const trimmed = text.trim();
  if (trimmed === '') return ok(undefined);
  const value = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : Number.NaN;
  const fits =
    Number.isFinite(value) &&
    (!field.integer || Number.isInteger(value)) &&
    value >= (field.minimum ?? -Infinity) &&
    value <= (field.maximum ?? Infinity);
  if (!fits) return failed(numberSentence(field));
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? failed(TOO_MANY_DIGITS) : ok(value);
}

function numberSentence({ integer, minimum, maximum }: NumberBounds): string {
  const what = integer ? 'a whole number' : 'a number';
  if (minimum !== undefined && maximum !== undefined) return `Enter ${what} from ${minimum} to ${maximum}.`;
  if (minimum !== undefined) return `Enter ${what} of at least ${minimum}.`;
  if (maximum !== undefined) return `Enter ${what} of at most ${maximum}.`;
  return `Enter ${what}.`;
}

function readList(field: ListField, entries: readonly string[]): Result<Json | undefined, string> {
  const values: Json[] = [];
  for (const entry of entries) {
    const read = readItem(field.item, field, entry);
    if (!read.ok) return failed(`Entry ${values.length + 1}: ${read.problem}`);
    values.push(read.value);
  }
  // A required list with no entries is an empty list where the schema takes one.
  if (values.length === 0) return field.required && (field.minItems ?? 0) === 0 ? ok([]) : ok(undefined);
  if (field.minItems !== undefined && values.length < field.minItems)
    return failed(`Add at least ${counted(field.minItems, 'entry', 'entries')}.`);
  if (field.maxItems !== undefined && values.length > field.maxItems)
    return failed(`Keep at most ${counted(field.maxItems, 'entry', 'entries')}.`);
  return ok(values);
}

function readChoices({ choices, ...field }: ChoicesField, places: readonly string[]): Result<Json | undefined, string> {
  const values = choices.filter((_, place) => places.includes(String(place))).map((choice) => choice.value);
  if (values.length === 0) return field.required && (field.minItems ?? 0) === 0 ? ok([]) : ok(undefined);
  if (field.minItems !== undefined && values.length < field.minItems) return failed(`Tick at least ${field.minItems}.`);
  if (field.maxItems !== undefined && values.length > field.maxItems) return failed(`Tick at most ${field.maxItems}.`);
  return ok(values);
}

function readItem(item: PrimitiveKind, bounds: Pick<ListField, 'minimum' | 'maximum'>, entry: string): Result<Json, string> {
  if (item === 'text') return ok(entry);
  if (item === 'boolean') return entry === 'true' || entry === 'false' ? ok(entry === 'true') : failed('Enter true or false.');
  const limits: NumberBounds = { ...bounds, integer: item === 'integer' };
  const read = readNumber(limits, entry);
  if (!read.ok) return read;
  return read.value === undefined ? failed(numberSentence(limits)) : ok(read.value);
}

/** The call itself keeps every digit, when its arguments are written as JSON (O6). */
const TOO_MANY_DIGITS = 'This number has more digits than a field keeps. Write the arguments as JSON instead.';

function readJson(text: string): Result<Json | undefined, string> {
  if (text.trim() === '') return ok(undefined);
  try {
    const value = JSON.parse(text) as Json;
    const exact = readExactJson(text);
    return exact.write(exact.value) === JSON.stringify(value) ? ok(value) : failed(TOO_MANY_DIGITS);
  } catch {
    return failed('Enter valid JSON, such as {"name": "value"} or [1, 2].');
  }
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
const listOf = (typed: FormDraft[string] | undefined): readonly string[] =>
  Array.isArray(typed) ? (typed as readonly string[]) : [];
const textOf = (typed: FormDraft[string] | undefined): string => (typeof typed === 'string' ? typed : '');

function isDraft(typed: FormDraft[string] | undefined): typed is FormDraft {
  return typeof typed === 'object' && typed !== null && !Array.isArray(typed);
}

function isUntouched(typed: FormDraft[string] | undefined): boolean {
  if (isDraft(typed)) return Object.values(typed).every(isUntouched);
  return typed === undefined || typed === null || typed === '' || typed === false || (Array.isArray(typed) && typed.length === 0);
}
