import { cutAtCharacter } from '../base/hidden-characters';
import { checkJsonBounds } from '../base/json-bounds';
import type { JsonObject, ToolClaims, ToolDefinition } from './tool.schema';

const MAX_RAW_NAME = 1024;
export const SCHEMA_BOUNDS = { maxDepth: 64, maxChars: 256 * 1024 } as const;

export interface SkippedTool {
  rawName: string;
  /** One sentence for the server page. */
  why: string;
}

export interface ToolListReading {
  tools: ToolDefinition[];
  skipped: SkippedTool[];
}

/**
 * Reads what a server lists. A malformed tool costs that tool and no other (R3); unknown keys are left out;
 * of two entries with one raw name the first stays (N3). Everything left out is named.
 */
export function readToolList(raw: readonly unknown[], maxTools: number): ToolListReading {
  const tools: ToolDefinition[] = [];
  const skipped: SkippedTool[] = [];
  const taken = new Set<string>();
  for (const [index, entry] of raw.entries()) {
    const { rawName, tool, why } = readEntry(entry, index);
    if (tool === null) skipped.push({ rawName, why });
    else if (taken.has(rawName)) skipped.push({ rawName, why: 'The server lists this name twice; the first one stays.' });
    else if (tools.length >= maxTools) {
      skipped.push({ rawName, why: `The server lists more than ${maxTools} tools; raise its limit to see this one.` });
    } else {
      taken.add(rawName);
      tools.push(tool);
    }
  }
  return { tools, skipped };
}

type EntryReading = { rawName: string; tool: ToolDefinition; why: '' } | { rawName: string; tool: null; why: string };

function readEntry(entry: unknown, index: number): EntryReading {
  const nameless = `entry ${index + 1}`;
  if (!isObject(entry)) return { rawName: nameless, tool: null, why: 'This entry of the list is not a tool.' };
  const rawName = entry['name'];
  if (typeof rawName !== 'string' || rawName === '') return { rawName: nameless, tool: null, why: 'This tool has no name.' };
  if (rawName.length > MAX_RAW_NAME) {
    return { rawName: cutAtCharacter(rawName, 80) + '…', tool: null, why: `Its name is longer than ${MAX_RAW_NAME} characters.` };
  }
  const { title, description, inputSchema, outputSchema, annotations } = entry;
  const why =
    problemOfText(description, 'description') ??
    problemOfSchema(inputSchema, 'input') ??
    problemOfOutput(outputSchema) ??
    problemOfAnnotations(annotations);
  if (why !== null) return { rawName, tool: null, why };
  const tool: ToolDefinition = {
    rawName,
    description: typeof description === 'string' ? description : '',
    inputSchema: inputSchema as JsonObject,
    claims: readClaims(annotations),
  };
  const shownTitle = typeof title === 'string' ? title : isObject(annotations) ? annotations['title'] : undefined;
  if (typeof shownTitle === 'string') tool.title = shownTitle;
  if (isObject(outputSchema)) tool.outputSchema = outputSchema as JsonObject;
  return { rawName, tool, why: '' };
}

function problemOfText(text: unknown, what: string): string | null {
  return text === undefined || text === null || typeof text === 'string' ? null : `Its ${what} is not text.`;
}

/** What it claims of itself cannot be read, so it is not known whether it would have called itself destructive (A3). */
function problemOfAnnotations(annotations: unknown): string | null {
  return annotations === undefined || annotations === null || isObject(annotations) ? null : 'Its annotations are not an object.';
}

function problemOfOutput(schema: unknown): string | null {
  return schema === undefined || schema === null ? null : problemOfSchema(schema, 'output');
}

function problemOfSchema(schema: unknown, which: 'input' | 'output'): string | null {
  if (!isObject(schema)) return `Its ${which} schema is missing or not an object.`;
  const bounds = checkJsonBounds(schema, SCHEMA_BOUNDS);
  if (bounds === 'too-deep') return `Its ${which} schema is nested more than ${SCHEMA_BOUNDS.maxDepth} levels deep.`;
  if (bounds === 'too-big') return `Its ${which} schema is larger than ${SCHEMA_BOUNDS.maxChars / 1024} KiB.`;
  if (bounds === 'not-json') return `Its ${which} schema is not JSON.`;
  // Copying an object with this key can change what it inherits, and the copy would no longer match its digest.
  if (holdsPrototypeKey(schema)) return `Its ${which} schema uses the name __proto__, which cannot be kept safely.`;
  const type = schema['type'];
  if (which === 'input' && type !== undefined && type !== 'object' && !(Array.isArray(type) && type.includes('object'))) {
    return 'Its input schema does not describe an object.';
  }
  if (schema['properties'] !== undefined && !isObject(schema['properties']))
    return `The properties of its ${which} schema are not an object.`;
  const required = schema['required'];
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === 'string'))) {
    return `The required list of its ${which} schema is not a list of names.`;
  }
  return null;
}

/** Only called once the depth is known to be bounded. */
function holdsPrototypeKey(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsPrototypeKey);
  return isObject(value) && (Object.hasOwn(value, '__proto__') || Object.values(value).some(holdsPrototypeKey));
}

function readClaims(annotations: unknown): ToolClaims {
  if (!isObject(annotations)) return {};
  const claims: ToolClaims = {};
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  if (typeof readOnlyHint === 'boolean') claims.readOnly = readOnlyHint;
  if (typeof destructiveHint === 'boolean') claims.destructive = destructiveHint;
  if (typeof idempotentHint === 'boolean') claims.idempotent = idempotentHint;
  if (typeof openWorldHint === 'boolean') claims.openWorld = openWorldHint;
  return claims;
}

function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
