import type { Clock } from '../../src-shared/base/clock';
import type { RouteId } from '../../src-shared/egress/egress.schema';
import { headerOf } from './bounded-stream';
import type { HttpAnswer, HttpAsk, HttpDoor } from './http-transport-door';
import { drain, follow } from './http-transport-waiting';
import { ExchangeError } from './session-problem';

const MAX_REDIRECTS = 5;
const DISCARD_BYTES = 64 * 1024;
const DISCARD_MS = 1000;

export interface OwnOriginParts {
  door: HttpDoor;
  routeId: RouteId;
  endpoint: string;
  clock: Clock;
  log: (line: string) => void;
}

/** The requests of one transport: to the origin of its server alone, each with an end. */
export class OwnOriginRequests {
  readonly #parts: OwnOriginParts;
  readonly #origin: string;
  readonly #open = new Set<AbortController>();
  readonly #discarding = new Set<() => void>();

  constructor(parts: OwnOriginParts) {
    this.#parts = parts;
    this.#origin = new URL(parts.endpoint).origin;
  }

  /** What ends one exchange: the transport's end, and any of the signals given. Call `end` when it is over. */
  begin(...signals: (AbortSignal | undefined)[]): { abort: AbortController; end(): void } {
    const abort = new AbortController();
    this.#open.add(abort);
    const unlink = signals.map((signal) => follow(abort, signal));
    return {
      abort,
      end: () => {
        for (const each of unlink) each();
        this.#open.delete(abort);
      },
    };
  }

  /** Follows redirects within the server's own origin, method kept; elsewhere nothing is sent (E5). */
  async ask(url: string, ask: HttpAsk, conversation?: string): Promise<HttpAnswer> {
    let target = url;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const answer = await this.#parts.door.request(this.#parts.routeId, target, {
        ...ask,
        ...(conversation === undefined ? {} : { conversation }),
      });
      if (![301, 302, 307, 308].includes(answer.status)) return answer;
      this.discard(answer);
      const location = headerOf(answer.headers, 'location');
      if (location === undefined || !URL.canParse(location, target)) throw new ExchangeError('redirected', 'nowhere');
      const next = new URL(location, target);
      if (next.origin !== this.#origin) {
        this.#parts.log(`It redirects to ${next.origin}, which was not followed.`);
        throw new ExchangeError('redirected');
      }
      next.hash = '';
      target = next.href;
    }
    throw new ExchangeError('redirected', 'itself');
  }

  /** Lets a short rest run out, so that the socket can be used again; a long or slow one is cut. */
  discard(answer: HttpAnswer, chunks = answer.body[Symbol.asyncIterator]()): void {
    const drop = (): void => answer.destroy();
    this.#discarding.add(drop);
    const cancel = this.#parts.clock.after(DISCARD_MS, drop);
    void drain(chunks, DISCARD_BYTES, drop).finally(() => {
      cancel();
      this.#discarding.delete(drop);
    });
  }

  /** Ends every exchange and stream at once. */
  endAll(): void {
    for (const abort of [...this.#open]) abort.abort();
    for (const drop of [...this.#discarding]) drop();
  }
}
