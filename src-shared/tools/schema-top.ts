import { canonicalJson } from '../base/canonical-json';
import { cutAtCharacter } from '../base/hidden-characters';
import type { AdaptedSchema } from './schema-adaptation';
import type { Json, JsonObject } from './tool.schema';

const MAX_WORDS = 300;
const MAX_ALTERNATIVES = 6;
const MAX_NESTING = 8;
/** One argument under any other name makes some providers refuse every message. */
const TELLABLE = /^[a-zA-Z0-9_.-]{1,64}$/;

interface Members {
  properties: Map<string, Json>;
  required: Set<string>;
}

/** Keywords of the top that are told in words or spread over the members; providers refuse them there. */
const SPREAD = new Set([
  'properties',
  'required',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'enum',
  'const',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'nullable',
]);

/** One plain object of a schema without references: members of all alternatives, required what all of them share (R6). */
export function flattenTop(schema: JsonObject): AdaptedSchema {
  const words: string[] = [];
  const { properties, required } = membersOf(schema, words, 0);
  const untold = [...properties.keys(), ...required].filter((name) => !TELLABLE.test(name));
  for (const name of new Set(untold)) {
    properties.delete(name);
    required.delete(name);
    words.push(`The argument ${JSON.stringify(cutAtCharacter(name, 40))} cannot be told here.`);
  }
  // What is required without being described is still required.
  for (const name of required) if (!properties.has(name)) properties.set(name, {});
  const rest = Object.entries(schema).filter(([keyword]) => !SPREAD.has(keyword));
  const parameters: JsonObject = {
    ...Object.fromEntries(rest),
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.size > 0 ? { required: [...required] } : {}),
  };
  if (parameters['additionalProperties'] === false && words.length > 0) delete parameters['additionalProperties'];
  return { parameters, note: cutAtCharacter(words.join(' '), MAX_WORDS) };
}

function membersOf(schema: JsonObject, words: string[], nesting: number): Members {
  const own = schema['properties'];
  const members: Members = {
    properties: new Map(isObject(own) ? Object.entries(own) : []),
    required: new Set(namesIn(schema['required'])),
  };
  if (nesting > MAX_NESTING) return members;
  for (const part of schemasIn(schema['allOf'])) addAll(members, membersOf(part, words, nesting + 1));
  for (const [keyword, opening] of [
    ['anyOf', 'Give at least one of'],
    ['oneOf', 'Give exactly one of'],
  ] as const) {
    addAlternatives(members, schemasIn(schema[keyword]), opening, words, nesting);
  }
  const { then, else: otherwise } = schema;
  for (const branch of [
    then,
    otherwise,
    ...Object.values(isObject(schema['dependentSchemas']) ? schema['dependentSchemas'] : {}),
  ]) {
    if (isObject(branch)) addProperties(members, membersOf(branch, [], nesting + 1).properties);
  }
  return members;
}

function addAlternatives(
  members: Members,
  branches: readonly JsonObject[],
  opening: string,
  words: string[],
  nesting: number,
): void {
  const read = branches
    .filter((branch) => takesObjects(branch['type']))
    .map((branch) => ({ branch, ...membersOf(branch, words, nesting + 1) }));
  if (read.length === 0) return;
  for (const { properties } of read) addProperties(members, properties);
  const shared = [...read[0]!.required].filter((name) => read.every(({ required }) => required.has(name)));
  for (const name of shared) members.required.add(name);
  if (read.length === 1) return;
  const listed = read.map(({ branch, properties, required }) => {
    const own = [...required].filter((name) => !members.required.has(name));
    const names = own.length > 0 ? own : required.size > 0 ? [] : [...properties.keys()];
    const title = branch['title'];
    return names.length > 0 ? names.slice(0, 6).join(' with ') : typeof title === 'string' ? title : '';
  });
  const told = listed.map((one) => one || 'nothing more').slice(0, MAX_ALTERNATIVES);
  if (listed.some((one) => one !== ''))
    words.push(
      `${opening}: ${told.join('; or ')}${listed.length > told.length ? `; or ${listed.length - told.length} more` : ''}.`,
    );
}

function addAll(members: Members, { properties, required }: Members): void {
  addProperties(members, properties);
  for (const name of required) members.required.add(name);
}

/** A member described differently in two alternatives takes what either takes. */
function addProperties(members: Members, added: ReadonlyMap<string, Json>): void {
  for (const [name, schema] of added) {
    const known = members.properties.get(name);
    if (known === undefined || isEmpty(known)) members.properties.set(name, schema);
    else if (!isEmpty(schema) && canonicalJson(known) !== canonicalJson(schema))
      members.properties.set(name, eitherOf(known, schema));
  }
}

function eitherOf(known: Json, added: Json): Json {
  if (isObject(known) && Object.keys(known).length === 1 && Array.isArray(known['anyOf'])) {
    const text = canonicalJson(added);
    return known['anyOf'].some((one) => canonicalJson(one) === text) ? known : { anyOf: [...known['anyOf'], added] };
  }
  return { anyOf: [known, added] };
}

const isEmpty = (schema: Json): boolean => isObject(schema) && Object.keys(schema).length === 0;
const takesObjects = (type: Json | undefined): boolean =>
  type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
const namesIn = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
const schemasIn = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
