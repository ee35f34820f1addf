import { failed, ok, type Result } from '../base/result';

/** A bound, so that no text can exhaust the stack of the reader. */
const MAX_DEPTH = 64;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '"': '"', '\\': '\\', '/': '/', b: '\b' },
  ...{ f: '\f', n: '\n', r: '\r', t: '\t' },
};

/** Where the text cannot be read on, and why; thrown inside this file only. */
class Unreadable extends Error {
  constructor(
    readonly at: number,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** Reads JSON (RFC 8259) with comments and trailing commas, or the members of an object without its braces; a problem says line and column (S9). */
export function readTolerantJson(text: string): Result<unknown, string> {
  try {
    return ok(new Reader(text.replace(/^\uFEFF/, '')).document());
  } catch (problem) {
    if (problem instanceof Unreadable) return failed(`${placeOf(text.replace(/^\uFEFF/, ''), problem.at)}: ${problem.reason}`);
    throw problem;
  }
}

/** Whether a text begins, behind blanks and comments, the way JSON of an entry does. */
export function beginsLikeJson(text: string): boolean {
  const start = afterBlanks(text, 0);
  if (start === null || '{['.includes(text[start] ?? ' ')) return start !== null;
  const quoted = /"(?:[^"\\]|\\.)*"/y;
  quoted.lastIndex = start;
  const colon = quoted.test(text) ? afterBlanks(text, quoted.lastIndex) : null;
  return colon !== null && text[colon] === ':';
}

function placeOf(text: string, at: number): string {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/);
  return `Line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

/** The place of the first character that is neither blank nor in a comment; null where a comment never ends. */
function afterBlanks(text: string, from: number): number | null {
  let at = from;
  for (;;) {
    while (/[ \t\r\n]/.test(text[at] ?? '')) at++;
    if (text.startsWith('//', at)) {
      while (at < text.length && !/[\r\n]/.test(text[at] ?? '')) at++;
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2);
      if (end < 0) return null;
      at = end + 2;
    } else return at;
  }
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): unknown {
    // Documents of servers often show `"name": { ... }` without the braces around it.
    const bare = this.#peek() === '"' && beginsLikeJson(this.#text);
    const value = bare ? this.#members('', 1) : this.#value(0);
    if (this.#peek() !== '') this.#stop('the text goes on behind its end. Take out what stands here.');
    return value;
  }

  #value(depth: number): unknown {
    const next = this.#peek();
    if (depth > MAX_DEPTH) this.#stop('this is nested too deeply to be read.');
    if (next === '{' || next === '[') {
      this.#at++;
      return next === '{' ? this.#members('}', depth + 1) : this.#items(depth + 1);
    }
    if (next === '"') return this.#string();
    for (const [word, meant] of [['true', true] as const, ['false', false] as const, ['null', null] as const]) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return meant;
    }
    return this.#number();
  }

  #members(close: '}' | '', depth: number): Record<string, unknown> {
    // Without a prototype no name in the text, such as __proto__, means more than itself.
    const members = Object.create(null) as Record<string, unknown>;
    while (this.#peek() !== close) {
      const start = this.#at;
      if (this.#peek() !== '"')
        this.#stop(close === '}' ? 'a name in quotes or } is missing here.' : 'a name in quotes is missing here.');
      const name = this.#string();
      if (Object.hasOwn(members, name)) {
        this.#at = start;
        this.#stop(`“${name.slice(0, 60)}” stands twice in the same place. Rename or take out one of them.`);
      }
      if (this.#peek() !== ':') this.#stop('a colon is missing here.');
      this.#at++;
      members[name] = this.#value(depth);
      if (!this.#comma(close)) break;
    }
    this.#at += close.length;
    return members;
  }

  #items(depth: number): unknown[] {
    const items: unknown[] = [];
    while (this.#peek() !== ']') {
      items.push(this.#value(depth));
      if (!this.#comma(']')) break;
    }
    this.#at++;
    return items;
  }

  /** Whether another one can follow. */
  #comma(close: string): boolean {
    const next = this.#peek();
    if (next === close) return false;
    if (next !== ',') this.#stop(close === '' ? 'a comma is missing here.' : `a comma or ${close} is missing here.`);
    this.#at++;
    return true;
  }

  #string(): string {
    const start = this.#at++;
    let read = '';
    for (;;) {
      const next = this.#text[this.#at] ?? '';
      if (next < ' ') {
        this.#at = start;
        this.#stop('the quote that opens here is not closed on its line.');
      }
      this.#at++;
      if (next === '"') return read;
      read += next === '\\' ? this.#escaped() : next;
    }
  }

  #escaped(): string {
    const letter = this.#text[this.#at++] ?? '';
    const code = letter === 'u' ? /^[0-9a-fA-F]{4}/.exec(this.#text.slice(this.#at, this.#at + 4))?.[0] : undefined;
    if (code !== undefined) {
      this.#at += 4;
      return String.fromCharCode(parseInt(code, 16));
    }
    const meant = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
    if (meant !== undefined) return meant;
    this.#at -= letter === '' ? 1 : 2;
    return this.#stop('a backslash here means nothing. Write it twice, as in C:\\\\tools.');
  }

  /** A number that would come out otherwise than it was written stays the text it is. */
  #number(): number | string {
    NUMBER.lastIndex = this.#at;
    const written = NUMBER.exec(this.#text)?.[0];
    if (written === undefined)
      this.#stop(this.#at >= this.#text.length ? 'the text ends too early.' : 'a value is missing here.');
    this.#at += written.length;
    return String(Number(written)) === written ? Number(written) : written;
  }

  #peek(): string {
    const at = afterBlanks(this.#text, this.#at);
    if (at === null) {
      this.#at = this.#text.indexOf('/*', this.#at);
      this.#stop('a comment is opened and never closed.');
    }
    this.#at = at;
    return this.#text[at] ?? '';
  }

  #stop(reason: string): never {
    throw new Unreadable(this.#at, reason);
  }
}
