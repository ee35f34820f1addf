import type { VisibleSegment, VisibleText } from '../approvals/approval.schema';
import { HIDDEN_CHARACTER, ODD_BLANK } from './hidden-characters';

/** Longer runs are told in words: a reader does not count blanks, and a payload can stand behind them. */
const MAX_PLAIN_BLANKS = 8;
const MAX_PLAIN_LINE_BREAKS = 4;

// Repetition of anything but a plain class is bounded: a run of millions would exhaust the matcher's stack.
const NEEDS_CARE = new RegExp(
  String.raw`(?<blank>[ \t\n]{4}[ \t\n]+)|(?:${HIDDEN_CHARACTER}|${ODD_BLANK}|[\p{Co}\p{Cn}]){1,1000}`,
  'gu',
);

/**
 * Text as a person has to see it before saying yes (A5, T1): nothing invisible, nothing that lies, nothing cut.
 * Read from left to right, the segments name every character.
 */
export function toVisibleText(text: string): VisibleText {
  const segments: VisibleSegment[] = [];
  let plainFrom = 0;
  for (const match of text.matchAll(NEEDS_CARE)) {
    const replaced = match.groups?.['blank'] === undefined ? escapesOf(match[0]) : blanksOf(match[0]);
    if (replaced === null) continue;
    if (match.index > plainFrom) append(segments, { kind: 'text', text: text.slice(plainFrom, match.index) });
    for (const segment of replaced) append(segments, segment);
    plainFrom = match.index + match[0].length;
  }
  if (plainFrom < text.length) append(segments, { kind: 'text', text: text.slice(plainFrom) });
  return segments;
}

/** The same as one string, for logs and labels. */
export function visibleToString(visible: VisibleText): string {
  return visible.map((segment) => segment.text).join('');
}

/** Neighbours of one kind are one segment; two runs of blanks stay two statements. */
function append(segments: VisibleSegment[], segment: VisibleSegment): void {
  const last = segments.at(-1);
  if (last?.kind === segment.kind && segment.kind !== 'blank') last.text += segment.text;
  else segments.push(segment);
}

function escapesOf(characters: string): VisibleSegment[] {
  let escaped = '';
  for (const character of characters) {
    const code = character.codePointAt(0) ?? 0;
    escaped += code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
  }
  return [{ kind: 'escape', text: escaped }];
}

/** Null when the run is short enough to stand as it is. */
function blanksOf(run: string): VisibleSegment[] | null {
  const lineBreaks = countOf(run, '\n');
  if (lineBreaks > MAX_PLAIN_LINE_BREAKS) return [{ kind: 'blank', text: `⎵ ${inWords(run)}` }];
  const pieces = run.split(/(\n)/);
  if (!pieces.some((piece) => piece.length > MAX_PLAIN_BLANKS)) return null;
  return pieces
    .filter((piece) => piece !== '')
    .map((piece) =>
      piece.length > MAX_PLAIN_BLANKS ? { kind: 'blank', text: `⎵ ${inWords(piece)}` } : { kind: 'text', text: piece },
    );
}

function inWords(run: string): string {
  const counts: [count: number, one: string][] = [
    [countOf(run, '\n'), 'line break'],
    [countOf(run, ' '), 'space'],
    [countOf(run, '\t'), 'tab'],
  ];
  return counts
    .filter(([count]) => count > 0)
    .map(([count, one]) => `${count} ${one}${count === 1 ? '' : 's'}`)
    .join(', ');
}

function countOf(run: string, character: string): number {
  let count = 0;
  for (let at = run.indexOf(character); at !== -1; at = run.indexOf(character, at + 1)) count += 1;
  return count;
}
