import { flattenTop } from './schema-top';
import { findReference } from './schema-reference';
import type { Json, JsonObject } from './tool.schema';

/** What one schema may cost a model, whatever its references unfold to. */
const MAX_DEPTH = 10;
const MAX_SCHEMAS = 1_000;
const MAX_CHARS = 48_000;
const MAX_CHOICES = 100;
const MAX_LISTED_CHOICES = 10;
/** A schema that contains itself is unfolded once, so that its shape is seen, and then cut. */
const MAX_UNFOLDS = 2;

/** Keywords that name other schemas or the document, not values. */
const LEFT_OUT = new Set(
  '$schema $id $ref $anchor $defs definitions $comment $vocabulary $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor id'.split(
    ' ',
  ),
);
const ONE_SCHEMA = new Set(
  'additionalProperties contains propertyNames not if then else unevaluatedProperties unevaluatedItems'.split(' '),
);
const SCHEMA_LIST = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const SCHEMA_MAP = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const NUMBERS = new Set(
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains'.split(
    ' ',
  ),
);
const TEXTS = new Set(['title', 'description', 'format', 'pattern', 'contentEncoding', 'contentMediaType']);
const BOOLEANS = new Set(['nullable', 'uniqueItems', 'deprecated', 'readOnly', 'writeOnly']);
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);

export interface AdaptedSchema {
  /** A plain object at the top, finite, without references. */
  parameters: JsonObject;
  /** What a plain object cannot say, in words for the tool's description; empty when nothing is lost. */
  note: string;
}

/**
 * An input schema every provider takes, with its meaning kept where a plain object can say it and told in words where it cannot (R6).
 * The original stays what arguments are checked against.
 */
export function adaptSchema(schema: JsonObject): AdaptedSchema {
  const plain = new Adaptation(schema).plain(schema, 0, []);
  return flattenTop(isObject(plain) ? plain : {});
}

class Adaptation {
  #schemas = 0;
  #chars = 0;

  constructor(private readonly root: JsonObject) {}

  plain(schema: Json | undefined, depth: number, unfolded: readonly string[]): Json {
    this.#schemas += 1;
    if (!isObject(schema)) return {};
    if (depth > MAX_DEPTH || this.#schemas > MAX_SCHEMAS || this.#chars > MAX_CHARS) return outline(schema);
    const reference = schema['$ref'];
    if (typeof reference === 'string') return this.#resolved(schema, reference, depth, unfolded);
    const members = new Map<string, Json>();
    for (const [keyword, value] of Object.entries(schema)) {
      const kept = this.#keyword(keyword, value, depth, unfolded);
      if (kept !== undefined) members.set(keyword, kept);
    }
    if (holdsLists(members.get('type')) && !members.has('items')) members.set('items', {});
    return withChoicesInWords(Object.fromEntries(members));
  }

  /** What stands beside a `$ref` counts too (JSON Schema 2020-12, 8.2.3.1). */
  #resolved(schema: JsonObject, reference: string, depth: number, unfolded: readonly string[]): Json {
    const { $ref: _ref, ...beside } = schema;
    const target = findReference(this.root, reference);
    if (target.kind !== 'found' || !isObject(target.schema)) return this.plain(beside, depth, unfolded);
    if (unfolded.filter((one) => one === reference).length >= MAX_UNFOLDS) return outline({ ...target.schema, ...beside });
    const inner: JsonObject = { ...target.schema };
    for (const [keyword, value] of Object.entries(beside)) {
      // Both sides hold: neither may overwrite what the other asks of the members.
      if (!Object.hasOwn(inner, keyword) || keyword === 'description' || keyword === 'title' || keyword === 'default')
        inner[keyword] = value;
      else if (!sameJson(inner[keyword], value) && !LEFT_OUT.has(keyword))
        inner['allOf'] = [...listOf(inner['allOf']), { [keyword]: value }];
    }
    return this.plain(inner, depth + 1, [...unfolded, reference]);
  }

  #keyword(keyword: string, value: Json, depth: number, unfolded: readonly string[]): Json | undefined {
    if (LEFT_OUT.has(keyword) || keyword.startsWith('x-')) return undefined;
    const inner = (one: Json): Json => this.plain(one, depth + 1, unfolded);
    if (keyword === 'type') return readType(value);
    if (keyword === 'required') return Array.isArray(value) ? unique(value.filter((one) => typeof one === 'string')) : undefined;
    if (keyword === 'enum') return Array.isArray(value) && value.length > 0 ? this.#weighed(value) : undefined;
    if (keyword === 'const' || keyword === 'default') return this.#weighed(value);
    if (keyword === 'examples') return Array.isArray(value) ? this.#weighed(value.slice(0, 3)) : undefined;
    if (NUMBERS.has(keyword)) return typeof value === 'number' ? value : undefined;
    if (TEXTS.has(keyword)) return typeof value === 'string' ? this.#weighed(value) : undefined;
    if (BOOLEANS.has(keyword)) return typeof value === 'boolean' ? value : undefined;
    // A list of schemas was how draft 7 wrote a tuple; providers read one schema.
    if (keyword === 'items')
      return Array.isArray(value) ? { anyOf: value.map(inner) } : isObject(value) ? inner(value) : undefined;
    if (ONE_SCHEMA.has(keyword)) return typeof value === 'boolean' ? value : isObject(value) ? inner(value) : undefined;
    if (SCHEMA_LIST.has(keyword)) return Array.isArray(value) && value.length > 0 ? value.filter(isObject).map(inner) : undefined;
    if (SCHEMA_MAP.has(keyword) && isObject(value)) {
      return Object.fromEntries(
        Object.entries(value)
          .filter(([, member]) => member !== false)
          .map(([name, member]) => {
            this.#chars += name.length;
            return [name, inner(member)];
          }),
      );
    }
    return undefined;
  }

  #weighed<T extends Json>(value: T): T | undefined {
    const chars = JSON.stringify(value).length;
    if (!Array.isArray(value) && chars > MAX_CHARS) return undefined;
    this.#chars += Array.isArray(value) ? Math.min(chars, MAX_CHOICES * 40) : chars;
    return value;
  }
}

/** What is left of a schema that is not unfolded any further. */
function outline(schema: JsonObject): JsonObject {
  const type = readType(schema['type'] ?? null);
  const description = schema['description'];
  return { ...(type === undefined ? {} : { type }), ...(typeof description === 'string' ? { description } : {}) };
}

/** A list of thousands would fill the context; any other value stays possible, so nothing is forbidden that the server takes. */
function withChoicesInWords(schema: JsonObject): JsonObject {
  const { enum: choices, ...rest } = schema;
  if (!Array.isArray(choices)) return schema;
  if (choices.length <= MAX_CHOICES && JSON.stringify(choices).length <= MAX_CHOICES * 40) return schema;
  const listed = choices.slice(0, MAX_LISTED_CHOICES).map((one) => JSON.stringify(one).slice(0, 40));
  const words = `One of ${choices.length} values, such as ${listed.join(', ')}.`;
  const said = typeof rest['description'] === 'string' ? `${rest['description']} ` : '';
  const type = rest['type'] ?? (choices.every((one) => typeof one === 'string') ? 'string' : undefined);
  return { ...rest, ...(type === undefined ? {} : { type }), description: said + words };
}

function readType(type: Json): Json | undefined {
  if (typeof type === 'string') return TYPES.has(type) ? type : undefined;
  if (!Array.isArray(type)) return undefined;
  const known = unique(type.filter((one) => typeof one === 'string' && TYPES.has(one)));
  return known.length > 1 ? known : known[0];
}

const holdsLists = (type: Json | undefined): boolean => type === 'array' || (Array.isArray(type) && type.includes('array'));
const unique = (values: readonly Json[]): Json[] => [...new Set(values)];
const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
const sameJson = (left: Json | undefined, right: Json): boolean => JSON.stringify(left) === JSON.stringify(right);

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
