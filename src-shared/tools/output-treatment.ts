import { characterBoundary } from '../base/hidden-characters';
import { quotableName } from './quotable-name';
import { textOfParts, treatParts } from './result-parts';
import { stripInvisible } from './strip-invisible';
import type { ResultPart } from './tool.schema';

/** Providers disagree on what a token is; four characters are about one. */
const CHARACTERS_PER_TOKEN = 4;
const MAX_OUTPUT_TOKENS = 2000;

// Look-alikes are matched generously: one too many is spelled out, one too few lets a server speak as the app.
const MARKS = String.raw`\p{M}{0,64}`;
const OPENER = String.raw`(?:[<\uff1c\ufe64\u2039\u2329\u3008\u27e8\u02c2\u1438\u276e\u276c\u2770\u2991\u29fc\u227a\u226a\u22d6\u27ea\u300a\u00ab\u2264\u226e\u16b2\u{1d236}]|&(?:amp;)*(?:lt|lsaquo|lang|langle|laquo|ll|pr|#0*(?:60|65308|8249|9001|12296|10216)|#x0*(?:3c|ff1c|2039|2329|3008|27e8));?)`;
const BLANK = String.raw`(?:[\s\u2800]|&(?:amp;)*(?:nbsp|tab|newline|#0*(?:9|10|13|32|160)|#x0*(?:9|a|d|20|a0));?)`;
const SLASH = String.raw`(?:[/\\\uff0f\uff3c\u2044\u2215\u29f8\u2571]|&(?:amp;)*(?:sol|#0*47|#x0*2f);?)`;
const LETTERS = [
  't\uff54\u0442\u03c4',
  'o\uff4f\u043e\u03bf0',
  'o\uff4f\u043e\u03bf0',
  'l\uff4c1i|\u04cf',
  String.raw`_\uff3f\u203f\-\s`,
  'o\uff4f\u043e\u03bf0',
];
const MORE_LETTERS = ['u\uff55\u03c5', 't\uff54\u0442\u03c4', 'p\uff50\u0440\u03c1', 'u\uff55\u03c5', 't\uff54\u0442\u03c4'];
const NAME = [...LETTERS, ...MORE_LETTERS].map((alike) => `[${alike}]${MARKS}`).join('');
const OPENERS = new RegExp(OPENER, 'giu');
// Stepped over in bounded bites: one repetition over a run of millions would exhaust the matcher's stack.
const SKIPPED = new RegExp(String.raw`(?:${BLANK}|${SLASH}|\p{M}){1,1000}`, 'iuy');
const TAG_NAME = new RegExp(NAME, 'iuy');

/** How a neutralised bracket is spelled: readable, free of brackets, and left alone by a second treatment. */
const ESCAPED_OPENER = String.raw`\u003c`;

/**
 * Spells out every bracket that would open or close our own tag (O2). Expects text that is joined and stripped,
 * or a tag could be put together from two blocks or around an invisible character.
 */
export function neutraliseDelimiter(text: string): string {
  return text.replace(OPENERS, (opener: string, at: number) =>
    leadsToTagName(text, at + opener.length) ? ESCAPED_OPENER : opener,
  );
}

function leadsToTagName(text: string, from: number): boolean {
  let at = from;
  for (SKIPPED.lastIndex = at; SKIPPED.test(text); at = SKIPPED.lastIndex);
  TAG_NAME.lastIndex = at;
  return TAG_NAME.test(text);
}

export interface ToolOutputFrame {
  server: string;
  tool: string;
  /** Random, one per result: a server cannot guess it, so it cannot close the frame in the model's eyes. */
  id: string;
}

/** Frames a server's words so that they are never taken for ours; a failure is framed exactly as an answer is (O2). */
export function wrapToolOutput({ server, tool, id, text, failed }: ToolOutputFrame & { text: string; failed: boolean }): string {
  const opening = `<tool_output server="${quotableName(server)}" tool="${quotableName(tool)}" outcome="${failed ? 'failed' : 'answered'}" id="${id}">`;
  return `${opening}\n${neutraliseDelimiter(text)}\n</tool_output id="${id}">`;
}

export interface BoundedText {
  text: string;
  cut: boolean;
}

/** Keeps head and tail of a long text and says between them how much is missing and how to read it (O3). */
export function boundText(
  text: string,
  { maxTokens = MAX_OUTPUT_TOKENS, handle }: { maxTokens?: number; handle?: string } = {},
): BoundedText {
  const room = maxTokens * CHARACTERS_PER_TOKEN;
  if (text.length <= room) return { text, cut: false };
  const headEnd = characterBoundary(text, Math.ceil(room / 2));
  const start = text.length - Math.floor(room / 2);
  const tailStart = characterBoundary(text, start) === start ? start : start + 1;
  const missing = tailStart - headEnd;
  const tokens = Math.ceil(missing / CHARACTERS_PER_TOKEN);
  const rest = handle === undefined ? '' : ` Call read_output with the handle "${handle}" to read them.`;
  const notice = `[${grouped(missing)} characters, about ${grouped(tokens)} tokens, are missing here.${rest}]`;
  return { text: `${text.slice(0, headEnd)}\n${notice}\n${text.slice(tailStart)}`, cut: true };
}

export interface TreatedResult {
  /** Wrapped, treated and bounded: exactly what a model is given. */
  forModel: string;
  /** The same words without the frame. */
  forPerson: string;
  /** Everything, treated: what `read_output` pages through. */
  whole: string;
  parts: ResultPart[];
  removedCharacters: number;
  cut: boolean;
}

export interface TreatmentChoices {
  failed: boolean;
  /** Names the kept text, once there is one. */
  handle?: string;
  maxTokens?: number;
  /** Takes known secrets out: after stripping, or a secret held apart by invisible characters would slip through (S5). */
  mask: (text: string) => string;
}

/** The one treatment of everything a tool call brings back, answer or failure: join, strip, neutralise, bound, frame (O1 to O3). */
export function treatResult(
  parts: readonly ResultPart[],
  { failed, handle, maxTokens, mask, ...frame }: ToolOutputFrame & TreatmentChoices,
): TreatedResult {
  const stripped = stripInvisible(textOfParts(parts, failed));
  const whole = neutraliseDelimiter(mask(stripped.text));
  const bounded = boundText(whole, {
    ...(handle === undefined ? {} : { handle }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  });
  return {
    forModel: wrapToolOutput({ ...frame, text: bounded.text, failed }),
    forPerson: bounded.text,
    whole,
    parts: treatParts(parts, mask),
    removedCharacters: stripped.removed,
    cut: bounded.cut,
  };
}

export interface OutputPage {
  text: string;
  offset: number;
  /** Null on the last page. */
  nextOffset: number | null;
  total: number;
}

/** One page of a kept output, cut between characters. Neutralising comes before cutting, so no tag forms across two pages (O2). */
export function pageOf(text: string, offset: number, pageChars: number): OutputPage {
  const safe = neutraliseDelimiter(text);
  const start = characterBoundary(safe, offset);
  const wanted = characterBoundary(safe, start + Math.max(1, pageChars));
  // A page must move on even where one character is longer than the page.
  const end = wanted > start || start >= safe.length ? wanted : Math.min(safe.length, start + 2);
  return { text: safe.slice(start, end), offset: start, nextOffset: end < safe.length ? end : null, total: safe.length };
}

/** A page as `read_output` hands it to a model: framed like the result it comes from. */
export function framedPage(page: OutputPage, frame: ToolOutputFrame): string {
  const until = page.offset + page.text.length;
  const next = page.nextOffset === null ? 'This is the end.' : `Continue with offset ${page.nextOffset}.`;
  const place = `[Characters ${page.offset} to ${until} of ${page.total}. ${next}]`;
  return wrapToolOutput({ ...frame, text: `${page.text}\n${place}`, failed: false });
}

/** One line, stripped and cut with a visible mark. */
export function oneLine(text: string, maxLength: number): string {
  const line = neutraliseDelimiter(stripInvisible(text).text).replace(/\s+/g, ' ').trim();
  if (line.length <= maxLength) return line;
  const mark = ' … [cut]';
  return line.slice(0, characterBoundary(line, maxLength - mark.length)) + mark;
}

const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
