import type { Clock } from '../../src-shared/base/clock';
import type { ConversationFeed, ConversationId } from '../../src-shared/conversations/conversation.schema';
import { oneLine } from '../../src-shared/tools/output-treatment';
import { stripInvisible } from '../../src-shared/tools/strip-invisible';

/** A running call is told of at most ten times a second; of what comes between, the last counts. */
const GAP_MS = 100;
const MAX_MESSAGE = 200;

export interface ProgressParts {
  clock: Clock;
  feed(value: ConversationFeed): void;
  /** Takes secret values out of a text (S5). */
  mask(text: string): string;
}

/** As a server tells it: numbers and words that nothing has judged. */
export interface ToldProgress {
  progress: number;
  total?: number;
  message?: string;
}

/** Tells the window how far one call says it is. */
export function progressTeller(
  { clock, feed, mask }: ProgressParts,
  conversationId: ConversationId,
  callId: string,
): (told: ToldProgress) => void {
  let latest: ToldProgress | undefined;
  let toldAt = -Infinity;
  let isDue = false;
  const tell = (): void => {
    isDue = false;
    if (!latest) return;
    toldAt = clock.now();
    const message = oneLine(mask(stripInvisible(latest.message ?? '').text), MAX_MESSAGE);
    feed({ kind: 'progress', conversationId, callId, fraction: fractionOf(latest), message });
  };
  return (told) => {
    latest = told;
    if (isDue) return;
    isDue = true;
    clock.after(Math.max(0, toldAt + GAP_MS - clock.now()), tell);
  };
}

function fractionOf({ progress, total }: ToldProgress): number | null {
  if (total === undefined || !(total > 0) || !Number.isFinite(total) || !Number.isFinite(progress)) return null;
  return Math.min(1, Math.max(0, progress / total));
}
