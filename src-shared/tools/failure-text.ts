import { cutAtCharacter } from '../base/hidden-characters';
import { neutraliseDelimiter } from './output-treatment';
import { quotableName } from './quotable-name';
import { stripInvisible } from './strip-invisible';

const MAX_QUOTED = 200;
const MAX_READ = 4000;

const ADDRESSES = [
  /[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)\]]*/giu,
  /(?<![\w:/])\/\/[\w.-]+[^\s"'<>)\]]*/gu,
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)\s+[^\s"']+/gu,
  /\[[0-9a-f:.]*:[0-9a-f:.%\w]*\](?::\d+)?/giu,
  /(?<![\w:.])(?:[0-9a-f]{0,4}:){2,7}(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4})(?:%\w+)?(?![\w:])/giu,
  /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?!\.?\d)/gu,
  // A time of day is not a port: 2027-01-31T12:00:00 stays.
  /(?<![\w.-])(?!\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?=[\p{N}_.-]*\p{L})[\p{L}\p{N}][\p{L}\p{N}_.-]{0,252}:\d{2,5}(?!\w)/gu,
  /(?<![\w.-])(?:[\p{L}\p{N}-]{1,63}\.){2,}\p{L}[\p{L}\p{N}-]*\.?(?![\w-])/gu,
  /(?<![\w.-])[\p{L}\p{N}-]{1,63}\.(?:com|net|org|io|dev|app|ai|co|cloud|local|internal|intranet|lan|corp|home|test|example|localhost)(?![\w-])/giu,
  /(?<![\w.-])localhost(?![\w-])/giu,
];

/**
 * What a failed call tells the model: whose call it was, at most 200 characters of the server's own words,
 * and what to do next. Addresses are taken out of those words (O4, E6).
 */
export function failureText({ serverName, said, next }: { serverName: string; said: string; next: string }): string {
  const name = quotableName(serverName);
  const quoted = quoteServer(said);
  return quoted === '' ? `${name} failed without saying why. ${next}` : `${name} failed and said: "${quoted}" ${next}`;
}

/** A server's words, fit to stand inside our own sentence: one line, stripped, without addresses, at most 200 characters. */
export function quoteServer(said: string): string {
  let words = stripInvisible(said.length > MAX_READ ? cutAtCharacter(said, MAX_READ).replace(/\s\S*$/u, '') : said).text;
  for (const address of ADDRESSES)
    words = words.replace(address, (_found: string, cause: unknown) =>
      typeof cause === 'string' ? `${cause} [address]` : '[address]',
    );
  const line = neutraliseDelimiter(words).replaceAll('"', "'").replace(/\s+/gu, ' ').trim();
  return line.length <= MAX_QUOTED ? line : `${cutAtCharacter(line, MAX_QUOTED - 1)}…`;
}
