/** What stands in place of a secret. */
export const MASK = '[secret]';

/** Shorter values would blank out ordinary words and numbers all over a text, and protect nothing that cannot be guessed. */
export const MIN_MASKED_LENGTH = 4;

/** Takes the secret values out of a text, in plain, base64, URL-encoded and JSON-escaped form, also where forms are mixed (S5). */
export function maskSecrets(text: string, values: readonly string[]): string {
  const spans = matcherFor(values).flatMap((find) => find(text));
  if (spans.length === 0) return text;
  spans.sort((a, b) => a.from - b.from);
  let masked = '';
  let done = 0;
  let to = -1;
  for (const span of spans) {
    // Secrets can overlap; what they cover together is masked as one piece.
    if (span.from > to) {
      masked += text.slice(done, span.from) + MASK;
    }
    to = Math.max(to, span.to);
    done = to;
  }
  return masked + text.slice(done);
}

interface Span {
  from: number;
  to: number;
}
type Find = (text: string) => Span[];

const matchers = new WeakMap<readonly string[], Find[]>();

function matcherFor(values: readonly string[]): Find[] {
  let finds = matchers.get(values);
  if (!finds) {
    finds = values
      .filter((value) => value.trim().length >= MIN_MASKED_LENGTH)
      .flatMap((value) => [findEscaped(value), ...findBase64(value)]);
    matchers.set(values, finds);
  }
  return finds;
}

/** Plain, percent-encoded and JSON-escaped, character by character, so that any mix of them is found. */
function findEscaped(value: string): Find {
  const pattern = new RegExp([...value].map(anyFormOf).join(''), 'g');
  return (text) => [...text.matchAll(pattern)].map((match) => ({ from: match.index, to: match.index + match[0].length }));
}

const SHORT_ESCAPES: Record<string, string> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' };

function anyFormOf(character: string): string {
  const literal = character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const percent = [...Buffer.from(character)].map((byte) => `%${eitherCase(byte.toString(16).padStart(2, '0'))}`).join('');
  const unicode = [...Array(character.length).keys()]
    .map((at) => `\\\\+u${eitherCase(character.charCodeAt(at).toString(16).padStart(4, '0'))}`)
    .join('');
  const forms = [percent, unicode];
  const short = SHORT_ESCAPES[character];
  if (short) forms.push(`\\\\+${short}`);
  // JSON inside JSON doubles its backslashes, so any number of them counts.
  if (character === '\\') forms.push('\\\\+');
  else if (character === '"' || character === '/') forms.push(`\\\\*${literal}`);
  else forms.push(literal);
  if (character === ' ') forms.push('\\+');
  return `(?:${forms.join('|')})`;
}

const eitherCase = (hex: string): string => hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

/** Inside a longer base64 text a value begins at one of three alignments, and its first and last characters then carry foreign bits. */
function findBase64(value: string): Find[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const sharesEnd = (offset + bytes.length) % 3 !== 0;
    const own = encoded.slice(offset === 0 ? 0 : offset + 1, sharesEnd ? -1 : undefined);
    const pattern = new RegExp(
      [
        offset === 0 ? '' : '[A-Za-z0-9+/_-]?',
        own.replaceAll(/[+/]/g, (sign) => (sign === '+' ? '[+-]' : '[/_]')),
        sharesEnd ? '[A-Za-z0-9+/_-]?={0,2}' : '',
      ].join(''),
      'g',
    );
    return (text) => [...text.matchAll(pattern)].map((match) => ({ from: match.index, to: match.index + match[0].length }));
  });
}
