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
