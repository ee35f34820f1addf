import { TooLargeError } from './bounded-stream';

export interface SseEvent {
  /** `message` when the stream names none. */
  type: string;
  data: string;
}

const LF = 10;
const CR = 13;
const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 30_000;
// A data line carries a field name beside the reply itself.
const FIELD_ROOM = 64;

export interface SseReaderParts {
  /** Bound of one line and of one event: the reply cap (W2). */
  capBytes: number;
  onEvent(event: SseEvent): void;
}

/** Parses an event stream piece by piece, as the WHATWG standard says, over bounded bytes. */
export class SseReader {
  readonly #capBytes: number;
  readonly #onEvent: (event: SseEvent) => void;
  #pieces: Buffer[] = [];
  #pieceBytes = 0;
  #data: string[] = [];
  #dataBytes = 0;
  #type = '';
  #skipLineFeed = false;
  #atStart = true;
  #lastEventId: string | undefined;
  #retryMs: number | undefined;

  constructor({ capBytes, onEvent }: SseReaderParts) {
    this.#capBytes = capBytes;
    this.#onEvent = onEvent;
  }

  /** The id to resume from, once the stream has named one. */
  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  /** The wait the server asks for before a reconnect, held between half a second and 30 seconds. */
  get retryMs(): number | undefined {
    return this.#retryMs;
  }

  push(bytes: Buffer): void {
    const lastLf = bytes.lastIndexOf(LF);
    // Whole lines are decoded together: a stream of a million small events is read as fast as one of few large ones.
    if (lastLf > 0 && lastLf <= this.#capBytes && !this.#skipLineFeed && !this.#atStart && !bytes.includes(CR)) {
      const firstLf = bytes.indexOf(LF);
      this.#keep(bytes.subarray(0, firstLf));
      this.#endLine();
      if (firstLf < lastLf) {
        for (const line of bytes.toString('utf8', firstLf + 1, lastLf).split('\n')) {
          if (line === '') this.#endEvent();
          else this.#readField(line);
        }
      }
      return this.#keep(bytes.subarray(lastLf + 1));
    }
    this.#pushByLine(bytes);
  }

  #pushByLine(bytes: Buffer): void {
    let from = 0;
    if (this.#skipLineFeed && bytes.length > 0) {
      this.#skipLineFeed = false;
      if (bytes[0] === LF) from = 1;
    }
    let nextLf = bytes.indexOf(LF, from);
    let nextCr = bytes.indexOf(CR, from);
    while (nextLf !== -1 || nextCr !== -1) {
      const end = nextLf === -1 ? nextCr : nextCr === -1 ? nextLf : Math.min(nextLf, nextCr);
      this.#keep(bytes.subarray(from, end));
      this.#endLine();
      from = end + 1;
      if (end === nextCr) {
        if (from === bytes.length) this.#skipLineFeed = true;
        else if (bytes[from] === LF) from += 1;
        nextCr = bytes.indexOf(CR, from);
      }
      if (nextLf !== -1 && nextLf < from) nextLf = bytes.indexOf(LF, from);
    }
    this.#keep(bytes.subarray(from));
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#pieceBytes += piece.length;
    if (this.#pieceBytes > this.#capBytes + FIELD_ROOM) throw new TooLargeError(this.#capBytes);
  }

  #endLine(): void {
    let line = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces, this.#pieceBytes);
    this.#pieces = [];
    this.#pieceBytes = 0;
    if (this.#atStart) {
      this.#atStart = false;
      if (line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf) line = line.subarray(3);
    }
    if (line.length === 0) this.#endEvent();
    else this.#readField(line.toString('utf8'));
  }

  #readField(line: string): void {
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') {
      this.#data.push(value);
      this.#dataBytes += Buffer.byteLength(value) + 1;
      if (this.#dataBytes - 1 > this.#capBytes) throw new TooLargeError(this.#capBytes);
    } else if (name === 'event') this.#type = value;
    else if (name === 'id' && !value.includes('\0')) this.#lastEventId = value;
    else if (name === 'retry' && /^\d{1,15}$/.test(value)) {
      this.#retryMs = Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, Number(value)));
    }
  }

  #endEvent(): void {
    const data = this.#data;
    const type = this.#type;
    this.#data = [];
    this.#dataBytes = 0;
    this.#type = '';
    if (data.length > 0) this.#onEvent({ type: type === '' ? 'message' : type, data: data.join('\n') });
  }
}
