import type { DiffText } from './diff-text.schema';
import { characterBoundary, cutAtCharacter } from './hidden-characters';
import { toVisibleText } from './visible-text';

/** What a comparison is allowed to cost, counted down as it is used. One cell is one pair of pieces looked at. */
export interface DiffBudget {
  cells: number;
}

/** One step of the way from one list to the other. */
export interface DiffStep<T> {
  kind: 'same' | 'removed' | 'added';
  value: T;
}

const MAX_CELLS_AT_ONCE = 500_000;
/** Of a text that is the same on both sides, this much is kept on either side of a change. */
const CONTEXT = 160;
/** More of one change is told by its length. */
const MAX_CHANGED = 8_000;

/**
 * The shortest way from one list to the other. Where finding it would cost more than the budget,
 * all that differs in the middle is given as removed, then added: never wrong, only coarser.
 */
export function diffLists<T>(before: readonly T[], after: readonly T[], budget: DiffBudget): DiffStep<T>[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;

  const steps = (kind: DiffStep<T>['kind'], values: readonly T[]): DiffStep<T>[] => values.map((value) => ({ kind, value }));
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  const middle = commonSteps(removed, added, budget) ?? [...steps('removed', removed), ...steps('added', added)];
  return [...steps('same', before.slice(0, start)), ...middle, ...steps('same', before.slice(before.length - end))];
}

function commonSteps<T>(before: readonly T[], after: readonly T[], budget: DiffBudget): DiffStep<T>[] | null {
  const width = after.length + 1;
  const cells = before.length * after.length;
  if (cells > Math.min(MAX_CELLS_AT_ONCE, budget.cells)) return null;
  budget.cells -= cells;
  const longest = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const steps: DiffStep<T>[] = [];
  for (let i = 0, j = 0; i < before.length || j < after.length;) {
    const [left, right] = [before[i], after[j]];
    if (i < before.length && j < after.length && left === right) {
      steps.push({ kind: 'same', value: left as T });
      i += 1;
      j += 1;
    } else if (j >= after.length || (i < before.length && at(i + 1, j) >= at(i, j + 1))) {
      steps.push({ kind: 'removed', value: left as T });
      i += 1;
    } else {
      steps.push({ kind: 'added', value: right as T });
      j += 1;
    }
  }
  return steps;
}

const WORDS = /\s+|[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]/gu;
const LINES = /[^\n]*\n|[^\n]+$/g;

/** Both sides of a changed text, its words compared, or its lines where it has too many words. Nothing invisible stays so. */
export function diffTexts(before: string, after: string, budget: DiffBudget): { before: DiffText; after: DiffText } {
  let steps = diffLists(piecesOf(before, WORDS), piecesOf(after, WORDS), budget);
  if (isCoarse(steps)) {
    const byLines = diffLists(piecesOf(before, LINES), piecesOf(after, LINES), budget);
    if (byLines.some(({ kind }) => kind === 'same')) steps = byLines;
  }
  const runs = joined(steps);
  return {
    before: sideOf(runs.filter(({ kind }) => kind !== 'added')),
    after: sideOf(runs.filter(({ kind }) => kind !== 'removed')),
  };
}

/** A text that stands on one side alone: all of it is the change. */
export const wholeChanged = (text: string): DiffText => sideOf([{ kind: 'added', value: text }]);

/** Both sides of a text that is the same. */
export const unchanged = (text: string): DiffText => sideOf([{ kind: 'same', value: text }]);

const piecesOf = (text: string, pieces: RegExp): string[] => text.match(pieces) ?? [];

/** The budget was too small for words: the whole middle is one replacement. */
function isCoarse(steps: readonly DiffStep<string>[]): boolean {
  const removed = steps.filter(({ kind }) => kind === 'removed').length;
  const added = steps.filter(({ kind }) => kind === 'added').length;
  return removed * added > MAX_CELLS_AT_ONCE / 4;
}

/** Neighbours of one kind are one run. */
function joined(steps: readonly DiffStep<string>[]): DiffStep<string>[] {
  const texts: { kind: DiffStep<string>['kind']; pieces: string[] }[] = [];
  for (const { kind, value } of steps) {
    const last = texts.at(-1);
    if (last?.kind === kind) last.pieces.push(value);
    else texts.push({ kind, pieces: [value] });
  }
  return texts.map(({ kind, pieces }) => ({ kind, value: pieces.join('') }));
}

function sideOf(runs: readonly DiffStep<string>[]): DiffText {
  return runs.flatMap(({ kind, value }, index): DiffText => {
    if (kind !== 'same') return [...escaped(cutAtCharacter(value, MAX_CHANGED), true), ...restOf(value.length - MAX_CHANGED)];
    const [before, after] = [index === 0 ? 0 : CONTEXT, index === runs.length - 1 ? 0 : CONTEXT];
    // A text without any change keeps its beginning.
    const head = runs.length === 1 ? CONTEXT * 2 : before;
    if (value.length <= head + after + CONTEXT) return escaped(value, false);
    const [from, to] = [characterBoundary(value, head), characterBoundary(value, value.length - after)];
    const note = { kind: 'blank' as const, text: `⎵ ${to - from} characters, the same` };
    return [...escaped(value.slice(0, from), false), note, ...escaped(value.slice(to), false)];
  });
}

function restOf(length: number): DiffText {
  return length > 0 ? [{ kind: 'blank', text: `⎵ ${length} more characters`, changed: true }] : [];
}

function escaped(text: string, changed: boolean): DiffText {
  return toVisibleText(text).map(({ kind, text: shown }) => ({ kind, text: shown, ...(changed && { changed }) }));
}
