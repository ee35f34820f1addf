import type { HttpAnswer } from './http-transport-door';
import { ExchangeError } from './session-problem';
import type { SseReader } from './sse-reader';

/** Feeds a stream to its reader until it ends, breaks or has said enough. Only a bound or our own abort is an error here. */
export async function readEvents(
  answer: HttpAnswer,
  chunks: AsyncIterator<Buffer>,
  reader: SseReader,
  enough: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    let next: IteratorResult<Buffer>;
    try {
      next = await chunks.next();
    } catch {
      if (signal.aborted) throw new ExchangeError('closed');
      return;
    }
    if (next.done) return;
    try {
      reader.push(next.value);
    } catch (error) {
      answer.destroy();
      throw error;
    }
    if (enough()) return;
  }
}
