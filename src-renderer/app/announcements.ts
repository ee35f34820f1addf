import type { VisibleText } from '../../src-shared/approvals/approval.schema';
import type { Mirror } from '../host/mirror-store';

/** What is new since the last view and worth saying aloud, or null. Each request is said once. */
export function newlySaid(
  before: Pick<Mirror, 'approvals' | 'conversations'>,
  now: Pick<Mirror, 'approvals' | 'conversations'>,
  inWords: (text: VisibleText) => string,
): string | null {
  const known = new Set(before.approvals.map((request) => request.id));
  const fresh = now.approvals.find((request) => !known.has(request.id));
  if (fresh) {
    if (fresh.kind === 'sign-in') return `Waiting for you: the sign-in to ${fresh.serverName}.`;
    if (fresh.kind === 'question') return `Waiting for you: ${fresh.serverName} asks you something.`;
    return fresh.kind === 'launch'
      ? `Waiting for you: review ${fresh.serverName} before it is turned on.`
      : `Waiting for you: ${fresh.serverName} wants to run ${inWords(fresh.toolName)}.`;
  }
  const busyBefore = new Set(before.conversations.filter((chat) => chat.busy).map((chat) => chat.id));
  const finished = now.conversations.find((chat) => !chat.busy && busyBefore.has(chat.id));
  return finished ? `Finished: ${finished.title}.` : null;
}
