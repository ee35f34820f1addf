import type { Clock } from '../../src-shared/base/clock';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { KeychainAnswerSchema, type KeychainAnswer, type KeychainQuestion } from './keychain-messages';

/** The system's keychain, reached through a process of its own, so that no crash or hang of it can touch the app (S5). */
export interface Keychain {
  /** Null means "no such item" or "locked": some keychains do not tell the two apart. */
  read(account: string): Promise<Result<string | null, 'unavailable'>>;
  write(account: string, value: string): Promise<Result<void, 'unavailable'>>;
  /** Ends the process now. The next question starts a new one. */
  end(): void;
}

/** A running keychain process, as seen from here. */
export interface KeychainChannel {
  post(message: KeychainQuestion): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, when the process is gone for whatever reason. */
  onEnd(listener: () => void): void;
  end(): void;
}

/** A keychain that has not answered by then is unavailable: some wait for a prompt that nobody can see. */
export const KEYCHAIN_TIMEOUT_MS = 5_000;
/** The process ends this long after its last answer. */
export const KEYCHAIN_IDLE_MS = 2_000;

type Question = KeychainQuestion extends infer Q ? (Q extends { id: number } ? Omit<Q, 'id'> : never) : never;

/** Talks to a keychain process that is started at need and ended when idle. */
export function openKeychain(parts: { start: () => KeychainChannel; clock: Clock }): Keychain {
  return new ProcessKeychain(parts.start, parts.clock);
}

class ProcessKeychain implements Keychain {
  readonly #start: () => KeychainChannel;
  readonly #clock: Clock;
  readonly #waiting = new Map<number, (answer: KeychainAnswer | null) => void>();
  #channel: KeychainChannel | undefined;
  #cancelIdle: (() => void) | undefined;
  #nextId = 1;

  constructor(start: () => KeychainChannel, clock: Clock) {
    this.#start = start;
    this.#clock = clock;
  }

  async read(account: string): Promise<Result<string | null, 'unavailable'>> {
    const answer = await this.#ask({ kind: 'read', account });
    return answer?.kind === 'read' ? ok(answer.value) : failed('unavailable');
  }

  async write(account: string, value: string): Promise<Result<void, 'unavailable'>> {
    const answer = await this.#ask({ kind: 'write', account, value });
    return answer?.kind === 'written' ? ok(undefined) : failed('unavailable');
  }

  end(): void {
    this.#cancelIdle?.();
    const channel = this.#channel;
    this.#channel = undefined;
    channel?.end();
    for (const settle of [...this.#waiting.values()]) settle(null);
  }

  /** Null when no answer came: the process did not start, crashed, hung or was ended. */
  #ask(question: Question): Promise<KeychainAnswer | null> {
    this.#cancelIdle?.();
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const cancelTimeout = this.#clock.after(KEYCHAIN_TIMEOUT_MS, () => this.end());
      this.#waiting.set(id, (answer) => {
        cancelTimeout();
        this.#waiting.delete(id);
        resolve(answer);
        if (this.#waiting.size === 0) this.#endWhenIdle();
      });
      try {
        this.#running().post({ ...question, id });
      } catch {
        this.end();
      }
    });
  }

  #running(): KeychainChannel {
    if (this.#channel) return this.#channel;
    const channel = this.#start();
    channel.onMessage((message) => {
      const answer = KeychainAnswerSchema.safeParse(message);
      if (answer.success && channel === this.#channel) this.#waiting.get(answer.data.id)?.(answer.data);
    });
    channel.onEnd(() => {
      if (channel === this.#channel) this.end();
    });
    this.#channel = channel;
    return channel;
  }

  #endWhenIdle(): void {
    this.#cancelIdle?.();
    if (this.#channel) this.#cancelIdle = this.#clock.after(KEYCHAIN_IDLE_MS, () => this.end());
  }
}
