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
  const blocks = new Map<string, Place[]>();
  let room = MAX_COMPARED;
  for (const [group, texts] of [...groups.entries()].reverse()) {
    for (const whole of [...texts].reverse()) {
      const text = whole.slice(0, room);
      room -= text.length;
      for (let at = 0; at + BLOCK <= text.length; at += BLOCK) addPlace(blocks, { text, at, group });
    }
  }
  return (text) => overlapsIn(text, blocks);
}

function addPlace(blocks: Map<string, Place[]>, place: Place): void {
  const block = place.text.slice(place.at, place.at + BLOCK);
  if (new Set(block).size < MIN_LETTERS) return;
  const places = blocks.get(block) ?? [];
  if (places.length < MAX_PLACES) blocks.set(block, [...places, place]);
}

function overlapsIn(text: string, blocks: ReadonlyMap<string, readonly Place[]>): Overlap[] {
  const found: Overlap[] = [];
  const end = Math.min(text.length, MAX_READ);
  let free = 0;
  let at = 0;
  while (at + BLOCK <= end) {
    const places = blocks.get(text.slice(at, at + BLOCK));
    const longest = places === undefined ? null : longestRun(text, at, places, free);
    if (longest === null) at += 1;
    else {
      found.push(inWholeCharacters(text, longest));
      free = longest.to;
      at = longest.to;
    }
  }
  return found;
}

/** Without blanks at its ends, and without half of a character: what is marked is shown as it is shown unmarked (A5). */
function inWholeCharacters(text: string, { from, to, group }: Overlap): Overlap {
  let first = isInside(text, from) ? from + 1 : from;
  let end = isInside(text, to) ? to - 1 : to;
  while (BLANK.test(text.charAt(first))) first += 1;
  while (BLANK.test(text.charAt(end - 1))) end -= 1;
  return { from: first, to: end, group };
}

const BLANK = /\s/;
const isInside = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff;

function longestRun(text: string, at: number, places: readonly Place[], free: number): Overlap | null {
  let longest: Overlap | null = null;
  let least = MIN_OVERLAP;
  for (const place of places) {
    const run = grow(text, at, place, free);
    if (run.to - run.from < least) continue;
    longest = run;
    least = run.to - run.from + 1;
  }
  return longest;
}

/** The run around one block that both texts share; it begins no earlier than `free`. */
function grow(text: string, at: number, place: Place, free: number): Overlap {
  let before = 0;
  while (at - before > free && text[at - before - 1] === place.text[place.at - before - 1]) before += 1;
  let after = BLOCK;
  while (at + after < text.length && text[at + after] === place.text[place.at + after]) after += 1;
  return { from: at - before, to: at + after, group: place.group };
}
