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
    finds = values.flatMap(piecesOf).flatMap((piece) => [findEscaped(piece), ...findBase64(piece)]);
    matchers.set(values, finds);
  }
  return finds;
}

/** A key file comes out of a log line by line, so its lines count on their own from this length. */
const MIN_MASKED_LINE = 8;
/** A pattern for a whole key file would be too large for the engine. Pieces that touch are masked as one. */
const MAX_PIECE = 256;

function piecesOf(value: string): string[] {
  const lines = value.split(/[\r\n]+/);
  const wholes = lines.length > 1 ? [value, ...lines.filter((line) => line.trim().length >= MIN_MASKED_LINE)] : [value];
  return wholes.filter((whole) => whole.trim().length >= MIN_MASKED_LENGTH).flatMap(cut);
}

/** Even pieces, so that none is too short to be told from ordinary text. */
function cut(whole: string): string[] {
  const characters = [...whole];
  const size = Math.ceil(characters.length / Math.ceil(characters.length / MAX_PIECE));
  const starts = Array.from({ length: Math.ceil(characters.length / size) }, (_, nth) => nth * size);
  return starts.map((start) => characters.slice(start, start + size).join(''));
}

/** Finds occurrences that overlap too: in a text that repeats itself, the one that reaches the end can begin inside another. */
function spansOf(pattern: RegExp, text: string): Span[] {
  const spans: Span[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const to = match.index + match[0].length;
    const last = spans.at(-1);
    if (last && match.index <= last.to) last.to = Math.max(last.to, to);
    else spans.push({ from: match.index, to });
    pattern.lastIndex = match.index + 1;
  }
  return spans;
}

/** Plain, percent-encoded and JSON-escaped, character by character, so that any mix of them is found. */
function findEscaped(value: string): Find {
  const pattern = new RegExp([...value.matchAll(/\\+|[^\\]/gu)].map(([token]) => anyFormOf(token)).join(''), 'g');
  const plain = new RegExp(value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'g');
  // Most texts hold no escape at all, and a plain search is many times faster.
  return (text) => spansOf(/[%\\+]/.test(text) ? pattern : plain, text);
}

// JSON inside JSON doubles its backslashes. Bounded, or a text full of them would take quadratic time.
const BACKSLASHES = '\\\\{1,8}';
const SHORT_ESCAPES: Record<string, string> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' };

function anyFormOf(character: string): string {
  // A run of backslashes is one token: one by one, each with its own bounds, they would take exponential time.
  const run = character.length;
  if (character.startsWith('\\')) return `(?:\\\\{${run},${run * 8}}|(?:%5[cC]|${BACKSLASHES}u005[cC]){${run}})`;
  const literal = character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const percent = [...Buffer.from(character)].map((byte) => `%${eitherCase(byte.toString(16).padStart(2, '0'))}`).join('');
  const unicode = [...Array(character.length).keys()]
    .map((at) => `${BACKSLASHES}u${eitherCase(character.charCodeAt(at).toString(16).padStart(4, '0'))}`)
    .join('');
  const forms = [percent, unicode];
  const short = SHORT_ESCAPES[character];
  if (short) forms.push(`${BACKSLASHES}${short}`);
  if (character === '"' || character === '/') forms.push(`\\\\{0,8}${literal}`);
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
    return (text) => spansOf(pattern, text);
  });
}
