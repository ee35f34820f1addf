import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Clock } from '../../src-shared/base/clock';

/** Notifications of one kind that are passed on at once, and then in a second. */
const PACE = 100;
const SECOND_MS = 1000;
/** Of kinds beyond these, only the first ones are told apart: a server can name as many as it likes. */
const MAX_KINDS = 32;

interface Kind {
  left: number;
  since: number;
}

/**
 * Lets notifications through at a pace the protocol client can take: it needs twenty times as long for each as it takes to
 * read it, and a server sends a million of them as easily as one. Of a list that changed the last word is only late; of
 * everything else the surplus is dropped.
 */
export class NoteSieve {
  readonly #clock: Clock;
  readonly #kinds = new Map<string, Kind>();
  readonly #owed = new Map<string, () => void>();
  #dropped = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many were dropped. */
  get dropped(): number {
    return this.#dropped;
  }

  /** True when the message goes on now. `later` brings it when it is one whose last word counts. */
  admits(message: JSONRPCMessage, later: () => void): boolean {
    if (!('method' in message) || 'id' in message) return true;
    const { method } = message;
    const kind = this.#kindOf(method);
    if (kind.left === 0) {
      const now = this.#clock.now();
      if (now - kind.since >= SECOND_MS) Object.assign(kind, { left: PACE, since: now });
    }
    if (kind.left > 0) {
      kind.left -= 1;
      return true;
    }
    if (method.endsWith('/list_changed')) this.#owe(method, later);
    else this.#dropped += 1;
    return false;
  }

  /** Nothing is brought after this. */
  close(): void {
    for (const cancel of this.#owed.values()) cancel();
    this.#owed.clear();
  }

  #kindOf(method: string): Kind {
    const name = this.#kinds.has(method) || this.#kinds.size < MAX_KINDS ? method : '';
    const known = this.#kinds.get(name);
    if (known) return known;
    const kind = { left: PACE, since: this.#clock.now() };
    this.#kinds.set(name, kind);
    return kind;
  }

  #owe(method: string, later: () => void): void {
    if (this.#owed.has(method)) return;
    const bring = (): void => {
      this.#owed.delete(method);
      later();
    };
    this.#owed.set(method, this.#clock.after(SECOND_MS, bring));
  }
}
