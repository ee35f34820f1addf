/** Reports a found secret: the bytes from `from` up to, not including, `to`. */
type OnFound = (from: number, to: number) => void;

const BLANK = 0x20;
const PLUS = 0x2b;
const AS_IS = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const FORM = AS_IS.with(PLUS, BLANK);

const headOf = (fourBytes: number): number => Math.imul(fourBytes, 0x9e3779b1) >>> 16;

/**
 * Finds all patterns in one pass (Aho and Corasick): the time depends on the length of the text,
 * not on how many patterns there are or how much of them the text repeats. A pattern has four bytes or more.
 */
export class SecretSearch {
  readonly #byte: Uint8Array;
  readonly #firstChild: Int32Array;
  readonly #sibling: Int32Array;
  /** Where to go on when no child fits: the longest end of what was read that begins a pattern too. */
  readonly #suffix: Int32Array;
  /** The length of the longest pattern that ends here. It covers the shorter ones. */
  readonly #longest: Int32Array;
  /** Which first four bytes any pattern has, hashed. */
  readonly #heads = new Uint8Array(1 << 16);
  readonly #root = new Int32Array(256);
  readonly #holdsBlank: boolean;

  constructor(patterns: readonly Uint8Array[]) {
    const size = patterns.reduce((sum, pattern) => sum + pattern.length, 1);
    this.#byte = new Uint8Array(size);
    this.#firstChild = new Int32Array(size);
    this.#sibling = new Int32Array(size);
    this.#suffix = new Int32Array(size);
    this.#longest = new Int32Array(size);
    this.#holdsBlank = patterns.some((pattern) => pattern.includes(BLANK));
    let nodes = 1;
    for (const pattern of patterns) {
      let node = 0;
      for (const byte of pattern) {
        let child = this.#childOf(node, byte);
        if (child === 0) {
          child = nodes++;
          this.#byte[child] = byte;
          if (node === 0) this.#root[byte] = child;
          this.#sibling[child] = this.#firstChild[node]!;
          this.#firstChild[node] = child;
        }
        node = child;
      }
      this.#longest[node] = pattern.length;
      this.#heads[headOf(pattern.subarray(0, 4).reduce((window, byte) => (window << 8) | byte, 0))] = 1;
    }
    this.#linkSuffixes(nodes);
  }

  /** Searches the first `length` bytes. A plus is also taken for the blank it stands for in a form. */
  find(bytes: Uint8Array, length: number, onFound: OnFound): void {
    this.#findAs(AS_IS, bytes, length, onFound);
    if (this.#holdsBlank && bytes.subarray(0, length).includes(PLUS)) this.#findAs(FORM, bytes, length, onFound);
  }

  #findAs(reading: Uint8Array, bytes: Uint8Array, length: number, onFound: OnFound): void {
    const root = this.#root.map((_, byte) => this.#root[reading[byte]!]!);
    const byteOf = this.#byte;
    const firstChild = this.#firstChild;
    const sibling = this.#sibling;
    const suffix = this.#suffix;
    const longest = this.#longest;
    const heads = this.#heads;
    let window = 0;
    for (let at = 0; at < 3; at += 1) window = (window << 8) | reading[bytes[at] ?? 0]!;
    let node = 0;
    for (let at = 0; at < length; at += 1) {
      // Nearly all bytes of nearly all texts begin no secret.
      window = (window << 8) | reading[bytes[at + 3] ?? 0]!;
      if (node === 0) {
        if (heads[headOf(window)] !== 0) node = root[bytes[at]!]!;
        continue;
      }
      const byte = reading[bytes[at]!]!;
      let child = 0;
      while (node !== 0) {
        child = firstChild[node]!;
        while (child !== 0 && byteOf[child] !== byte) child = sibling[child]!;
        if (child !== 0) break;
        node = suffix[node]!;
      }
      node = node === 0 ? root[bytes[at]!]! : child;
      if (longest[node] !== 0) onFound(at + 1 - longest[node]!, at + 1);
    }
  }

  #childOf(node: number, byte: number): number {
    if (node === 0) return this.#root[byte]!;
    let child = this.#firstChild[node]!;
    while (child !== 0 && this.#byte[child] !== byte) child = this.#sibling[child]!;
    return child;
  }

  /** Level by level, since the suffix of a node lies on a higher level. */
  #linkSuffixes(nodes: number): void {
    const suffix = this.#suffix;
    const queue = new Int32Array(nodes);
    let filled = 1;
    for (let next = 0; next < filled; next += 1) {
      const node = queue[next]!;
      for (let child = this.#firstChild[node]!; child !== 0; child = this.#sibling[child]!) {
        queue[filled++] = child;
        if (node === 0) continue;
        const byte = this.#byte[child]!;
        let from = suffix[node]!;
        while (from !== 0 && this.#childOf(from, byte) === 0) from = suffix[from]!;
        suffix[child] = this.#childOf(from, byte);
      }
      if (node === 0) continue;
      if (this.#longest[node] === 0) this.#longest[node] = this.#longest[suffix[node]!]!;
    }
  }
}
