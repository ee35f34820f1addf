import { SecretSearch } from './secret-search';
import type { Escapes, TextView } from './text-views';
import { PERCENT, debased, placeInText, unescaped, viewOf } from './text-views';

/** What stands in place of a secret. */
export const MASK = '[secret]';

/** Shorter values would blank out ordinary words and numbers all over a text, and protect nothing that cannot be guessed. */
export const MIN_MASKED_LENGTH = 4;

/**
 * Takes the secret values out of a text, in plain, base64, URL-encoded and JSON-escaped form, also where forms are mixed
 * or stand inside each other (S5). Takes time in proportion to the text whatever it holds, since a server chooses it.
 */
export function maskSecrets(text: string, values: readonly string[]): string {
  const matcher = matcherFor(values);
  if (!matcher.search || text.length < MIN_MASKED_LENGTH) return text;
  const spans: Span[] = [];
  for (let start = 0; start === 0 || start + OVERLAP < text.length; start += WINDOW) {
    for (const { from, to } of spansOf(text.slice(start, start + WINDOW + OVERLAP), matcher.search, matcher.holdsPercent)) {
      spans.push({ from: from + start, to: to + start });
    }
  }
  if (spans.length === 0) return text;
  return withMasks(
    text,
    spans.sort((a, b) => a.from - b.from),
  );
}

/** Searched at a time, in characters: all that a text says once decoded takes many times its size. */
const WINDOW = 256 * 1024;
/** More than the longest form of one piece, so that none is cut by the border of a window. */
const OVERLAP = 32 * 1024;

function spansOf(text: string, search: SecretSearch, holdsPercent: boolean): Span[] {
  const whole = viewOf(text);
  const spans: Span[] = [];
  for (const view of viewsInto(whole, MAX_LEVELS, holdsPercent)) {
    for (const { from, to } of spansIn(view, search)) spans.push(placeInText(view, from, to));
  }
  return whole.length === text.length ? spans : inCharacters(spans, whole.bytes);
}

interface Span {
  from: number;
  to: number;
}

function withMasks(text: string, spans: readonly Span[]): string {
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

/** Turns places among the bytes of a text into places among its characters. */
function inCharacters(spans: readonly Span[], bytes: Uint8Array): Span[] {
  const places = new Int32Array(bytes.length + 1);
  let characters = 0;
  for (const [at, byte] of bytes.entries()) {
    places[at] = characters;
    if (byte < 0x80 || byte >= 0xc0) characters += byte < 0xf0 ? 1 : 2;
  }
  places[bytes.length] = characters;
  return spans.map(({ from, to }) => ({ from: places[from]!, to: places[to]! }));
}

function spansIn(view: TextView, search: SecretSearch): Span[] {
  const spans: Span[] = [];
  search.find(view.bytes, view.length, (from, to) => {
    let begin = from;
    for (let last = spans.at(-1); last && last.to >= begin && last.to <= to; last = spans.at(-1)) {
      begin = Math.min(begin, last.from);
      spans.pop();
    }
    spans.push({ from: begin, to });
  });
  return spans;
}

/** Forms inside forms are followed so deep, base64 one level less: it costs the most. */
const MAX_LEVELS = 4;

/**
 * The view and all that it says once decoded. Limit: a stray backslash or percent sign directly before an escaped secret
 * that makes an escape of its first letters hides it, since the whole text is read as one.
 */
function* viewsInto(view: TextView, levels: number, holdsPercent: boolean): Generator<TextView> {
  yield view;
  if (levels === 0) return;
  for (const escapes of escapesToTry(view, holdsPercent)) {
    const child = unescaped(view, escapes);
    if (child) yield* viewsInto(child, levels - 1, holdsPercent);
  }
  const child = levels > 1 ? debased(view) : null;
  if (child) yield* viewsInto(child, levels - 1, holdsPercent);
}

/** A secret that holds a percent sign of its own must come through the JSON around it unharmed. */
function escapesToTry(view: TextView, holdsPercent: boolean): Escapes[] {
  if (view.origin?.kind === 'json') return ['json'];
  return holdsPercent && view.bytes.includes(PERCENT) ? ['json and percent', 'json'] : ['json and percent'];
}

interface Matcher {
  search: SecretSearch | null;
  holdsPercent: boolean;
}

const matchers = new WeakMap<readonly string[], Matcher>();

function matcherFor(values: readonly string[]): Matcher {
  let matcher = matchers.get(values);
  if (!matcher) {
    const wholes = [...new Set(values.flatMap(linesOf).flatMap(readingsOf))];
    matcher = {
      search: wholes.length === 0 ? null : new SecretSearch(wholes.flatMap((whole) => cut(Buffer.from(whole)))),
      holdsPercent: wholes.some((whole) => whole.includes('%')),
    };
    matchers.set(values, matcher);
  }
  return matcher;
}

/** A key file comes out of a log line by line, so its lines count on their own from this length. */
const MIN_MASKED_LINE = 8;

function linesOf(value: string): string[] {
  const lines = value.split(/[\r\n]+/);
  const wholes = lines.length > 1 ? [value, ...lines.filter((line) => line.trim().length >= MIN_MASKED_LINE)] : [value];
  return wholes.filter((whole) => whole.trim().length >= MIN_MASKED_LENGTH);
}

/** A value that looks escaped is found among unescaped bytes as what it would say there. */
function readingsOf(value: string): string[] {
  const readings = [value];
  let reading: TextView | null = viewOf(value);
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    reading = unescaped(reading, 'json and percent');
    if (!reading) break;
    readings.push(Buffer.from(reading.bytes.subarray(0, reading.length - 1)).toString());
  }
  const forms = readings.flatMap((form) => (form.includes(' ') ? [form, form.replaceAll('+', ' ')] : [form]));
  return forms.filter((form) => form.length >= MIN_MASKED_LENGTH && /\S.*\S/s.test(form));
}

/** The most bytes a piece can have. Of a key that a text shows only a part of, that part is masked piece by piece. */
const MAX_PIECE = 256;

/** Even pieces, so that none is too short to be told from ordinary text. */
function cut(whole: Uint8Array): Uint8Array[] {
  const count = Math.ceil(whole.length / MAX_PIECE);
  const bound = (nth: number): number => Math.floor((whole.length * nth) / count);
  return Array.from({ length: count }, (_, nth) => whole.subarray(bound(nth), bound(nth + 1)));
}
