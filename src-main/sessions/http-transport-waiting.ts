import type { Clock } from '../../src-shared/base/clock';
import { ExchangeError } from './session-problem';

/** Aborts one controller with another signal. The returned function ends that. */
export function follow(abort: AbortController, signal: AbortSignal | undefined): () => void {
  if (!signal) return () => undefined;
  const stop = (): void => abort.abort();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  return () => signal.removeEventListener('abort', stop);
}

/** Reads what is left of a body and drops it; more than the cap, or a break, is cut off. */
export async function drain(chunks: AsyncIterator<Buffer>, capBytes: number, drop: () => void): Promise<void> {
  try {
    for (let total = 0; total <= capBytes;) {
      const next = await chunks.next();
      if (next.done) return;
      total += next.value.length;
    }
    drop();
  } catch {
    drop();
  }
}

/** Waits by the clock; an abort ends the wait as a closed exchange. */
export function waitFor(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel();
      reject(new ExchangeError('closed'));
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
