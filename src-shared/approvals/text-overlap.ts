/** A part of a text that stands word for word in one of the texts it was compared with. */
export interface Overlap {
  from: number;
  to: number;
  /** Which of the compared groups. */
  group: number;
}

/** Shorter runs of words are anybody's. */
export const MIN_OVERLAP = 20;
/** What is read of each side; a sheet has to come up while a person waits. */
const MAX_COMPARED = 400_000;
const MAX_READ = 1_000_000;
// Any run of twice this length, less one, holds a whole block of the text it was taken from.
const BLOCK = MIN_OVERLAP / 2;
const MAX_PLACES = 8;
/** Blanks, rulers and zeros stand in every text and come from none. */
const MIN_LETTERS = 5;

interface Place {
  text: string;
  at: number;
  group: number;
}

/** Compares with the last texts of the last groups first, as far as it reads. The parts found are in order and do not overlap (A6). */
export function overlapFinder(groups: readonly (readonly string[])[]): (text: string) => Overlap[] {
  const blocks = new KnownBlocks();
  let room = MAX_COMPARED;
  for (const [group, texts] of [...groups.entries()].reverse()) {
    for (const whole of [...texts].reverse()) {
      const text = whole.slice(0, room);
      room -= text.length;
      for (let at = 0; at + BLOCK <= text.length; at += BLOCK) blocks.add({ text, at, group });
    }
  }
  return (text) => overlapsIn(text, blocks);
}

/** Where each block of the compared texts stands. */
class KnownBlocks {
  readonly #places = new Map<string, Place[]>();
  /** One mark for each hash: most of what is looked up is not here, and is told without cutting a piece out of the text. */
  readonly #marks = new Uint8Array(MARKS);

  add(place: Place): void {
    const block = place.text.slice(place.at, place.at + BLOCK);
    if (new Set(block).size < MIN_LETTERS) return;
    this.#marks[markOf(hashOf(block))] = 1;
    const places = this.#places.get(block);
    if (places === undefined) this.#places.set(block, [place]);
    else if (places.length < MAX_PLACES) places.push(place);
  }

  find(text: string, at: number, hash: number): readonly Place[] {
    if (this.#marks[markOf(hash)] === 0) return NOWHERE;
    return this.#places.get(text.slice(at, at + BLOCK)) ?? NOWHERE;
  }
}

function overlapsIn(text: string, blocks: KnownBlocks): Overlap[] {
  const found: Overlap[] = [];
  const end = Math.min(text.length, MAX_READ);
  let free = 0;
  let at = 0;
  let hash = hashOf(text.slice(0, BLOCK));
  while (at + BLOCK <= end) {
    const places = blocks.find(text, at, hash);
    const longest = places.length === 0 ? null : longestOf(places.map((place) => grow(text, at, place, free)));
    if (longest === null) {
      hash = rolled(hash, text.charCodeAt(at), text.charCodeAt(at + BLOCK));
      at += 1;
    } else {
      found.push(longest);
      free = longest.to;
      at = longest.to;
      hash = hashOf(text.slice(at, at + BLOCK));
    }
  }
  return found;
}

const FACTOR = 31;
const FACTOR_OF_FIRST = (FACTOR ** (BLOCK - 1)) | 0;
const MARKS = 2 ** 20;
const NOWHERE: readonly Place[] = [];

function hashOf(block: string): number {
  let hash = 0;
  for (let at = 0; at < block.length; at += 1) hash = (Math.imul(hash, FACTOR) + block.charCodeAt(at)) | 0;
  return hash;
}

/** The hash one character further on, without reading the others again. */
function rolled(hash: number, gone: number, come: number): number {
  return (Math.imul(hash - Math.imul(gone, FACTOR_OF_FIRST), FACTOR) + come) | 0;
}

const markOf = (hash: number): number => (hash ^ (hash >>> 12)) & (MARKS - 1);

/** The run around one block that both texts share; it begins no earlier than `free`. */
function grow(text: string, at: number, place: Place, free: number): Overlap {
  let before = 0;
  while (at - before > free && place.at > before && text[at - before - 1] === place.text[place.at - before - 1]) before += 1;
  let after = BLOCK;
  while (at + after < text.length && text[at + after] === place.text[place.at + after]) after += 1;
  return { from: at - before, to: at + after, group: place.group };
}

function longestOf(runs: readonly Overlap[]): Overlap | null {
  const [longest] = [...runs].sort((a, b) => b.to - b.from - (a.to - a.from));
  return longest !== undefined && longest.to - longest.from >= MIN_OVERLAP ? longest : null;
}
