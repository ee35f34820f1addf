import { canonicalJson } from '../base/canonical-json';
import type { Digest } from '../base/digest.schema';
import { sha256Hex } from '../base/sha256';
import type { Json, ToolDefinition } from './tool.schema';

/** What a review pins (R4). The order of keys means nothing in JSON, so it changes nothing here. */
export function definitionDigest(definition: ToolDefinition): Digest {
  const pinned: { [name: string]: Json } = {
    form: 'tool-definition/1',
    name: definition.rawName,
    description: definition.description,
    inputSchema: definition.inputSchema,
    annotations: withoutAbsent(definition.claims),
  };
  if (definition.title !== undefined) pinned['title'] = definition.title;
  if (definition.outputSchema !== undefined) pinned['outputSchema'] = definition.outputSchema;
  return sha256Hex(canonicalJson(pinned));
}

function withoutAbsent(claims: ToolDefinition['claims']): { [name: string]: Json } {
  const made: { [name: string]: Json } = {};
  for (const [name, claim] of Object.entries(claims)) if (claim !== undefined) made[name] = claim;
  return made;
}
