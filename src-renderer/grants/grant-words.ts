import type { GrantEnd, GrantRow } from '../../src-shared/approvals/grant.schema';
import type { KeychainState } from '../../src-shared/settings/shell.schema';
import type { CallerKind } from '../../src-shared/tools/tool.schema';
import { countOf } from '../ui/format';

const WHOSE: Record<CallerKind, string> = {
  model: 'when a model calls',
  you: 'when you run it',
  'command-line': 'from the command line',
};

const ENDED: Record<GrantEnd, string> = {
  'launch-changed': 'ended: what its server runs or contacts changed',
  'tool-changed': 'ended: the tool changed',
  'server-gone': 'ended: its server was removed',
};

/** For how long, and for whose calls. */
export function reachWords({ reach, caller, ended }: Pick<GrantRow, 'reach' | 'caller' | 'ended'>): string {
  if (ended !== null) return ENDED[ended];
  const span = reach.kind === 'always' ? 'always' : `in the chat “${reach.title === '' ? 'New chat' : reach.title}”`;
  return `${span}, ${WHOSE[caller]}`;
}

/** Without the master key nothing can be sealed for the next start (S5). */
export const lastsWords = (keychain: KeychainState): string =>
  keychain === 'ready' ? '' : ' It lasts until you quit, because there is no open keychain to seal it with.';

/** How many stand, and how many are over. */
export function grantCountWords(rows: readonly Pick<GrantRow, 'ended'>[]): string {
  const ended = rows.filter((row) => row.ended !== null).length;
  const standing = countOf(rows.length - ended, 'grant');
  return ended === 0 ? standing : `${standing}, ${ended} ended by a change`;
}

export const usesWords = (uses: number): string => (uses === 0 ? 'not yet' : countOf(uses, 'time'));

export function unsealedSentence(count: number): string {
  return `${countOf(count, 'grant needs', 'grants need')} review: what stands in trust.json was not sealed by this app, so it allows nothing. Revoke all grants to clear it away.`;
}
