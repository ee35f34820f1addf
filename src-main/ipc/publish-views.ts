import type { Clock } from '../../src-shared/base/clock';
import { contract, type FeedName, type FeedValue, type ViewName, type ViewValue } from '../../src-shared/ipc/contract';

/** At most one send of a view in this time: a storm of changes costs the window ten renders a second. */
export const COALESCE_MS = 100;

export type WindowMessage = { view: string; value: unknown } | { feed: string; value: unknown };

/** Sends whole current values to the window, each checked against the contract first. */
export class ViewPublisher {
  readonly #sources = new Map<ViewName, () => unknown>();
  readonly #due = new Set<ViewName>();
  #cancel: (() => void) | null = null;
  #listening = false;

  constructor(
    private readonly clock: Clock,
    private readonly send: (message: WindowMessage) => void,
  ) {}

  /** Names the one source of a view. Asking for the value is left until it is sent. */
  publish<N extends ViewName>(view: N, read: () => ViewValue<N>): void {
    if (this.#sources.has(view)) throw new Error(`The view ${view} has a publisher already.`);
    this.#sources.set(view, read);
  }

  /** Says that a view's value is another one now. */
  changed(view: ViewName): void {
    if (!this.#listening) return;
    this.#due.add(view);
    this.#cancel ??= this.clock.after(COALESCE_MS, () => this.#flush());
  }

  /** A window has (re)loaded and knows nothing yet. */
  windowReady(): void {
    this.#listening = true;
    for (const view of this.#sources.keys()) this.#due.add(view);
    this.#flush();
  }

  windowGone(): void {
    this.#listening = false;
    this.#due.clear();
  }

  feed<N extends FeedName>(feed: N, value: FeedValue<N>): void {
    if (this.#listening) this.send({ feed, value: contract.feeds[feed].parse(value) });
  }

  #flush(): void {
    this.#cancel?.();
    this.#cancel = null;
    const due = [...this.#due];
    this.#due.clear();
    const faults: unknown[] = [];
    for (const view of due) {
      const read = this.#sources.get(view);
      try {
        if (read) this.send({ view, value: contract.views[view].parse(read()) });
      } catch (fault) {
        // One view that cannot be told must not keep the others back: a question that waits is among them.
        faults.push(fault);
      }
    }
    if (faults.length > 0) throw new AggregateError(faults, 'A view could not be published.');
  }
}
