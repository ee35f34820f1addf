import { canonicalJson } from '../../src-shared/base/canonical-json';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { readForm, type FormDraft } from '../../src-shared/tools/form-reading';
import type { FormField, FormPlan } from '../../src-shared/tools/schema-form';
import type { Json, JsonObject } from '../../src-shared/tools/tool.schema';

type Typed = FormDraft[string];

/** The arguments a text stands for, or one sentence that says why it stands for none. Empty text means no arguments. */
export function readArguments(text: string): Result<JsonObject, string> {
  if (text.trim() === '') return ok({});
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? ok(value) : failed('Arguments are an object: put them between { and }.');
  } catch {
    return failed('This is not valid JSON yet. Check its quotes, commas and braces.');
  }
}

// Written out, so that text which would turn the line around or hide in it is seen in the field.
const UNSEEN = /[\p{Cf}\p{Co}\u2028\u2029]/gu;
const asEscapes = (unseen: string): string =>
  unseen
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** Arguments as text to edit: every character that cannot be seen stands as its escape, and means the same. */
export function writeArguments(args: JsonObject): string {
  return JSON.stringify(args, null, 2).replace(UNSEEN, asEscapes);
}

/** What the fields hold, as JSON to go on writing. A field that cannot be read yet keeps its words as text, so that nothing is lost. */
export function argumentsAsTyped(plan: FormPlan, draft: FormDraft): JsonObject {
  return asTyped(plan.fields, draft);
}

function asTyped(fields: readonly FormField[], draft: FormDraft): JsonObject {
  const members: [string, Json][] = [];
  for (const field of fields) {
    const value = memberAsTyped(field, draft[field.name]);
    if (value !== undefined) members.push([field.name, value]);
  }
  return Object.fromEntries(members);
}

function memberAsTyped(field: FormField, typed: Typed | undefined): Json | undefined {
  const read = readForm({ fields: [withoutBounds(field)], partial: false }, typed === undefined ? {} : { [field.name]: typed });
  if (read.ok) return read.value[field.name];
  if (field.kind === 'group' && isDraft(typed)) return asTyped(field.fields, typed);
  if (Array.isArray(typed) && field.kind !== 'choices') return typed.length === 0 ? undefined : [...(typed as readonly string[])];
  return typeof typed === 'string' && typed !== '' && field.kind !== 'choice' ? typed : undefined;
}

/** The same field for what is half done: a number out of range is still a number. */
function withoutBounds(field: FormField): FormField {
  switch (field.kind) {
    case 'text':
      return { ...field, minLength: 0, maxLength: Infinity };
    case 'number':
      return { ...field, integer: false, minimum: -Infinity, maximum: Infinity };
    case 'choices':
      return { ...field, minItems: 0, maxItems: Infinity };
    case 'list': {
      const item = field.item === 'integer' ? 'number' : field.item;
      return { ...field, item, minItems: 0, maxItems: Infinity, minimum: -Infinity, maximum: Infinity };
    }
    default:
      return field;
  }
}

/** Puts arguments into the fields, or says why they stay JSON. What the fields could not give back unchanged is never put there. */
export function draftOfArguments(plan: FormPlan, text: string): Result<FormDraft, string> {
  const read = readArguments(text);
  if (!read.ok) return read;
  if (LONG_NUMBER.test(text.replace(JSON_STRING, '')))
    return failed('A number here has more digits than a field keeps, so it stays as JSON.');
  const draft = draftOf(plan.fields, read.value);
  const back = argumentsAsTyped(plan, draft);
  const names = new Set([...Object.keys(read.value), ...Object.keys(back)]);
  const lost = [...names].filter((name) => !sameMember(read.value, back, name));
  if (lost.length === 0) return ok(draft);
  return failed(`The form has no field that holds ${lost.map((name) => `“${name}”`).join(', ')} as it is, so it stays as JSON.`);
}

const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;
const LONG_NUMBER = /\d[\d.]{15,}/;

function sameMember(left: JsonObject, right: JsonObject, name: string): boolean {
  if (!Object.hasOwn(left, name) || !Object.hasOwn(right, name)) return false;
  return canonicalJson(left[name] ?? null) === canonicalJson(right[name] ?? null);
}

function draftOf(fields: readonly FormField[], values: JsonObject): FormDraft {
  return Object.fromEntries(
    fields.map((field): [string, Typed] => [
      field.name,
      typedOf(field, Object.hasOwn(values, field.name) ? values[field.name] : undefined),
    ]),
  );
}

function typedOf(field: FormField, value: Json | undefined): Typed {
  switch (field.kind) {
    case 'text':
    case 'number':
      return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'choice': {
      const place =
        value === undefined ? -1 : field.choices.findIndex((choice) => canonicalJson(choice.value) === canonicalJson(value));
      return place === -1 ? '' : String(place);
    }
    case 'choices':
      return Array.isArray(value)
        ? [...field.choices.keys()]
            .filter((place) => value.some((each) => canonicalJson(each) === canonicalJson(field.choices[place]?.value ?? null)))
            .map(String)
        : [];
    case 'list':
      return Array.isArray(value) ? value.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry))) : [];
    case 'json':
      return value === undefined ? '' : JSON.stringify(value, null, 2);
    case 'group':
      return draftOf(field.fields, isObject(value) ? value : {});
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isDraft(typed: Typed | undefined): typed is FormDraft {
  return typeof typed === 'object' && typed !== null && !Array.isArray(typed);
}
