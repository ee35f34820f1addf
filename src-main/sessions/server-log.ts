import { StringDecoder } from 'node:string_decoder';
import { cutAtCharacter } from '../../src-shared/base/hidden-characters';
import { toVisibleText, visibleToString } from '../../src-shared/base/visible-text';
import type { ServerLogLine } from '../../src-shared/servers/server.schema';
import { stripInvisible } from '../../src-shared/tools/strip-invisible';

export const MAX_LOG_LINES = 200;
export const MAX_LOG_LINE = 4096;
export const MAX_LOG_LENGTH = 65_536;
/** No form of one secret is longer than this: 32 Ki characters, URL-encoded. */
const LONGEST_SECRET = 3 * 32_768;
/** More of a line is kept than is shown, so that a secret at the cut is still seen whole and masked. */
const MAX_RAW_LINE = MAX_LOG_LINE + LONGEST_SECRET;

// What stands below an error that ended a program: frames of its stack, marks, braces, the runtime's own version.
const TELLS_NOTHING = /^(?:\s+at\s.*|\s*[\^~{}[\]();,|-]*|Node\.js v[\d.]+)$/;

/** How long a line waits at most, so that its secrets are masked while they are still known. */
const SETTLE_MS = 20;
/** As much as may wait to be made fit to show. */
const MAX_RAW_LENGTH = 1024 * 1024;

interface RawLine {
  at: number;
  from: ServerLogLine['from'];
  raw: string;
  cut: boolean;
}

export interface ServerLogParts {
  now(): number;
  /** Takes secret values out of a text (S5). */
  mask(text: string): string;
}

/** The last things a server said outside the protocol: bounded, masked, and safe to show (O1, W5). */
export class ServerLog {
  readonly #parts: ServerLogParts;
  readonly #decoder = new StringDecoder('utf8');
  #lines: ServerLogLine[] = [];
  #length = 0;
  #partial = '';
  #partialCut = false;
  #noise = 0;
  #lastNote = '';
  /** The last lines taken and not yet made fit to show. */
  #raw: RawLine[] = [];
  #rawLength = 0;

  constructor(parts: ServerLogParts) {
    this.#parts = parts;
  }

  /** Takes what came on stderr, cut anywhere. */
  stderr(chunk: Buffer): void {
    const text = this.#decoder.write(chunk);
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      this.#extend(text, from, end);
      this.#flush();
      from = end + 1;
    }
    this.#extend(text, from, text.length);
  }

  /** One line on stdout that is not a message. */
  noise(line: string): void {
    this.#noise += 1;
    const cut = line.length > MAX_RAW_LINE;
    this.#add('stdout-noise', cut ? line.slice(0, MAX_RAW_LINE) : line, cut);
  }

  /** One line of the server's own log, over the protocol: words as untrusted as those on its error output (W8). */
  message({ level, logger, data }: { level: string; logger?: string | undefined; data: unknown }): void {
    const words = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
    const line = `${level}${logger === undefined ? '' : `, ${logger}`}: ${words.replace(/\s*\n\s*/g, ' ')}`;
    const cut = line.length > MAX_RAW_LINE;
    this.#add('message', cut ? line.slice(0, MAX_RAW_LINE) : line, cut);
  }

  /** One sentence of the app's own. The same one again and again is kept once. */
  note(text: string): void {
    if (text === this.#lastNote) return;
    this.#lastNote = text;
    this.#add('app', text, false);
  }

  /** Lines on stdout that were no messages, since the start. */
  get noiseCount(): number {
    return this.#noise;
  }

  /** Oldest first; a line still being written is the last. */
  lines(): ServerLogLine[] {
    this.#flush();
    this.#settle();
    return [...this.#lines];
  }

  /** The last `count` telling lines that came from the server itself; what it wrote to stderr goes before noise. */
  lastWords(count: number): string[] {
    const lines = this.lines();
    const from = (source: ServerLogLine['from']) => lines.filter((line) => line.from === source).map((line) => line.text);
    const errors = from('stderr');
    const words = errors.length > 0 ? errors : from('stdout-noise');
    const telling = words.filter((line) => !TELLS_NOTHING.test(line));
    return (telling.length > 0 ? telling : words).slice(-count);
  }

  #extend(text: string, from: number, to: number): void {
    const room = MAX_RAW_LINE - this.#partial.length;
    if (to - from > room) this.#partialCut = true;
    if (room > 0 && to > from) this.#partial += text.slice(from, Math.min(to, from + room));
  }

  #flush(): void {
    const [line, cut] = [this.#partial, this.#partialCut];
    this.#partial = '';
    this.#partialCut = false;
    if (line !== '') this.#add('stderr', line, cut);
  }

  /** `cut` says that the raw line went on: a secret at its end is then incomplete and would not be masked. */
  #add(from: ServerLogLine['from'], raw: string, cut: boolean): void {
    if (this.#raw.length === 0) setTimeout(() => this.#settle(), SETTLE_MS).unref();
    this.#raw.push({ at: this.#parts.now(), from, raw, cut });
    this.#rawLength += raw.length;
    // Of a burst only the lines that stay are masked: ten thousand lines of noise cost no more than the last of them.
    if (this.#raw.length > 2 * MAX_LOG_LINES) this.#raw.splice(0, this.#raw.length - MAX_LOG_LINES);
    if (this.#rawLength > MAX_RAW_LENGTH) this.#settle();
  }

  #settle(): void {
    for (const line of this.#raw.slice(-MAX_LOG_LINES)) this.#keep(line);
    this.#raw = [];
    this.#rawLength = 0;
  }

  #keep({ at, from, raw, cut }: RawLine): void {
    // On stdout invisible characters are spelled out: they can be why a line was no message.
    const spelled =
      from === 'stdout-noise' ? visibleToString(toVisibleText(raw)) : from === 'app' ? raw : stripInvisible(raw).text;
    const masked = this.#parts.mask(spelled.trimEnd());
    const sure = cut ? Math.max(0, masked.length - LONGEST_SECRET) : masked.length;
    if (sure === 0 && !cut) return;
    const shown = cutAtCharacter(masked, Math.min(sure, MAX_LOG_LINE));
    const text = shown.length < masked.length || cut ? `${shown} … (the line goes on)` : shown;
    this.#lines.push({ at, from, text });
    this.#length += text.length;
    while (this.#lines.length > MAX_LOG_LINES || this.#length > MAX_LOG_LENGTH)
      this.#length -= this.#lines.shift()?.text.length ?? 0;
  }
}
