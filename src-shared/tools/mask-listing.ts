import { stripInvisible } from './strip-invisible';
import type { ToolListReading } from './tool-list-rule';
import type { Json, JsonObject, ToolDefinition } from './tool.schema';

type Mask = (text: string) => string;

/**
 * Takes saved secrets out of what a server says of its tools, before it is kept, shown or told to a model (S5).
 * A tool with a secret in its very name is left out: under any other name it could not be called.
 */
export function maskListing({ tools, skipped }: ToolListReading, mask: Mask): ToolListReading {
  const kept: ToolDefinition[] = [];
  const left = skipped.map(({ rawName, why }) => ({ rawName: maskText(rawName, mask), why }));
  for (const tool of tools) {
    const rawName = maskText(tool.rawName, mask);
    if (rawName !== tool.rawName) left.push({ rawName, why: 'Its name contains a secret that you saved, so it is left out.' });
    else kept.push(maskDefinition(tool, mask));
  }
  return { tools: kept, skipped: left };
}

function maskDefinition(tool: ToolDefinition, mask: Mask): ToolDefinition {
  const { description, title, inputSchema, outputSchema } = tool;
  // One look at everything it says: nearly always there is nothing to take out.
  const texts = textsOf([description, title ?? '', inputSchema, outputSchema ?? {}]).join('\n');
  if (maskText(texts, mask) === texts) return tool;
  return {
    ...tool,
    description: maskText(description, mask),
    inputSchema: maskMembers(inputSchema, mask),
    ...(title === undefined ? {} : { title: maskText(title, mask) }),
    ...(outputSchema === undefined ? {} : { outputSchema: maskMembers(outputSchema, mask) }),
  };
}

/** Also what stands there once invisible characters are gone; a text without a secret stays as it is. */
export function maskText(text: string, mask: Mask): string {
  const stripped = stripInvisible(text).text;
  const masked = mask(stripped);
  return masked === stripped ? mask(text) : masked;
}

function textsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsOf(member)]);
}

function maskValue(value: Json, mask: Mask): Json {
  if (typeof value === 'string') return maskText(value, mask);
  if (Array.isArray(value)) return value.map((item) => maskValue(item, mask));
  return typeof value === 'object' && value !== null ? maskMembers(value, mask) : value;
}

/** The same for any other object of a server's. */
export function maskMembers(object: JsonObject, mask: Mask): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [maskText(name, mask), maskValue(value, mask)]));
}
