import { failed, ok, type Result } from '../base/result';
import { checkEndpoint } from './endpoint-rule';
import { readPastedEntries } from './config-import';
import { plainAddress } from './address-template';
import { checkConnection, textsOf } from './server-decoder';
import { type ServerDraft, ServerDraftSchema } from './server.schema';
import { proposeAddress, proposeArguments, proposeValue } from './secret-proposal';
import { beginsLikeJson } from './tolerant-json';
import { inputKeysIn, readTemplate } from './variables-rule';

/** What the Add field made of a text. Every server comes from it off (S1). */
export interface Understood {
  kind: 'address' | 'command' | 'entries';
  /** In words, for the person to compare with what was meant. */
  said: string;
  /** What was left out or needs a look, one sentence each. */
  notes: string[];
  drafts: ServerDraft[];
}

export const MAX_TYPED_LENGTH = 262_144;

/** One field takes an address, a command line, or pasted JSON of one or several entries (S9). */
export function understandTyped(text: string): Result<Understood, string> {
  const typed = text.replace(/^\uFEFF/, '').trim();
  if (typed === '') return failed('Enter an address, a command line, or the JSON of an entry.');
  if (typed.length > MAX_TYPED_LENGTH) return failed('This is more than 256 KiB. Paste only the entries you want to add.');
  if (beginsLikeJson(typed)) return understandEntries(text);
  if (/^[a-z][a-z0-9+.-]*:[/\\]{2}/i.test(typed) || /^https?:/i.test(typed) || /^\$\{[^{}]*\}(?:[/?]\S*)?$/.test(typed))
    return understandAddress(typed);
  return understandCommand(typed);
}

function understandAddress(typed: string): Result<Understood, string> {
  const connection = checkConnection(withSecrets({ kind: 'http', endpoint: typed, headers: [] }));
  if (!connection.ok) return connection;
  const endpoint = connection.value.kind === 'http' ? connection.value.endpoint : typed;
  const checked = checkEndpoint(plainAddress(endpoint, null) ?? '');
  const host = checked.ok ? checked.value.host : endpoint;
  const where = checked.ok && !checked.value.leaves ? 'which stays on this computer' : 'which leaves this computer';
  return ok({
    kind: 'address',
    said: checked.ok ? `An address: ${host}, ${where}.` : 'An address that a variable of this computer holds.',
    notes: [],
    drafts: [{ name: host, connection: connection.value }],
  });
}

/** Proposes what is to be kept as a secret: query values that look like one, and what the entry itself asks for (S5, S6). */
function withSecrets(connection: ServerDraft['connection']): ServerDraft['connection'] {
  const proposed = connection.kind === 'http' ? proposeAddress(connection.endpoint) : null;
  const entry = connection.kind === 'http' && proposed ? { ...connection, endpoint: proposed.endpoint } : connection;
  const found = new Map(proposed?.inputs.map(({ key, value }) => [key, value]));
  const inputs = inputKeysIn(textsOf(entry)).map((key) => {
    const value = found.get(key) ?? '';
    return { key, value: value === '' ? { kind: 'literal' as const, value } : { kind: 'new-secret' as const, value } };
  });
  return inputs.length === 0 ? entry : { ...entry, inputs };
}

function understandCommand(typed: string): Result<Understood, string> {
  const words = splitByQuotes(typed);
  if (!words.ok) return words;
  const firstOther = words.value.findIndex((word) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(word));
  const [command, ...args] = firstOther < 0 ? [] : words.value.slice(firstOther);
  if (command === undefined || command === '')
    return failed('Enter the command that starts the server, such as npx -y some-server@1.0.0.');
  const env = words.value.slice(0, firstOther).map((word) => {
    const [name, value] = [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)];
    return { name, value: proposeValue(name, value) };
  });
  const draft = ServerDraftSchema.safeParse({
    name: nameForCommand(command, args),
    connection: { kind: 'stdio', command, args: proposeArguments(args), env },
  });
  if (!draft.success) return failed('This command line is longer than this app takes. Shorten it.');
  const connection = checkConnection(withSecrets(draft.data.connection));
  if (!connection.ok) return connection;
  return ok({
    kind: 'command',
    said: sayCommand(command, args.length, env.length),
    notes: [],
    drafts: [{ ...draft.data, connection: connection.value }],
  });
}

function sayCommand(command: string, args: number, variables: number): string {
  const parts = [count(args, 'argument'), ...(variables > 0 ? [count(variables, 'variable')] : [])];
  return `A command: ${command}, with ${parts.join(' and ')}. It runs on this computer.`;
}

function understandEntries(typed: string): Result<Understood, string> {
  const read = readEntries(typed);
  if (!read.ok) return read;
  const drafts = read.value.flatMap(({ draft }) => (draft.ok ? [draft.value] : []));
  const notes = read.value.flatMap((entry) =>
    entry.draft.ok ? entry.notes : [`“${entry.name || 'An entry'}” was left out. ${entry.draft.problem}`],
  );
  if (drafts.length === 0)
    return failed(notes[0] ?? 'No server was found in this text. Paste an entry with a command or an address.');
  const names = drafts.map(({ name }) => name).join(', ');
  return ok({
    kind: 'entries',
    said: `${count(drafts.length, 'entry', 'entries')}: ${names}. All are added off.`,
    notes,
    drafts,
  });
}

/** One entry of another app's text, under the rules of every way in (S2). */
export interface ReadEntry {
  name: string;
  draft: Result<ServerDraft, string>;
  notes: string[];
}

/** The entries of another app's text, each with what became of it; none is passed over in silence (S9). */
export function readEntries(text: string): Result<ReadEntry[], string> {
  const read = readPastedEntries(text);
  if (!read.ok) return read;
  return ok(
    read.value.map(({ name, outcome, dropped }) => {
      const draft = outcome.ok ? finish(name, outcome.value) : outcome;
      return { name, draft, notes: draft.ok ? notesOn(draft.value, dropped) : [] };
    }),
  );
}

function notesOn(draft: ServerDraft, dropped: readonly string[]): string[] {
  const variables = variablesOf(draft);
  return [
    ...(dropped.length > 0 ? [`Of “${draft.name}” this was left out: ${dropped.join(', ')}.`] : []),
    ...(variables.length > 0
      ? [
          `“${draft.name}” uses ${variables.join(', ')} of this computer. The value is filled in when it starts, and its review shows where it goes.`,
        ]
      : []),
  ];
}

function finish(name: string, { connection, wire }: Pick<ServerDraft, 'connection' | 'wire'>): Result<ServerDraft, string> {
  const checked = checkConnection(withSecrets(connection));
  if (!checked.ok) return checked;
  const fallback =
    connection.kind === 'http'
      ? hostOf(connection.endpoint)
      : nameForCommand(
          connection.command,
          connection.args.map((arg) => ('value' in arg ? arg.value : '')),
        );
  const draft = ServerDraftSchema.safeParse({
    name: name || fallback,
    connection: checked.value,
    ...(wire ? { wire } : {}),
  });
  return draft.success
    ? ok(draft.data)
    : failed('It is larger than this app takes, or a name in it holds characters that cannot stand there.');
}

function variablesOf({ connection }: ServerDraft): string[] {
  const names = textsOf(connection).flatMap((text) =>
    readTemplate(text).flatMap((piece) =>
      piece.kind === 'variable' && piece.reference.kind === 'env' ? [piece.reference.name] : [],
    ),
  );
  return [...new Set(names)];
}

function hostOf(endpoint: string): string {
  const checked = checkEndpoint(plainAddress(endpoint, null) ?? '');
  return checked.ok ? checked.value.host : endpoint;
}

const count = (many: number, one: string, several = `${one}s`): string =>
  many === 0 ? `no ${several}` : many === 1 ? `1 ${one}` : `${many} ${several}`;

/** Splits a command line by blanks and quotes only. Nothing is expanded, and a backslash is a backslash. */
export function splitByQuotes(line: string): Result<string[], string> {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (const char of line) {
    if (quote !== null) {
      if (char === quote) quote = null;
      else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + char;
  }
  if (quote !== null) return failed(`A quote (${quote}) is opened and never closed. Close it, then add the command.`);
  if (word !== null) words.push(word);
  return ok(words);
}

/** A name to begin with: the package, image or script where one is named, else the command. */
export function nameForCommand(command: string, args: readonly string[]): string {
  const base = baseOf(command).replace(/\.(?:exe|cmd|bat)$/i, '');
  const plain = args.filter((arg) => arg !== '' && !arg.startsWith('-'));
  const isContainer = /^(?:docker|podman)$/.test(base);
  const isRunner = /^(?:npx|pnpx|bunx|uvx|pipx|node|python[\d.]*|deno|bun|uv|npm|pnpm|yarn)$/.test(base);
  const named = isContainer
    ? plain.find((arg) => arg.includes('/') && !/[=:]\//.test(arg))
    : isRunner
      ? plain.find((arg) => !/^(?:run|exec|dlx|tool|x)$/.test(arg))
      : undefined;
  const tidy = baseOf((named ?? base).replace(/(?<=.)(?:@|==).*$/, '').replace(/:[^:/]*$/, '')).replace(
    /\.(?:[cm]?[jt]s|py)$/,
    '',
  );
  return (tidy || base || command).slice(0, 300);
}

const baseOf = (path: string): string => path.split(/[/\\]/).findLast((part) => part !== '') ?? path;
