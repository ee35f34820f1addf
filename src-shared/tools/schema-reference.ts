import type { Json, JsonObject } from './tool.schema';

export type ReferenceTarget = { kind: 'found'; schema: Json } | { kind: 'elsewhere' } | { kind: 'missing' };

/** Looks up a `$ref` within its own document by JSON Pointer (RFC 6901). What stands elsewhere is never fetched (R6). */
export function findReference(root: JsonObject, reference: string): ReferenceTarget {
  if (!reference.startsWith('#')) return { kind: 'elsewhere' };
  const pointer = decoded(reference.slice(1));
  if (pointer === '') return { kind: 'found', schema: root };
  if (pointer === null || !pointer.startsWith('/')) return { kind: 'missing' };
  let at: Json = root;
  for (const step of pointer.slice(1).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return { kind: 'missing' };
    at = (at as JsonObject)[name] ?? null;
  }
  return { kind: 'found', schema: at };
}

function decoded(fragment: string): string | null {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return null;
  }
}
