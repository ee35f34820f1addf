/** A text as bytes, or what those bytes say once they are decoded. Each view knows where its bytes came from. */
export interface TextView {
  bytes: Uint8Array;
  /** Only so many of the bytes are in use. */
  length: number;
  origin: Origin | null;
}

/** JSON alone, or JSON escapes and percent escapes at once, which are seldom apart. */
export type Escapes = 'json' | 'json and percent';
type Encoding = Escapes | 'base64';

interface Origin {
  kind: Encoding;
  parent: TextView;
  /** For each byte, and for the end, the place in the parent where it began. */
  starts: Int32Array;
}

export const PERCENT = 0x25;

/** Stands between pieces that do not belong together. No UTF-8 text contains it. */
const GAP = 0xff;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const EQUALS = 0x3d;

/** The text itself, as UTF-8. */
export function viewOf(text: string): TextView {
  const buffer = Buffer.from(text);
  // A plain array, as in all other views: with two kinds at hand the engine reads both slowly.
  const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
  return { bytes, length: bytes.length, origin: null };
}

/** Where a piece of a view stands in the text it was decoded from. */
export function placeInText(view: TextView, from: number, to: number): { from: number; to: number } {
  let place = { from, to };
  for (let origin = view.origin; origin; origin = origin.parent.origin) {
    const { kind, parent, starts } = origin;
    if (kind !== 'base64') {
      place = { from: starts[place.from]!, to: starts[place.to]! };
      continue;
    }
    // A byte is made of two characters of base64. Padding belongs to what it pads.
    place = { from: starts[place.from]!, to: starts[place.to - 1]! + 2 };
    for (let padding = 0; padding < 2 && place.to < parent.length && parent.bytes[place.to] === EQUALS; padding += 1)
      place.to += 1;
  }
  return place;
}

const NO_VALUE = 0xff;

function valuesOf(digits: string): Uint8Array {
  const values = new Uint8Array(256).fill(NO_VALUE);
  for (const [value, digit] of [...digits].entries()) values[digit.charCodeAt(0)] = value;
  return values;
}

const HEX = valuesOf('0123456789abcdef');
for (const [value, digit] of [...'ABCDEF'].entries()) HEX[digit.charCodeAt(0)] = value + 10;
const BASE64 = valuesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
BASE64['-'.charCodeAt(0)] = 62;
BASE64['_'.charCodeAt(0)] = 63;

const SHORT_ESCAPES = new Uint8Array(256).fill(NO_VALUE);
for (const [letter, meant] of Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '"': '"', '/': '/', '\\': '\\' })) {
  SHORT_ESCAPES[letter.charCodeAt(0)] = meant.charCodeAt(0);
}

/** What cannot stand in a text. Wrongly decoded base64 is full of it, which tells it apart at once. */
const NEVER_IN_TEXT = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number((byte < 0x20 && ![9, 10, 13].includes(byte)) || byte > 0xf7),
);
const NEVER_IN_VIEW = Uint8Array.from({ length: 256 }, (_, byte) => Number(byte === GAP));

/** Takes one level of JSON escapes, and of percent escapes if wanted, off the parts of a view that have any. */
export function unescaped(view: TextView, escapes: Escapes): TextView | null {
  const { bytes, length } = view;
  const percents = escapes === 'json and percent';
  const ends = view.origin?.kind === 'base64' ? NEVER_IN_TEXT : NEVER_IN_VIEW;
  let escape = nextEscape(view, 0, percents);
  if (escape === length) return null;
  const out = new Uint8Array(length + 1);
  const starts = new Int32Array(length + 2);
  let filled = 0;
  let at = 0;
  while (escape < length) {
    const before = at;
    at = escape;
    while (at > before && ends[bytes[at - 1]!] === 0) at -= 1;
    while (at < length && ends[bytes[at]!] === 0) {
      const byte = bytes[at]!;
      const size = byte === BACKSLASH || byte === PERCENT ? escapeSize(view, at, percents) : 0;
      const from = filled;
      if (size === 0) out[filled++] = byte;
      else if (size === 2) out[filled++] = SHORT_ESCAPES[bytes[at + 1]!]!;
      else if (size === 3) out[filled++] = HEX[bytes[at + 1]!]! * 16 + HEX[bytes[at + 2]!]!;
      else filled = writeCharacter(characterAt(view, at, size), out, filled);
      for (let place = from; place < filled; place += 1) starts[place] = at;
      at += size === 0 ? 1 : size;
    }
    out[filled] = GAP;
    starts[filled++] = at;
    escape = nextEscape(view, at, percents);
  }
  starts[filled] = length;
  return { bytes: out, length: filled, origin: { kind: escapes, parent: view, starts } };
}

function nextEscape(view: TextView, from: number, percents: boolean): number {
  const { bytes, length } = view;
  for (let at = from; at < length; at += 1) {
    const byte = bytes[at]!;
    if ((byte === BACKSLASH || byte === PERCENT) && escapeSize(view, at, percents) > 0) return at;
  }
  return length;
}

/** 2 for a short escape, 3 for a percent escape, 6 for a number, 12 for a surrogate pair of them, 0 when nothing is escaped. */
function escapeSize(view: TextView, at: number, percents: boolean): number {
  const { bytes, length } = view;
  if (at + 1 >= length) return 0;
  const next = bytes[at + 1]!;
  if (bytes[at] === PERCENT)
    return percents && at + 2 < length && HEX[next] !== NO_VALUE && HEX[bytes[at + 2]!] !== NO_VALUE ? 3 : 0;
  if (next !== LETTER_U) return SHORT_ESCAPES[next] === NO_VALUE ? 0 : 2;
  const unit = unitAt(view, at);
  if (unit < 0) return 0;
  return unit >= 0xd800 && unit < 0xdc00 && unitAt(view, at + 6) >> 10 === 0xdc00 >> 10 ? 12 : 6;
}

function characterAt(view: TextView, at: number, size: number): number {
  const unit = unitAt(view, at);
  return size === 12 ? 0x10000 + ((unit & 0x3ff) << 10) + (unitAt(view, at + 6) & 0x3ff) : unit;
}

/** The number in an escape such as \u00dc, or -1 when there is none. */
function unitAt({ bytes, length }: TextView, at: number): number {
  if (at + 6 > length || bytes[at] !== BACKSLASH || bytes[at + 1] !== LETTER_U) return -1;
  let unit = 0;
  for (let digit = at + 2; digit < at + 6; digit += 1) {
    const value = HEX[bytes[digit]!]!;
    if (value === NO_VALUE) return -1;
    unit = unit * 16 + value;
  }
  return unit;
}

/** Writes UTF-8, half a surrogate pair as Buffer does it, and returns where it ends. */
function writeCharacter(character: number, out: Uint8Array, at: number): number {
  const point = character >= 0xd800 && character < 0xe000 ? 0xfffd : character;
  let end = at;
  if (point < 0x80) out[end++] = point;
  else if (point < 0x800) out[end++] = 0xc0 | (point >> 6);
  else if (point < 0x10000) out[end++] = 0xe0 | (point >> 12);
  else out[end++] = 0xf0 | (point >> 18);
  if (point >= 0x10000) out[end++] = 0x80 | ((point >> 12) & 0x3f);
  if (point >= 0x800) out[end++] = 0x80 | ((point >> 6) & 0x3f);
  if (point >= 0x80) out[end++] = 0x80 | (point & 0x3f);
  return end;
}

/** Four bytes take at least so many characters of base64. */
const SHORTEST_RUN = 6;

/** Decodes all that can be base64, from each of its four first characters, since nothing tells where a value begins. */
export function debased(view: TextView): TextView | null {
  const { bytes, length, origin } = view;
  let out: Uint8Array | null = null;
  let starts = new Int32Array(0);
  let filled = 0;
  for (let from = 0; from < length; from += 1) {
    if (BASE64[bytes[from]!] === NO_VALUE) continue;
    let to = from + 1;
    while (to < length && BASE64[bytes[to]!] !== NO_VALUE) to += 1;
    let end = to;
    while (end < Math.min(to + 2, length) && bytes[end] === EQUALS) end += 1;
    // What no escape stood in was decoded with the parent.
    const isNew = !origin || origin.kind === 'base64' || origin.starts[end]! - origin.starts[from]! !== end - from;
    if (isNew && to - from >= SHORTEST_RUN) {
      if (!out) {
        // Three quarters of each run four times over, with gaps.
        const room = (length - from) * 4;
        out = new Uint8Array(room);
        starts = new Int32Array(room + 1);
      }
      for (let shift = 0; shift < 4; shift += 1) {
        let at = from + shift;
        for (; at + 3 < to; at += 4) {
          const second = BASE64[bytes[at + 1]!]!;
          const third = BASE64[bytes[at + 2]!]!;
          starts[filled] = at;
          out[filled++] = (BASE64[bytes[at]!]! << 2) | (second >> 4);
          starts[filled] = at + 1;
          out[filled++] = (second << 4) | (third >> 2);
          starts[filled] = at + 2;
          out[filled++] = (third << 6) | BASE64[bytes[at + 3]!]!;
        }
        for (let phase = 0; at + 1 < to; at += 1, phase += 1) {
          starts[filled] = at;
          out[filled++] = ((BASE64[bytes[at]!]! << 6) | BASE64[bytes[at + 1]!]!) >> (4 - 2 * phase);
        }
        starts[filled] = to;
        out[filled++] = GAP;
      }
    }
    from = to;
  }
  return out && { bytes: out, length: filled, origin: { kind: 'base64', parent: view, starts } };
}
