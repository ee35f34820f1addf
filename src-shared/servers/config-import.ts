import { failed, ok, type Result } from '../base/result';
import { proposeArguments, proposeValue } from './secret-proposal';
import type { DraftValue, ServerDraft } from './server.schema';
import { readTolerantJson } from './tolerant-json';
import { AUTOMATIC_WIRE } from './wire-choice.schema';

type Reached = Pick<ServerDraft, 'connection' | 'wire'>;

export interface PastedEntry {
  /** Empty where the text gives none. */
  name: string;
  outcome: Result<Reached, string>;
  /** Fields that mean nothing here, by name: unknown ones, and what another app allowed or turned on (S9). */
  dropped: string[];
}

type Fields = Readonly<Record<string, unknown>>;
export const MAX_ENTRIES = 50;
const KNOWN = ['name', 'type', 'transport', 'url', 'serverUrl', 'command', 'args', 'env', 'environment', 'headers', 'cwd'];
const HTTP_TYPES = ['http', 'streamable-http', 'streamablehttp', 'streamable_http', 'sse', 'remote'];
const STDIO_TYPES = ['stdio', 'local'];

/** Reads the common clients' shapes: a map under `mcpServers` or `servers`, a map alone, a list, or one entry (S9). */
export function readPastedEntries(text: string): Result<PastedEntry[], string> {
  const root = readTolerantJson(text);
  if (!root.ok) return failed(`This begins like JSON but cannot be read as JSON. ${root.problem}`);
  const found = entriesIn(root.value);
  if (found.length === 0) return failed('No server was found in this text. Paste an entry with a command or an address.');
  if (found.length > MAX_ENTRIES) return failed('This holds more than 50 entries. Paste only the ones you want to add.');
  return ok(
    found.map(([key, fields]) => {
      // What stands where an entry belongs is told, never passed over.
      if (!isFields(fields)) return { name: key.trim(), outcome: failed('It is not an entry of named fields.'), dropped: [] };
      return {
        name: typeof fields['name'] === 'string' && key === '' ? fields['name'].trim() : key.trim(),
        outcome: connectionOf(fields),
        dropped: Object.keys(fields).filter((field) => !KNOWN.includes(field)),
      };
    }),
  );
}

/** What stands where entries belong, with the name each stands under; empty where the text gives none. */
export function entriesIn(root: unknown): [key: string, entry: unknown][] {
  if (Array.isArray(root)) return root.map((entry: unknown) => ['', entry]);
  if (!isFields(root)) return [];
  for (const key of ['mcpServers', 'servers']) {
    const under = Object.hasOwn(root, key) ? root[key] : undefined;
    if (Array.isArray(under)) return entriesIn(under);
    if (isFields(under)) return Object.entries(under);
  }
  if (Object.hasOwn(root, 'mcp') && isFields(root['mcp'])) return entriesIn(root['mcp']);
  if (isEntry(root)) return [['', root]];
  return Object.entries(root).filter(([, fields]) => isFields(fields) && isEntry(fields));
}

const isEntry = (fields: Fields): boolean => ['command', 'url', 'serverUrl'].some((field) => Object.hasOwn(fields, field));

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function connectionOf(fields: Fields): Result<Reached, string> {
  const url = fields['url'] ?? fields['serverUrl'] ?? undefined;
  const command = fields['command'] ?? undefined;
  if (url !== undefined && command !== undefined) {
    return failed('It has an address and a command, and only one of them can be meant. Take out the one that is wrong.');
  }
  if ((fields['serverUrl'] ?? url) !== url) return failed('It has two different addresses. Take out the one that is wrong.');
  const claimed = fields['type'] ?? fields['transport'] ?? (url === undefined ? 'stdio' : 'http');
  const type = typeof claimed === 'string' ? claimed.toLowerCase() : '';
  if (![...HTTP_TYPES, ...STDIO_TYPES].includes(type)) return failed('Its type is not one this app knows. Use stdio or http.');
  if (url === undefined && command === undefined) return failed('It has neither a command nor an address. Add one of them.');
  if (STDIO_TYPES.includes(type) !== (url === undefined))
    return failed('Its type and the rest of it do not fit: stdio needs a command, http needs an address.');
  const connection = url === undefined ? stdioOf(fields) : httpOf(fields, url);
  if (!connection.ok) return connection;
  // The one type that the app does not find out by itself without asking the address in the other way first.
  return ok({
    connection: connection.value,
    ...(type === 'sse' ? { wire: { ...AUTOMATIC_WIRE, protocol: 'sse' as const } } : {}),
  });
}

function httpOf(fields: Fields, url: unknown): Result<ServerDraft['connection'], string> {
  const headers = namedValues(fields['headers']);
  if (typeof url !== 'string' || headers === null) return failed('Its address or its headers are not in a form this app knows.');
  return ok({ kind: 'http', endpoint: url.trim(), headers });
}

function stdioOf(fields: Fields): Result<ServerDraft['connection'], string> {
  const line = words(fields['command'] ?? null);
  const args = words(fields['args'] ?? []);
  const env = namedValues(fields['env'] ?? fields['environment']);
  const cwd = fields['cwd'] ?? undefined;
  const [command, ...first] = line ?? [];
  if (command === undefined || args === null || env === null || !(cwd === undefined || typeof cwd === 'string')) {
    return failed('Its command, arguments, variables or folder are not in a form this app knows.');
  }
  return ok({ kind: 'stdio', command, args: proposeArguments([...first, ...args]), env, ...(cwd ? { cwd } : {}) });
}

/** A text alone, or a list of texts. Numbers and booleans become the texts they print as. */
function words(value: unknown): string[] | null {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return null;
  const texts = value.map(textOf);
  return texts.every((text) => text !== null) ? texts : null;
}

function namedValues(value: unknown): { name: string; value: DraftValue }[] | null {
  if (value === undefined || value === null) return [];
  if (!isFields(value)) return null;
  const named = Object.entries(value).map(([name, given]) => ({ name, text: textOf(given) }));
  return named.every(({ text }) => text !== null)
    ? named.map(({ name, text }) => ({ name, value: proposeValue(name, text ?? '') }))
    : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
