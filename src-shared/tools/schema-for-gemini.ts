import type { Json, JsonObject } from './tool.schema';

/** The keywords Gemini's function declarations know; any other name makes it refuse the whole request. */
const KNOWN = new Set(
  'type format title description nullable enum items minItems maxItems properties required minProperties maxProperties minLength maxLength pattern minimum maximum anyOf'.split(
    ' ',
  ),
);
const FORMATS = new Set(['int32', 'int64', 'float', 'double', 'enum', 'date-time']);
const OBJECT_ONLY = new Set(['properties', 'required', 'minProperties', 'maxProperties']);

/** A schema already adapted for every provider, in the dialect of Gemini's function declarations (R6). */
export function schemaForGemini(schema: JsonObject): JsonObject {
  const translated = translateUnions(translateChoices(translateBounds(schema)));
  const isObjectSchema = translated['type'] === 'object';
  const kept = new Map<string, Json>();
  for (const [keyword, value] of Object.entries(translated)) {
    if (!KNOWN.has(keyword) || (OBJECT_ONLY.has(keyword) && !isObjectSchema)) continue;
    if (keyword === 'format' && !FORMATS.has(String(value))) continue;
    kept.set(keyword, translateMember(keyword, value));
  }
  // Anything goes is not something it can be told; text is what a model can always give.
  if (!kept.has('type') && !kept.has('anyOf')) kept.set('type', 'string');
  if (kept.get('type') === 'array' && !kept.has('items')) kept.set('items', { type: 'string' });
  const required = kept.get('required');
  if (Array.isArray(required)) {
    const properties = kept.get('properties');
    const existing = required.filter(
      (name) => typeof name === 'string' && isObject(properties) && Object.hasOwn(properties, name),
    );
    if (existing.length > 0) kept.set('required', existing);
    else kept.delete('required');
  }
  return Object.fromEntries(kept);
}

function translateMember(keyword: string, value: Json): Json {
  if (keyword === 'items' && isObject(value)) return schemaForGemini(value);
  if (keyword === 'anyOf' && Array.isArray(value)) return value.filter(isObject).map(schemaForGemini);
  if (keyword === 'properties' && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, schemaForGemini(isObject(member) ? member : {})]),
    );
  }
  return value;
}

function translateBounds(schema: JsonObject): JsonObject {
  const { exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  const step = schema['type'] === 'integer' ? 1 : 0;
  return {
    ...rest,
    ...(typeof exclusiveMinimum === 'number' && !('minimum' in rest) ? { minimum: exclusiveMinimum + step } : {}),
    ...(typeof exclusiveMaximum === 'number' && !('maximum' in rest) ? { maximum: exclusiveMaximum - step } : {}),
  };
}

/** Choices are texts there; those of another type are told in words, or the model would send text where a number is wanted. */
function translateChoices(schema: JsonObject): JsonObject {
  const { const: only, enum: listed, ...rest } = schema;
  const choices = Array.isArray(listed) ? listed : only === undefined ? null : [only];
  if (choices === null) return schema;
  const named = choices.filter((one) => one !== null);
  const nullable = named.length < choices.length ? { nullable: true } : {};
  if (named.length > 0 && named.every((one) => typeof one === 'string' && one !== '')) {
    return { ...rest, ...nullable, type: 'string', enum: named };
  }
  const [first] = named;
  const type = rest['type'] ?? (typeof first === 'number' ? 'number' : typeof first === 'boolean' ? 'boolean' : undefined);
  const words = `One of ${choices.map((one) => JSON.stringify(one)).join(', ')}.`;
  const said = typeof rest['description'] === 'string' ? `${rest['description']} ` : '';
  return { ...rest, ...nullable, ...(type === undefined ? {} : { type }), description: said + words };
}

function translateUnions(schema: JsonObject): JsonObject {
  const { anyOf, oneOf, allOf, type, ...rest } = schema;
  let result: JsonObject = { ...rest, ...(type === undefined ? {} : { type }) };
  for (const part of schemasIn(allOf)) result = { ...part, ...result };
  if (Array.isArray(type)) {
    const named = type.filter((one) => one !== 'null');
    const { type: _types, ...untyped } = result;
    result = { ...untyped, ...(named.length < type.length ? { nullable: true } : {}) };
    if (named.length === 1) result['type'] = named[0]!;
    else return { ...result, anyOf: named.map((one) => ({ type: one })) };
  }
  const union = schemasIn(anyOf ?? oneOf);
  if (union.length === 0) return result;
  const branches = union.filter((branch) => branch['type'] !== 'null');
  const nullable = branches.length < union.length ? { nullable: true } : {};
  const [only] = branches;
  return branches.length === 1 && only ? { ...only, ...result, ...nullable } : { ...result, ...nullable, anyOf: branches };
}

const schemasIn = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
