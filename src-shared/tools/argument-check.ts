import { canonicalJson } from '../base/canonical-json';
import { holdsLongNumber, readExactJson } from '../base/exact-json';
import { cutAtCharacter } from '../base/hidden-characters';
import { checkJsonBounds } from '../base/json-bounds';
import { failed, ok, type Result } from '../base/result';
import { toVisibleText, visibleToString } from '../base/visible-text';
import type { Json, JsonObject } from './tool.schema';

const ARGUMENT_BOUNDS = { maxDepth: 256, maxChars: 4_000_000 } as const;
const CHECKED_LEVELS = 2;

export interface CheckedArguments {
  value: JsonObject;
  /** The bytes that are shown, approved and sent (A5). */
  frozenText: string;
}

/**
 * Reads a call's arguments. Empty and absent mean `{}`; anything else that is not one JSON object is a sentence for the caller,
 * never a silent `{}` (G2). The schema is then checked two levels deep: what it allows passes, and so does what we do not understand.
 */
export function checkArguments(schema: JsonObject, given: unknown): Result<CheckedArguments, string> {
  const read = readObject(given);
  if (!read.ok) return read;
  const problem = problemOf(schema, read.value.value, '', CHECKED_LEVELS);
  return problem === null ? read : failed(problem);
}

function readObject(given: unknown): Result<CheckedArguments, string> {
  if (given === undefined || given === null) return ok({ value: {}, frozenText: '{}' });
  let value: unknown = given;
  if (typeof given === 'string') {
    if (given.trim() === '') return ok({ value: {}, frozenText: '{}' });
    try {
      value = JSON.parse(given);
    } catch {
      return failed(`The arguments are not one JSON object. They begin with ${excerpt(given)} Send one whole JSON object.`);
    }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return failed(`The arguments must be a JSON object, not ${inWords(value)}.`);
  }
  const bounds = checkJsonBounds(value, ARGUMENT_BOUNDS);
  if (bounds === 'too-deep') return failed(`The arguments are nested more than ${ARGUMENT_BOUNDS.maxDepth} levels deep.`);
  if (bounds === 'too-big') return failed('The arguments are larger than 4 MB.');
  if (bounds === 'not-json') return failed('The arguments hold a number that is too large for JSON.');
  // A number keeps the digits it was written with (O6).
  const exact = typeof given === 'string' && holdsLongNumber(given) ? readExactJson(given) : null;
  const frozenText = exact ? exact.write(exact.value) : JSON.stringify(value);
  // Through text once more, so that the value is exactly what the frozen bytes say.
  return ok({ value: JSON.parse(frozenText) as JsonObject, frozenText });
}

/** Null when the value passes. Keywords next to a `$ref` are left alone: older drafts ignore them. */
function problemOf(schema: unknown, value: Json, path: string, levels: number): string | null {
  if (!isObject(schema) || '$ref' in schema) return null;
  if (value === null && schema['nullable'] === true) return null;
  const name = path === '' ? 'The arguments' : `"${shortName(path)}"`;
  return (
    problemOfType(schema['type'], value, name) ??
    problemOfChoice(schema, value, name) ??
    (typeof value === 'number' ? problemOfNumber(schema, value, name) : null) ??
    (typeof value === 'string' ? problemOfLength(schema, value, name) : null) ??
    (isJsonObject(value) ? problemOfMembers(schema, value, path, levels) : null)
  );
}

const TYPES: { [type: string]: { is(value: Json): boolean; words: string } } = {
  string: { is: (value) => typeof value === 'string', words: 'text' },
  number: { is: (value) => typeof value === 'number', words: 'a number' },
  integer: { is: (value) => Number.isInteger(value), words: 'a whole number' },
  boolean: { is: (value) => typeof value === 'boolean', words: 'true or false' },
  array: { is: Array.isArray, words: 'a list' },
  object: { is: isJsonObject, words: 'an object' },
  null: { is: (value) => value === null, words: 'null' },
};

function problemOfType(type: unknown, value: Json, name: string): string | null {
  const named = Array.isArray(type) ? type : [type];
  const known = named.map((one) => (typeof one === 'string' && Object.hasOwn(TYPES, one) ? TYPES[one] : undefined));
  const wanted = known.filter((one) => one !== undefined);
  if (wanted.length === 0 || wanted.length < named.length || wanted.some((one) => one.is(value))) return null;
  return `${name} must be ${wanted.map((one) => one.words).join(' or ')}, not ${inWords(value)}.`;
}

function problemOfChoice(schema: { [keyword: string]: unknown }, value: Json, name: string): string | null {
  const choices = Array.isArray(schema['enum'])
    ? (schema['enum'] as Json[])
    : 'const' in schema
      ? [schema['const'] as Json]
      : null;
  if (choices === null) return null;
  const given = canonicalJson(value);
  if (choices.some((choice) => canonicalJson(choice) === given)) return null;
  const listed = choices.slice(0, 10).map((choice) => visibleToString(toVisibleText(cutAtCharacter(JSON.stringify(choice), 60))));
  return `${name} must be one of ${listed.join(', ')}${choices.length > 10 ? ` or ${choices.length - 10} more` : ''}.`;
}

function problemOfNumber(schema: { [keyword: string]: unknown }, value: number, name: string): string | null {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (typeof minimum === 'number' && value < minimum) return `${name} must be at least ${minimum}.`;
  if (typeof maximum === 'number' && value > maximum) return `${name} must be at most ${maximum}.`;
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return `${name} must be more than ${exclusiveMinimum}.`;
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) return `${name} must be less than ${exclusiveMaximum}.`;
  return null;
}

function problemOfLength(schema: { [keyword: string]: unknown }, value: string, name: string): string | null {
  const { minLength, maxLength } = schema;
  if (typeof minLength !== 'number' && typeof maxLength !== 'number') return null;
  // JSON Schema counts characters, not UTF-16 units.
  const length = value.length > 1_000_000 ? value.length : [...value].length;
  if (typeof minLength === 'number' && length < minLength) return `${name} must have at least ${characters(minLength)}.`;
  if (typeof maxLength === 'number' && length > maxLength && value.length <= 1_000_000)
    return `${name} must have at most ${characters(maxLength)}.`;
  return null;
}

const characters = (count: number): string => `${count} character${count === 1 ? '' : 's'}`;

function problemOfMembers(
  schema: { [keyword: string]: unknown },
  value: JsonObject,
  path: string,
  levels: number,
): string | null {
  if (levels === 0) return null;
  const join = (member: string) => (path === '' ? member : `${path}.${member}`);
  const { required, properties } = schema;
  if (Array.isArray(required)) {
    const missing = required.find((member): member is string => typeof member === 'string' && !Object.hasOwn(value, member));
    if (missing !== undefined) return `"${shortName(join(missing))}" is missing.`;
  }
  if (!isObject(properties)) return null;
  for (const [member, memberValue] of Object.entries(value)) {
    if (!Object.hasOwn(properties, member)) continue;
    const problem = problemOf(properties[member], memberValue, join(member), levels - 1);
    if (problem !== null) return problem;
  }
  return null;
}

function inWords(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'boolean') return 'true or false';
  return typeof value === 'string' ? 'text' : 'a number';
}

const shortName = (name: string): string =>
  visibleToString(toVisibleText(name.length > 100 ? `${cutAtCharacter(name, 100)}…` : name));
const excerpt = (text: string): string => {
  const start = visibleToString(toVisibleText(cutAtCharacter(text, 60)));
  return text.length > 60 ? `${start} …` : `${start} and end there.`;
};

function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isJsonObject(value: Json): value is JsonObject {
  return isObject(value);
}
