import type { ToolApproval } from '../../src-shared/approvals/approval.schema';
import { findKeys, markKeys, outboundSentences, storedSecretIn, type KeySpan } from '../../src-shared/approvals/outbound-check';
import { shownArguments } from '../../src-shared/approvals/shown-arguments';
import { MASK } from '../secrets/mask-secrets';

/** How a sheet shows the frozen arguments of a call, and whether a secret or a key would leave with them (A7). */
export function outboundOf(
  frozenText: string,
  mask: (text: string) => string,
  receiver: string,
): { holdsKey: boolean; shown: Pick<ToolApproval, 'arguments' | 'argumentsText' | 'argumentsBytes' | 'outbound'> } {
  const found: KeySpan[] = [];
  const find = (text: string): KeySpan[] => {
    const spans = [...storedSecretIn(text, mask(text), MASK), ...findKeys(text)];
    found.push(...spans);
    return spans;
  };
  // Both readings count: a line end is a letter in one of them, and a secret of two arguments stands in only the other.
  const shown = {
    arguments: shownArguments(frozenText, find),
    argumentsText: markKeys(frozenText, find(frozenText)),
    argumentsBytes: Buffer.byteLength(frozenText),
  };
  return { holdsKey: found.length > 0, shown: { ...shown, outbound: outboundSentences(found, receiver) } };
}
