import type { Connection, StoredValue } from './server.schema';

const MAX_WORDS = 2000;

/** What a server runs or contacts, on one line, so that a person knows it again. Secrets are named and not told. */
export function launchInWords(connection: Connection, realPath: string | null): string {
  const words =
    connection.kind === 'http'
      ? connection.endpoint
      : [quoted(realPath ?? connection.command), ...connection.args.map(argumentWords)].join(' ');
  const rest = words.length - MAX_WORDS;
  return rest <= 0 ? words : `${words.slice(0, MAX_WORDS)} and ${rest} characters more`;
}

function argumentWords(value: StoredValue): string {
  return value.kind === 'secret' ? '(a secret)' : quoted(value.value);
}

/** `[a b]` and `[a, b]` are two launches, so they read as two. */
function quoted(text: string): string {
  return /^[^\s"'\\()]+$/.test(text) ? text : JSON.stringify(text);
}
