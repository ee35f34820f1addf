import { canonicalJson } from '../base/canonical-json';
import { diffTexts, wholeChanged, type DiffBudget } from '../base/text-diff';
import { toVisibleText, visibleToString } from '../base/visible-text';
import type { DefinitionChange, DefinitionDiff } from './definition-diff.schema';
import type { Json, JsonObject, ToolDefinition } from './tool.schema';

export const MAX_CHANGES = 200;
/** All comparisons of one definition together: some tens of milliseconds at most. */
const MAX_CELLS = 4_000_000;
/** Deeper than this a schema is compared as one text. */
const MAX_DEPTH = 8;
const MAX_LABEL = 120;

/** The parts of a definition: what is compared, by the words it is named with. */
type Parts = Map<string, { label: string; text: string }>;

/**
 * What changed between the reviewed definition and the one listed now, part by part, for a person (R4, H10).
 * Two definitions of different digest never come out without a change.
 */
export function diffDefinitions(before: ToolDefinition, after: ToolDefinition): DefinitionDiff {
  const budget: DiffBudget = { cells: MAX_CELLS };
  const [old, now] = [partsOf(before), partsOf(after)];
  const keys = [...now.keys(), ...[...old.keys()].filter((key) => !now.has(key))];
  const differing = keys.filter((key) => old.get(key)?.text !== now.get(key)?.text);
  const changes = differing.slice(0, MAX_CHANGES).map((key) => changeOf(old.get(key), now.get(key), budget));
  if (changes.length === 0) {
    const [oldText, nowText] = [canonicalJson(toJson(before)), canonicalJson(toJson(after))];
    if (oldText !== nowText) return { changes: [{ part: 'definition', ...diffTexts(oldText, nowText, budget) }], more: 0 };
  }
  return { changes, more: differing.length - changes.length };
}

type Part = { label: string; text: string } | undefined;

function changeOf(old: Part, now: Part, budget: DiffBudget): DefinitionChange {
  const part = (now ?? old)?.label ?? '';
  if (old && now) return { part, ...diffTexts(old.text, now.text, budget) };
  return { part, before: old ? wholeChanged(old.text) : null, after: now ? wholeChanged(now.text) : null };
}

function partsOf(definition: ToolDefinition): Parts {
  const parts: Parts = new Map();
  const { title, description, claims, inputSchema, outputSchema } = definition;
  if (title !== undefined) parts.set('title', { label: 'title', text: title });
  parts.set('description', { label: 'description', text: description });
  for (const [claim, label] of CLAIMS) {
    const said = claims[claim];
    if (said !== undefined) parts.set(`claim ${claim}`, { label, text: said ? 'yes' : 'no' });
  }
  readSchema(parts, { key: ['input'], words: 'arguments', member: 'argument' }, inputSchema, 0);
  if (outputSchema) readSchema(parts, { key: ['output'], words: 'result', member: 'result' }, outputSchema, 0);
  return parts;
}

const CLAIMS = [
  ['readOnly', 'says it only reads'],
  ['destructive', 'says it destroys'],
  ['idempotent', 'says it is repeatable'],
  ['openWorld', 'says it reaches other systems'],
] as const;

interface Place {
  /** Where it stands, so that no two parts meet under one name. */
  key: readonly string[];
  words: string;
  /** What the schema's properties are called. */
  member: string;
}

/** One part for each property, and one for each thing said of it. */
function readSchema(parts: Parts, place: Place, schema: JsonObject, depth: number): void {
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  for (const [keyword, value] of Object.entries(schema)) {
    const members = keyword === 'properties' && depth < MAX_DEPTH ? asObject(value) : null;
    if (members) {
      for (const [name, member] of Object.entries(members)) {
        const key = [...place.key, 'property', name];
        const words = `${place.member} ${quoted(name)}`;
        parts.set(canonicalJson(key), { label: words, text: required.has(name) ? 'must be given' : 'can be left out' });
        const inner = asObject(member);
        if (inner) readSchema(parts, { key, words, member: words }, inner, depth + 1);
        else addPart(parts, { key, words, member: words }, 'schema', member);
      }
      continue;
    }
    if (keyword === 'required') {
      const others = [...required].filter((name) => !Object.hasOwn(asObject(schema['properties']) ?? {}, String(name)));
      if (others.length > 0) addPart(parts, place, keyword, others);
      continue;
    }
    const items = keyword === 'items' && depth < MAX_DEPTH ? asObject(value) : null;
    if (items) {
      const words = `each item of ${place.words}`;
      readSchema(parts, { key: [...place.key, 'items'], words, member: words }, items, depth + 1);
    } else addPart(parts, place, keyword, value);
  }
}

function addPart(parts: Parts, place: Place, keyword: string, value: Json): void {
  const label = cut(`${place.words}, ${visibleToString(toVisibleText(keyword))}`);
  const isProse = typeof value === 'string' && PROSE.has(keyword);
  parts.set(canonicalJson([...place.key, 'keyword', keyword, isProse ? 'text' : 'json']), {
    label,
    text: isProse ? value : canonicalJson(value),
  });
}

/** Words, which are shown without the quotes of JSON. */
const PROSE = new Set(['description', 'title', '$comment', 'type', 'format', 'pattern']);

const asObject = (value: Json | undefined): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;

const quoted = (name: string): string => cut(`“${visibleToString(toVisibleText(name))}”`);
const cut = (label: string): string => (label.length > MAX_LABEL ? `${label.slice(0, MAX_LABEL - 1)}…` : label);

function toJson(definition: ToolDefinition): Json {
  const { rawName, title = null, description, inputSchema, outputSchema = null } = definition;
  const claims = Object.fromEntries(Object.entries(definition.claims).filter(([, said]) => said !== undefined)) as JsonObject;
  return { rawName, title, description, inputSchema, outputSchema, claims };
}
