import { canonicalJson } from '../base/canonical-json';
import { oneLine } from './output-treatment';
import { stripInvisible } from './strip-invisible';
import type { Json, JsonObject } from './tool.schema';

const MAX_HELP = 1000;
const MAX_LABEL = 120;
const MAX_CHOICES = 500;
/** Text that is allowed to be this long, or that brings line breaks along, gets room to be written in. */
const MULTILINE_FROM = 200;
const LONG_TEXT_NAMES = /^(?:body|code|content|contents|description|message|notes?|prompt|query|script|sql|text)$/i;

export type PrimitiveKind = 'text' | 'number' | 'integer' | 'boolean';

interface FieldBase {
  /** The member's raw name: what is sent. */
  name: string;
  /** The same, or the schema's title, treated for showing (O1). */
  label: string;
  help: string;
  required: boolean;
}

export type TextField = FieldBase & { kind: 'text'; multiline: boolean; minLength?: number; maxLength?: number; initial: string };
export type NumberField = FieldBase & { kind: 'number'; integer: boolean; minimum?: number; maximum?: number; initial: string };
export type BooleanField = FieldBase & { kind: 'boolean'; initial: boolean | null };
/** `shown` is treated; the choice's place in the list is what a draft holds, so that showing and sending cannot differ. */
export type ChoiceField = FieldBase & { kind: 'choice'; choices: { shown: string; value: Json }[]; initial: string };
/** Any number out of a list; a draft holds their places. */
export type ChoicesField = FieldBase & {
  kind: 'choices';
  choices: { shown: string; value: Json }[];
  minItems?: number;
  maxItems?: number;
  initial: string[];
};
export type ListField = FieldBase & {
  kind: 'list';
  item: PrimitiveKind;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  initial: string[];
};
export type GroupField = FieldBase & { kind: 'group'; fields: FormField[] };
/** Whatever has no field of its own is written as JSON. */
export type JsonField = FieldBase & { kind: 'json'; initial: string };
export type FormField = TextField | NumberField | BooleanField | ChoiceField | ChoicesField | ListField | GroupField | JsonField;

export interface FormPlan {
  fields: FormField[];
  /** The schema says more than fields can hold; the whole call can be written as JSON instead. */
  partial: boolean;
}

/** Which fields a person fills in to call a tool by hand, read from its input schema. */
export function planForm(inputSchema: JsonObject): FormPlan {
  const partial = ['anyOf', 'oneOf', 'allOf', '$ref', 'if', 'patternProperties'].some((keyword) => keyword in inputSchema);
  return { fields: fieldsOf(inputSchema, true), partial };
}

function fieldsOf(schema: JsonObject, groupsAllowed: boolean): FormField[] {
  const { properties, required } = schema;
  if (!isObject(properties)) return [];
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, member]) =>
    fieldOf(name, isObject(member) ? member : {}, names.includes(name), groupsAllowed),
  );
}

function fieldOf(name: string, schema: JsonObject, required: boolean, groupsAllowed: boolean): FormField {
  const title = typeof schema['title'] === 'string' ? oneLine(schema['title'], MAX_LABEL) : '';
  const base: FieldBase = {
    name,
    label: title === '' ? oneLine(name, MAX_LABEL) : title,
    help: typeof schema['description'] === 'string' ? helpOf(schema['description']) : '',
    required,
  };
  return (
    choiceOf(base, schema) ??
    typedField(base, schema, groupsAllowed) ?? { ...base, kind: 'json', initial: initialJson(schema['default']) }
  );
}

function choiceOf(base: FieldBase, schema: JsonObject): ChoiceField | null {
  const choices = choicesOf(schema);
  if (choices === null) return null;
  const preset = 'default' in schema ? choices.findIndex(({ value }) => sameJson(value, schema['default'])) : -1;
  return { ...base, kind: 'choice', choices, initial: preset === -1 ? '' : String(preset) };
}

/** What can be chosen, and in which words: a list, one value, or values with a title each. Null when it is no plain list. */
function choicesOf(schema: JsonObject): ChoiceField['choices'] | null {
  const listed = Array.isArray(schema['enum'])
    ? schema['enum']
    : 'const' in schema && schema['const'] !== undefined
      ? [schema['const']]
      : null;
  const words = Array.isArray(schema['enumNames']) ? schema['enumNames'] : [];
  const choices = listed?.map((value, place) => ({ value, words: words[place] })) ?? titledChoicesOf(schema);
  if (choices === null || choices.length === 0 || choices.length > MAX_CHOICES) return null;
  if (!choices.every(({ value }) => value === null || typeof value !== 'object')) return null;
  return choices.map(({ value, words: title }) => {
    const shown = typeof title === 'string' && title !== '' ? title : typeof value === 'string' ? value : JSON.stringify(value);
    return { shown: oneLine(shown, MAX_LABEL), value };
  });
}

function titledChoicesOf({ oneOf, anyOf }: JsonObject): { value: Json; words: Json | undefined }[] | null {
  const titled = oneOf ?? anyOf;
  if (!Array.isArray(titled)) return null;
  const choices = titled.map((choice) =>
    isObject(choice) && choice['const'] !== undefined ? { value: choice['const'], words: choice['title'] } : null,
  );
  return choices.every((choice) => choice !== null) ? choices : null;
}

function typedField(base: FieldBase, schema: JsonObject, groupsAllowed: boolean): FormField | null {
  if (['anyOf', 'oneOf', 'allOf', '$ref', 'not', 'if'].some((keyword) => keyword in schema)) return null;
  const preset = schema['default'];
  switch (schema['type']) {
    case 'string': {
      const initial = typeof preset === 'string' ? preset : '';
      const bounds = numbersOf(schema, ['minLength', 'maxLength']);
      const multiline =
        initial.includes('\n') ||
        (bounds.maxLength ?? 0) >= MULTILINE_FROM ||
        (bounds.maxLength === undefined && LONG_TEXT_NAMES.test(base.name));
      return { ...base, kind: 'text', multiline, ...bounds, initial };
    }
    case 'number':
    case 'integer': {
      const initial = typeof preset === 'number' ? String(preset) : '';
      return {
        ...base,
        kind: 'number',
        integer: schema['type'] === 'integer',
        ...numbersOf(schema, ['minimum', 'maximum']),
        initial,
      };
    }
    case 'boolean':
      return { ...base, kind: 'boolean', initial: typeof preset === 'boolean' ? preset : null };
    case 'array':
      return listOf(base, schema);
    case 'object': {
      // Members the schema does not name need JSON; a form that hid them would forbid what the schema allows.
      const fields = fieldsOf(schema, false);
      const open = isObject(schema['additionalProperties']) || 'patternProperties' in schema;
      return groupsAllowed && fields.length > 0 && !open ? { ...base, kind: 'group', fields } : null;
    }
    default:
      return null;
  }
}

function listOf(base: FieldBase, schema: JsonObject): ListField | ChoicesField | null {
  const { items, default: preset } = schema;
  const choices = isObject(items) ? choicesOf(items) : null;
  if (choices !== null) {
    const chosen = Array.isArray(preset) ? preset : [];
    const initial = [...choices.keys()].filter((place) => chosen.some((value) => sameJson(value, choices[place]?.value)));
    return { ...base, kind: 'choices', choices, ...numbersOf(schema, ['minItems', 'maxItems']), initial: initial.map(String) };
  }
  if (!isObject(items) || 'enum' in items || 'anyOf' in items || 'oneOf' in items || '$ref' in items) return null;
  const item = items['type'] === 'string' ? 'text' : items['type'];
  if (item !== 'text' && item !== 'number' && item !== 'integer' && item !== 'boolean') return null;
  const initial = Array.isArray(preset) ? preset.filter((value) => value === null || typeof value !== 'object').map(String) : [];
  return {
    ...base,
    kind: 'list',
    item,
    ...numbersOf(schema, ['minItems', 'maxItems']),
    ...numbersOf(items, ['minimum', 'maximum']),
    initial,
  };
}

function numbersOf<K extends string>(schema: JsonObject, keywords: readonly K[]): { [N in K]?: number } {
  const found: { [N in K]?: number } = {};
  for (const keyword of keywords) {
    const value = schema[keyword];
    if (typeof value === 'number') found[keyword] = value;
  }
  return found;
}

function helpOf(description: string): string {
  const text = stripInvisible(description).text.trim();
  return text.length > MAX_HELP ? `${text.slice(0, MAX_HELP)}…` : text;
}

function initialJson(preset: Json | undefined): string {
  return preset === undefined ? '' : JSON.stringify(preset, null, 2);
}

function sameJson(left: Json, right: Json | undefined): boolean {
  return right !== undefined && canonicalJson(left) === canonicalJson(right);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
