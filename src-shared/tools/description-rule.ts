import { oneLine } from './output-treatment';
import { quotableName } from './quotable-name';
import type { OfferedTool } from './registry-plan';
import { adaptSchema } from './schema-adaptation';
import { stripInvisible } from './strip-invisible';
import type { Json, JsonObject } from './tool.schema';

const MAX_DESCRIPTION = 1024;
const MAX_SCHEMA_TEXT = 256;
const MAX_NOTE = 256;

/** Words about the schema, read by models and by nobody else. */
const PROSE_KEYWORDS = new Set(['description', 'title', '$comment', 'default']);
/** What follows these is data, in which a member called "title" is not a title. */
const DATA_KEYWORDS = new Set(['default', 'examples', 'example', 'enum', 'const']);
/** The members of these are schemas under names of the server's choice. */
const NAMING_KEYWORDS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

type Position = 'schema' | 'names' | 'data';

/** A tool's description as the model reads it: whose words they are, on one line, bounded (R5). */
export function attributedDescription(serverName: string, description: string, note = ''): string {
  const attribution = `[from the "${quotableName(serverName)}" MCP server]`;
  // A description must not open a second attribution and speak for another server.
  const words = oneLine(description, MAX_DESCRIPTION * 64).replace(/\[(?=\s*from the\b)/giu, '(');
  // What the parameters cannot say is not what is cut.
  const said = oneLine(note, MAX_NOTE);
  if (said === '') return oneLine(`${attribution} ${words}`, MAX_DESCRIPTION);
  return `${oneLine(`${attribution} ${words}`, MAX_DESCRIPTION - said.length - 1)} ${said}`;
}

/** A schema whose every text is stripped, and whose prose is on one line and short (O1, R5). Meaning is kept. */
export function boundSchemaTexts(schema: JsonObject): JsonObject {
  return treatMembers(schema, 'schema');
}

export interface ToolForModel {
  name: string;
  description: string;
  parameters: JsonObject;
}

/** Exactly what a provider is told of a tool. Output schema and annotations stay here: they are claims, not help. */
export function toolForModel(offered: Pick<OfferedTool, 'published' | 'serverName' | 'definition'>): ToolForModel {
  const { parameters, note } = adaptSchema(boundSchemaTexts(offered.definition.inputSchema));
  return {
    name: offered.published,
    description: attributedDescription(offered.serverName, offered.definition.description, note),
    parameters,
  };
}

function treatMembers(object: JsonObject, position: Position): JsonObject {
  const treated = new Map<string, Json>();
  for (const [name, value] of Object.entries(object)) {
    const shownName = stripInvisible(name).text;
    if (treated.has(shownName)) continue;
    const isProse = position === 'schema' && typeof value === 'string' && PROSE_KEYWORDS.has(name);
    treated.set(shownName, isProse ? oneLine(value, MAX_SCHEMA_TEXT) : treatValue(value, positionOf(name, position)));
  }
  return Object.fromEntries(treated);
}

function positionOf(name: string, parent: Position): Position {
  if (parent === 'data') return 'data';
  if (parent === 'names') return 'schema';
  return DATA_KEYWORDS.has(name) ? 'data' : NAMING_KEYWORDS.has(name) ? 'names' : 'schema';
}

function treatValue(value: Json, position: Position): Json {
  if (typeof value === 'string') return stripInvisible(value).text;
  if (Array.isArray(value)) return value.map((item) => treatValue(item, position));
  return typeof value === 'object' && value !== null ? treatMembers(value, position) : value;
}
