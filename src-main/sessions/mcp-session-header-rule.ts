import { asFieldValue } from './http-transport-headers';
import type { CallArguments } from './mcp-session-call-message';
import type { SkippedTool, ToolListReading } from '../../src-shared/tools/tool-list-rule';

const ANNOTATION = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES = new Set(['string', 'integer', 'boolean']);

/**
 * Over HTTP a server of the stateless era may have arguments repeated in headers. A tool that asks for it in a way
 * the protocol does not allow is left out: its calls would be refused, or repeat something else than was reviewed.
 */
export function withoutBrokenHeaders({ tools, skipped }: ToolListReading): ToolListReading {
  const broken: SkippedTool[] = [];
  const kept = tools.filter(({ rawName, inputSchema }) => {
    if (annotationsAreLegal(inputSchema)) return true;
    broken.push({ rawName, why: 'It asks for a request header in a way the protocol does not allow.' });
    return false;
  });
  return { tools: kept, skipped: [...skipped, ...broken] };
}

interface Repeated {
  header: string;
  path: readonly string[];
}

const NOTHING: readonly Repeated[] = [];
const known = new WeakMap<object, readonly Repeated[]>();

/** The headers that repeat arguments of a call, by its approved definition (MCP 2026-07-28, Streamable HTTP). */
export function argumentHeaders(schema: object, callArguments: CallArguments): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { header, path } of repeatedIn(schema)) {
    const text = asText(valueAt(callArguments, path));
    if (text !== null) headers[header] = asFieldValue(text);
  }
  return headers;
}

function repeatedIn(schema: object): readonly Repeated[] {
  const before = known.get(schema);
  if (before) return before;
  const found: Repeated[] = [];
  const visit = (node: unknown, path: readonly string[]): void => {
    if (!isObject(node)) return;
    const name = node[ANNOTATION];
    if (path.length > 0 && typeof name === 'string') found.push({ header: `mcp-param-${name.toLowerCase()}`, path });
    if (!isObject(node['properties'])) return;
    for (const [member, child] of Object.entries(node['properties'])) visit(child, [...path, member]);
  };
  if (annotationsAreLegal(schema)) visit(schema, []);
  const repeated = found.length === 0 ? NOTHING : found;
  known.set(schema, repeated);
  return repeated;
}

function valueAt(callArguments: CallArguments, path: readonly string[]): unknown {
  let value: unknown = callArguments;
  for (const member of path) value = isObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
  return value;
}

/** Null for what is left out of the headers: nothing, what is no primitive, and a number that lost digits. */
function asText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number') return null;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? null : String(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Each annotation must sit on a primitive that is reached through `properties` alone, with a name of its own. */
function annotationsAreLegal(schema: object): boolean {
  const names = new Set<string>();
  const visit = (node: unknown, reachable: boolean, isProperty: boolean): boolean => {
    if (Array.isArray(node)) return node.every((each) => visit(each, false, false));
    if (typeof node !== 'object' || node === null) return true;
    const members = node as Record<string, unknown>;
    if (Object.hasOwn(members, ANNOTATION)) {
      const name = members[ANNOTATION];
      if (!reachable || !isProperty || typeof name !== 'string' || !TOKEN.test(name)) return false;
      if (!TYPES.has(String(members['type'])) || names.has(name.toLowerCase())) return false;
      names.add(name.toLowerCase());
    }
    return Object.entries(members).every(([keyword, value]) => {
      if (DATA.has(keyword)) return true;
      if (!MAPS.has(keyword)) return visit(value, false, false);
      if (typeof value !== 'object' || value === null) return true;
      const through = reachable && keyword === 'properties';
      return Object.values(value).every((child) => visit(child, through, through));
    });
  };
  return visit(schema, true, false);
}

/** Keywords whose value is data, in which nothing is an annotation. */
const DATA = new Set(['const', 'default', 'enum', 'examples', ANNOTATION]);
/** Keywords whose value maps names to schemas: a name in it is no keyword. */
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']);
