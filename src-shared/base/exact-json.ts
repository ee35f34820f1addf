/** JSON read without rounding: a number that a double cannot hold keeps the digits it was written with (O6). */
export interface ExactJson {
  /** Every long number in it stands as a string that only `write` and `numberIn` can read. */
  value: unknown;
  /** The JSON text of the value or of any part of it. */
  write(part: unknown, indent?: number): string;
  /** The digits of a part that is a long number; null for any other. */
  numberIn(part: unknown): string | null;
}

// Within Latin-1, or a plain text would take twice the room.
const MARK = '\u00a4';
/** A text full of marks would make each number as long as itself; then its long numbers are rounded. */
const MAX_MARKS = 100;

/** A quick look; long digits inside of a string only cost the slower reading. */
export function holdsLongNumber(text: string): boolean {
  return /\d[\d.]{15}/.test(text);
}

/** Throws what JSON.parse throws. */
export function readExactJson(text: string): ExactJson {
  const mark = holdsLongNumber(text) ? unusedMark(text) : null;
  if (mark === null) {
    return { value: JSON.parse(text), write: (part, indent) => JSON.stringify(part, null, indent), numberIn: () => null };
  }
  const written = new RegExp(`"${mark}([-+.\\deE]+)"`, 'g');
  return {
    value: JSON.parse(withLongNumbersMarked(text, mark)),
    write: (part, indent) => JSON.stringify(part, null, indent).replace(written, '$1'),
    numberIn: (part) => (typeof part === 'string' && part.startsWith(mark) ? part.slice(mark.length) : null),
  };
}

/** More marks in a row than the text has anywhere, as such or escaped, so that nobody can pass text for a number. */
function unusedMark(text: string): string | null {
  if (!text.includes(MARK) && !/\\u00[aA]4/.test(text)) return MARK;
  let longest = 0;
  for (const [run] of text.matchAll(/(?:\u00a4|\\u00a4){1,1000}/gi)) longest = Math.max(longest, run.length);
  return longest > MAX_MARKS ? null : MARK.repeat(longest + 1);
}

function withLongNumbersMarked(text: string, mark: string): string {
  const pieces: string[] = [];
  let copiedTo = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x2d || isDigit(code)) {
      const start = at;
      while (at < text.length && isNumberCharacter(text.charCodeAt(at))) at += 1;
      const number = text.slice(start, at);
      if (!isLong(number)) continue;
      pieces.push(text.slice(copiedTo, start), `"${mark}${number}"`);
      copiedTo = at;
    } else at += 1;
  }
  pieces.push(text.slice(copiedTo));
  return pieces.join('');
}

/** What is no JSON number stays as it is, for the parser to refuse. */
function isLong(number: string): boolean {
  if (number.length < 16) return false;
  if (/^[1-9]\d{16,}$/.test(number)) return true;
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(number)) return false;
  return JSON.stringify(Number(number)) !== number;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isNumberCharacter = (code: number): boolean =>
  isDigit(code) || code === 0x2e || code === 0x2d || code === 0x2b || code === 0x45 || code === 0x65;
