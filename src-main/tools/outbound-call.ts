import type { ShownArgument, ToolApproval } from '../../src-shared/approvals/approval.schema';
import { findKeys, markSpans, outboundSentences, storedSecretIn, type KeySpan } from '../../src-shared/approvals/outbound-check';
import { shownArguments } from '../../src-shared/approvals/shown-arguments';
import type { Overlap } from '../../src-shared/approvals/text-overlap';
import { MASK } from '../secrets/mask-secrets';

export interface OutboundCall {
  holdsKey: boolean;
  shown: Pick<ToolApproval, 'arguments' | 'argumentsText' | 'argumentsBytes' | 'outbound'>;
  /** The arguments with the words of others marked too, which takes longer and is for a sheet alone (A6). */
  argumentsWith(overlaps: (text: string) => Overlap[]): ShownArgument[];
}

/** How a sheet shows the frozen arguments of a call, and whether a secret or a key would leave with them (A7). */
export function outboundOf(frozenText: string, mask: (text: string) => string, receiver: string): OutboundCall {
  const keys = (text: string): KeySpan[] => [...storedSecretIn(text, mask(text), MASK), ...findKeys(text)];
  const found: KeySpan[] = [];
  const find = (text: string): KeySpan[] => {
    const spans = keys(text);
    found.push(...spans);
    return spans;
  };
  // Both readings count: a line end is a letter in one of them, and a secret of two arguments stands in only the other.
  const shown = {
    arguments: shownArguments(frozenText, { keys: find, overlaps: () => [] }),
    argumentsText: markSpans(frozenText, find(frozenText), []),
    argumentsBytes: Buffer.byteLength(frozenText),
  };
  return {
    holdsKey: found.length > 0,
    shown: { ...shown, outbound: outboundSentences(found, receiver) },
    argumentsWith: (overlaps) => shownArguments(frozenText, { keys, overlaps }),
  };
}
