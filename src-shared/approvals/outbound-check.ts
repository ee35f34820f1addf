import { toVisibleText } from '../base/visible-text';
import type { VisibleText } from './approval.schema';
import type { Overlap } from './text-overlap';

/** A part of a text that looks like a key, from `from` up to, not including, `to`. */
export interface KeySpan {
  from: number;
  to: number;
  /** In words: "an AWS access key". */
  what: string;
}

// A key stands by itself; in JSON it can follow an escaped line end, whose letter is no part of a word.
const START = String.raw`(?:(?<=\\[bfnrt])|(?<![A-Za-z0-9_]))`;
const END = '(?![A-Za-z0-9])';

// Every repetition is bounded or stands last, so the time is in proportion to the text.
const PATTERNS: readonly (readonly [what: string, pattern: string])[] = [
  ['an AWS access key', `(?:AKIA|ASIA)[A-Z2-7]{16}${END}`],
  ['a GitHub token', `gh[pousr]_[A-Za-z0-9]{36,255}${END}`],
  ['a GitHub token', `github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}${END}`],
  ['a GitLab token', String.raw`glpat-[\w-]{20,64}`],
  ['a Slack token', String.raw`xox[abprs]-\d{6,16}-[A-Za-z0-9-]{10,250}`],
  ['a Stripe key', `[rs]k_(?:live|test)_[A-Za-z0-9]{16,247}${END}`],
  ['an Anthropic key', String.raw`sk-ant-[a-z0-9]{3,10}-[\w-]{32,200}`],
  ['an OpenAI key', String.raw`sk-(?:proj|svcacct|admin)-[\w-]{32,200}`],
  ['an OpenAI key', `sk-[A-Za-z0-9]{48}${END}`],
  ['a Google key', String.raw`AIza[\w-]{35}(?![\w-])`],
  ['an npm token', `npm_[A-Za-z0-9]{36}${END}`],
  ['a signed token (JWT)', String.raw`(?:(?<=\\[bfnrt])|(?<![\w.-]))eyJ[\w-]{10,2000}\.eyJ[\w-]{10,8000}\.[\w-]{20,1000}`],
  ['a private key', String.raw`-----BEGIN (?:[A-Z]{2,9} ){0,2}PRIVATE KEY-----[\w+/=\\\s]{0,8000}`],
];

const KEY = new RegExp(`${START}(?:${PATTERNS.map(([, pattern]) => `(${pattern})`).join('|')})`, 'g');

/** The parts of a text that look like keys of well-known services (A7). */
export function findKeys(text: string): KeySpan[] {
  return [...text.matchAll(KEY)].map((match) => {
    const which = match.slice(1).findIndex((group) => group !== undefined);
    return { from: match.index, to: match.index + match[0].length, what: PATTERNS[which]?.[0] ?? 'a key' };
  });
}

/** Where a stored secret stands in a text, told by the same text without secrets. Several and all between them are one part. */
export function storedSecretIn(text: string, masked: string, mask: string): KeySpan[] {
  if (masked === text) return [];
  const from = masked.indexOf(mask);
  const tail = masked.length - masked.lastIndexOf(mask) - mask.length;
  return [{ from, to: text.length - tail, what: 'a secret you stored' }];
}

/**
 * Text for a dialog in which keys are marked, and words of others carry whose they are. Nothing is shown otherwise than
 * without them (A5, A6, A7). `overlaps` are in order and apart.
 */
export function markSpans(text: string, keys: readonly KeySpan[], overlaps: readonly Overlap[]): VisibleText {
  const apart = mergeSpans(keys);
  const edges = [...apart, ...overlaps].flatMap(({ from, to }) => [from, to]);
  const cuts = [...new Set([0, ...edges, text.length])].sort((a, b) => a - b);
  let key = 0;
  let overlap = 0;
  return cuts.slice(1).flatMap((to, nth) => {
    const from = cuts[nth] ?? 0;
    while ((apart[key]?.to ?? Infinity) <= from) key += 1;
    while ((overlaps[overlap]?.to ?? Infinity) <= from) overlap += 1;
    const marked = (apart[key]?.from ?? Infinity) <= from ? { marked: true as const } : {};
    const whose = overlaps[overlap];
    const source = whose !== undefined && whose.from <= from ? { source: whose.group } : {};
    return toVisibleText(text.slice(from, to)).map((segment) => ({ ...segment, ...marked, ...source }));
  });
}

function mergeSpans(spans: readonly KeySpan[]): { from: number; to: number }[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

/** One sentence for each kind of thing found, with who would receive it. */
export function outboundSentences(spans: readonly KeySpan[], receiver: string): string[] {
  return [...new Set(spans.map(({ what }) => what))].map(
    (what) => `The arguments hold what looks like ${what}. Running this gives it to ${receiver}.`,
  );
}
