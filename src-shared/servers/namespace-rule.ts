import { failed, ok, type Result } from '../base/result';

export type NamespaceProblem = 'empty' | 'too-long' | 'bad-start' | 'bad-end' | 'double-underscore' | 'bad-character';

export const NAMESPACE_ADVICE: Record<NamespaceProblem, string> = {
  empty: 'Give the server a short name, such as files.',
  'too-long': 'Use a short name of at most 24 characters.',
  'bad-start': 'Start the short name with a letter from a to z.',
  'bad-end': 'End the short name with a letter from a to z or a digit.',
  'double-underscore': 'Use single underscores in the short name: two in a row separate it from the name of a tool.',
  'bad-character': 'Use only the letters a to z, digits, - and _ in the short name.',
};

const MAX_LENGTH = 24;
/** N1. At most 24 characters, and never `__`, which separates the namespace from the tool. */
const LEGAL = /^[a-z](?:(?:[a-z0-9-]|_(?!_)){0,22}[a-z0-9])?$/;
const FALLBACK = 'server';

/** Whether a text can stand before `__` in a tool's published name (N1). */
export function checkNamespace(text: string): Result<string, NamespaceProblem> {
  if (LEGAL.test(text)) return ok(text);
  if (text === '') return failed('empty');
  if (!/^[a-z0-9_-]*$/.test(text)) return failed('bad-character');
  if (text.length > MAX_LENGTH) return failed('too-long');
  if (!/^[a-z]/.test(text)) return failed('bad-start');
  return failed(text.includes('__') ? 'double-underscore' : 'bad-end');
}

/** Two namespaces are one name when they differ only in case (N1). */
export const sameNamespace = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** A legal namespace for any name at all, and one that nobody in `taken` has. It is shown and can be edited; it is never forced on anyone. */
export function suggestNamespace(name: string, taken: Iterable<string>): string {
  const used = new Set([...taken].map((namespace) => namespace.toLowerCase()));
  const base = fold(name);
  if (!used.has(base)) return base;
  for (let nth = 2; ; nth++) {
    const ending = `-${nth}`;
    const candidate = tidyEnd(base.slice(0, MAX_LENGTH - ending.length)) + ending;
    if (!used.has(candidate)) return candidate;
  }
}

const SPELLED_OUT: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  þ: 'th',
  ð: 'd',
  ı: 'i',
};

function fold(name: string): string {
  const plain = name
    .toLowerCase()
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøđłþðı]/g, (letter) => SPELLED_OUT[letter] ?? '')
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/[-_]{2,}/g, (run) => (run.includes('-') ? '-' : '_'))
    .replace(/^[^a-z]+/, '');
  return tidyEnd(plain.slice(0, MAX_LENGTH)) || FALLBACK;
}

const tidyEnd = (text: string): string => text.replace(/[-_]+$/, '');
