/** JSON-RPC around a reply: what a line carries beside the reply itself. */
export const ENVELOPE_BYTES = 4096;

const LINE_FEED = 10;
/** Smaller pieces are copied together: a peer that sends single bytes must not cost an object for each. */
const SMALL_PIECE = 4096;
const SLAB_BYTES = 65_536;

export interface LineReaderParts {
  /** Longest line in bytes, without its end. */
  maxLineBytes: number;
  /** `bytes` counts the line as it came, its end included. */
  onLine(line: string, bytes: number): void;
  /** Called once; nothing is read or kept after it (W2). */
  onTooLarge(): void;
}

/** Cuts a byte stream into lines, in linear time and within a bound. Blank lines, CR before LF and one leading BOM are dropped. */
export class LineReader {
  readonly #parts: LineReaderParts;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #slab: Buffer | null = null;
  #slabUsed = 0;
  /** Where the last held piece begins in the slab, or null when it lies elsewhere. */
  #openFrom: number | null = null;
  #begun = false;
  #closed = false;

  constructor(parts: LineReaderParts) {
    this.#parts = parts;
  }

  push(chunk: Buffer): void {
    let from = this.#heldBytes === 0 ? this.#pushTogether(chunk) : 0;
    while (!this.#closed) {
      const end = chunk.indexOf(LINE_FEED, from);
      const stop = end === -1 ? chunk.length : end;
      if (this.#heldBytes + stop - from > this.#parts.maxLineBytes) {
        this.close();
        this.#parts.onTooLarge();
        return;
      }
      if (end === -1) {
        if (from < stop) this.#hold(from === 0 ? chunk : chunk.subarray(from));
        return;
      }
      const bytes = this.#heldBytes + end + 1 - from;
      this.#emit(this.#heldBytes === 0 ? chunk.toString('utf8', from, end) : this.#take(chunk.subarray(from, end)), bytes);
      from = end + 1;
    }
  }

  /** Decodes the whole lines of a chunk in one go, where bytes and characters are the same; gives how far it came. */
  #pushTogether(chunk: Buffer): number {
    const last = chunk.lastIndexOf(LINE_FEED);
    if (this.#closed || last < 1 || last > this.#parts.maxLineBytes) return 0;
    const text = chunk.toString('utf8', 0, last);
    if (text.length !== last) return 0;
    for (const line of text.split('\n')) {
      if (this.#closed) break;
      this.#emit(line, line.length + 1);
    }
    return last + 1;
  }

  /** Nothing is read any more, and what was held is let go. */
  close(): void {
    this.#closed = true;
    this.#release();
    this.#slab = null;
  }

  #emit(text: string, bytes: number): void {
    // A byte order mark stands before the first thing said, not necessarily before the first byte (blank lines come first).
    let line = text;
    if (!this.#begun) {
      if (line.charCodeAt(0) === 0xfeff) line = line.slice(1);
      this.#begun = line.trim() !== '';
    }
    if (line.endsWith('\r')) line = line.slice(0, -1);
    if (isBlank(line)) return;
    this.#parts.onLine(line, bytes);
  }

  #take(last: Buffer): string {
    this.#held.push(last);
    const line = Buffer.concat(this.#held, this.#heldBytes + last.length).toString('utf8');
    this.#release();
    return line;
  }

  #release(): void {
    this.#held = [];
    this.#heldBytes = 0;
    this.#slabUsed = 0;
    this.#openFrom = null;
  }

  #hold(piece: Buffer): void {
    this.#heldBytes += piece.length;
    if (piece.length >= SMALL_PIECE) {
      this.#held.push(piece);
      this.#openFrom = null;
      return;
    }
    if (!this.#slab || this.#slabUsed + piece.length > SLAB_BYTES) {
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#slabUsed = 0;
      this.#openFrom = null;
    }
    piece.copy(this.#slab, this.#slabUsed);
    const goesOn = this.#openFrom !== null;
    this.#openFrom ??= this.#slabUsed;
    this.#slabUsed += piece.length;
    const open = this.#slab.subarray(this.#openFrom, this.#slabUsed);
    if (goesOn) this.#held[this.#held.length - 1] = open;
    else this.#held.push(open);
  }
}

const isBlank = (line: string): boolean => line.length === 0 || (line.charCodeAt(0) <= 32 && line.trim() === '');
