import { cutAtCharacter } from '../base/hidden-characters';
import type { ListedPrompt, ListedResource, ListedTemplate } from './attachable.schema';

/** Of one kind from one server; what comes after is counted, not kept. */
export const MAX_ATTACHABLES = 500;
const MAX_NAME = 2048;
const MAX_TEXT = 2048;
const MAX_ARGUMENTS = 64;

export interface AttachableReading<T> {
  entries: T[];
  /** Malformed, listed twice, or over the limit. */
  leftOut: number;
}

/** Reads what a server lists as resources. A malformed entry costs that entry and no other. */
export function readResourceList(raw: readonly unknown[]): AttachableReading<ListedResource> {
  return readEntries(raw, (entry) => {
    const uri = nameIn(entry, 'uri');
    if (uri === null) return null;
    return { key: uri, listed: { uri, name: textIn(entry, 'title') || textIn(entry, 'name') || uri, ...describing(entry) } };
  });
}

/** Reads what a server lists as templates of resources. */
export function readTemplateList(raw: readonly unknown[]): AttachableReading<ListedTemplate> {
  return readEntries(raw, (entry) => {
    const uriTemplate = nameIn(entry, 'uriTemplate');
    if (uriTemplate === null) return null;
    const name = textIn(entry, 'title') || textIn(entry, 'name') || uriTemplate;
    return { key: uriTemplate, listed: { uriTemplate, name, ...describing(entry) } };
  });
}

/** Reads what a server lists as prompts. One whose arguments could not all be asked for is left out. */
export function readPromptList(raw: readonly unknown[]): AttachableReading<ListedPrompt> {
  return readEntries(raw, (entry) => {
    const rawName = nameIn(entry, 'name');
    const args = readArguments(entry['arguments']);
    if (rawName === null || args === null) return null;
    const title = textIn(entry, 'title') || rawName;
    return { key: rawName, listed: { rawName, title, ...describing(entry), arguments: args } };
  });
}

type Entry = { readonly [name: string]: unknown };

function readEntries<T>(
  raw: readonly unknown[],
  read: (entry: Entry) => { key: string; listed: T } | null,
): AttachableReading<T> {
  const kept = new Map<string, T>();
  for (const entry of raw) {
    const found = isObject(entry) ? read(entry) : null;
    if (found && !kept.has(found.key) && kept.size < MAX_ATTACHABLES) kept.set(found.key, found.listed);
  }
  return { entries: [...kept.values()], leftOut: raw.length - kept.size };
}

function readArguments(raw: unknown): ListedPrompt['arguments'] | null {
  if (raw === undefined || raw === null) return [];
  if (!Array.isArray(raw) || raw.length > MAX_ARGUMENTS) return null;
  const read: ListedPrompt['arguments'] = [];
  for (const each of raw as unknown[]) {
    const name = isObject(each) ? nameIn(each, 'name') : null;
    if (!isObject(each) || name === null || read.some((other) => other.name === name)) return null;
    read.push({ name, ...describing(each), required: each['required'] === true });
  }
  return read;
}

function nameIn(entry: Entry, member: string): string | null {
  const value = entry[member];
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME ? value : null;
}

function textIn(entry: Entry, member: string): string {
  const value = entry[member];
  return typeof value === 'string' ? cutAtCharacter(value, MAX_TEXT) : '';
}

const describing = (entry: Entry): { description: string } => ({ description: textIn(entry, 'description') });

function isObject(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
