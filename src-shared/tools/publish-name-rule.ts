import { sha256Hex } from '../base/sha256';
import { checkNamespace } from '../servers/namespace-rule';

/** What every provider accepts as a tool's name. */
export const MAX_PUBLISHED_LENGTH = 64;
const SEPARATOR = '__';
const HASH_LENGTH = 8;
const LEGAL = /^[a-zA-Z0-9_-]+$/;
const ILLEGAL_CHARACTER = /[^a-zA-Z0-9_-]/gu;

/** The app's own tools (G5). None holds `__`, so no published name can be one of them (N4). */
export const BUILT_IN_NAMES = [
  'load_skill',
  'read_output',
  'code_search',
  'list_directory',
  'read_file',
  'find_files',
  'search_text',
  'write_file',
  'edit_file',
  'run_command',
  'code_execute',
  'use_tool',
] as const;
export type BuiltInName = (typeof BUILT_IN_NAMES)[number];

export function isBuiltInName(text: string): text is BuiltInName {
  return (BUILT_IN_NAMES as readonly string[]).includes(text);
}

/** Answers from the shape alone, so it holds for a call that arrives after its server is gone (N5). */
export function isPublishedName(text: string): boolean {
  // A namespace holds no `__` and does not end in `_`, so the first `__` always ends it.
  const end = text.indexOf(SEPARATOR);
  return (
    end > 0 &&
    text.length <= MAX_PUBLISHED_LENGTH &&
    checkNamespace(text.slice(0, end)).ok &&
    LEGAL.test(text.slice(end + SEPARATOR.length))
  );
}

/** The name a tool has for models: a pure function of namespace and raw name (N2). Two raw names can still meet; the plan refuses both (N3). */
export function publishedName(namespace: string, rawName: string): string {
  return publishWith(namespace, rawName, rewrite);
}

/** `publishedName` that folds and hashes each raw name once, for planning thousands of tools at a time (R1). */
export function createPublisher(): (namespace: string, rawName: string) => string {
  const known = new Map<string, Rewritten>();
  const remember = (rawName: string): Rewritten => {
    const rewritten = known.get(rawName) ?? rewrite(rawName);
    known.set(rawName, rewritten);
    return rewritten;
  };
  return (namespace, rawName) => publishWith(namespace, rawName, remember);
}

interface Rewritten {
  folded: string;
  hash: string;
}

function publishWith(namespace: string, rawName: string, rewriteOf: (rawName: string) => Rewritten): string {
  const prefix = namespace + SEPARATOR;
  if (prefix.length + rawName.length <= MAX_PUBLISHED_LENGTH && LEGAL.test(rawName)) return prefix + rawName;
  const { folded, hash } = rewriteOf(rawName);
  return `${prefix}${folded.slice(0, MAX_PUBLISHED_LENGTH - prefix.length - HASH_LENGTH - 1)}_${hash}`;
}

const rewrite = (rawName: string): Rewritten => ({ folded: fold(rawName), hash: sha256Hex(rawName).slice(0, HASH_LENGTH) });
const fold = (rawName: string): string => rawName.replace(ILLEGAL_CHARACTER, '_');

/**
 * In text a person wrote, the plain folding also names a tool: `tracker__find_all` for `find.all` (N2).
 * A published name means the tool that carries it; what fits two tools means none.
 */
export function resolveFolded(namespace: string, text: string, reviewedRawNames: readonly string[]): string | null {
  const rawNames = [...new Set(reviewedRawNames)];
  const carriers = rawNames.filter((rawName) => publishedName(namespace, rawName) === text);
  if (carriers.length > 0) return onlyOne(carriers);
  return onlyOne(rawNames.filter((rawName) => namespace + SEPARATOR + fold(rawName) === text));
}

function onlyOne<T>(found: readonly T[]): T | null {
  return found.length === 1 ? (found[0] ?? null) : null;
}
