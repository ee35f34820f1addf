import type { HttpAnswer } from './http-transport-door';
import { headerOf } from './bounded-stream';
import { SseReader } from './sse-reader';

const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;
const MAX_FAILURES_IN_A_ROW = 5;

export interface StandaloneStreamParts {
  open(lastEventId: string | undefined): Promise<HttpAnswer>;
  read(answer: HttpAnswer, reader: SseReader): Promise<void>;
  deliver(type: string, data: string): void;
  wait(ms: number): Promise<void>;
  isOpen(): boolean;
  capBytes: number;
  log: (line: string) => void;
}

/**
 * Keeps the server's own stream open while it is worth it. The delay between two tries grows,
 * and a stream that said nothing does not reset it, so a server cannot make a flood of requests.
 */
export async function readStandaloneStream(parts: StandaloneStreamParts): Promise<void> {
  let delay = FIRST_DELAY_MS;
  let failures = 0;
  let lastEventId: string | undefined;
  while (parts.isOpen()) {
    let events = 0;
    const reader = new SseReader({
      capBytes: parts.capBytes,
      onEvent: ({ type, data }) => {
        if (data !== '') events += 1;
        parts.deliver(type, data);
      },
    });
    try {
      const answer = await parts.open(lastEventId);
      if (answer.status !== 200 || !/^text\/event-stream\s*(?:;|$)/i.test(headerOf(answer.headers, 'content-type') ?? '')) {
        answer.destroy();
        return;
      }
      await parts.read(answer, reader);
      answer.destroy();
      failures = 0;
    } catch (error) {
      if (!parts.isOpen()) return;
      failures += 1;
      parts.log(
        error instanceof Error ? `The server's own stream broke off: ${error.message}` : 'The server’s own stream broke off.',
      );
      if (failures > MAX_FAILURES_IN_A_ROW) return;
    }
    lastEventId = reader.lastEventId ?? lastEventId;
    delay = events > 0 ? FIRST_DELAY_MS : Math.min(delay * 2, MAX_DELAY_MS);
    try {
      await parts.wait(Math.max(delay, reader.retryMs ?? 0));
    } catch {
      return;
    }
  }
}
