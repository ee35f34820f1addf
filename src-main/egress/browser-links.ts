import { HANDED_OVER, type Route } from '../../src-shared/egress/egress.schema';
import { BROWSER_LINK_ROUTE_ID } from '../../src-shared/egress/route-table';
import { checkEndpoint } from '../../src-shared/servers/endpoint-rule';
import type { Ledger, RequestFacts } from './ledger';

export interface BrowserLinkParts {
  ledger: Pick<Ledger, 'recordAttempt' | 'recordResult' | 'recordRefused'>;
  routes(): readonly Route[];
  /** Which address is open is another one now. */
  changed(): void;
  /** Hands an address to the system's browser; false when it could not. */
  handOver(address: string): Promise<boolean>;
}

/** The way to the browser of the system: open for one address at a time, and in the ledger by its host (P1, P4). */
export class BrowserLinks {
  readonly #parts: BrowserLinkParts;
  #opening: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: BrowserLinkParts) {
    this.#parts = parts;
  }

  /** The origin that the route is open for; undefined while it is closed. */
  opening(): string | undefined {
    return this.#opening;
  }

  /**
   * Hands over an address that a person saw whole and said yes to: https, or http on this computer (K2).
   * False when it breaks that rule, when the route is not open for it, when it cannot be recorded, or when no browser took it.
   */
  open(address: string, conversation: string | null = null): Promise<boolean> {
    const opened = this.#last.then(() => this.#open(address, conversation));
    this.#last = opened.catch(() => undefined);
    return opened;
  }

  async #open(address: string, conversation: string | null): Promise<boolean> {
    // A fragment stays in the browser, so the rule for servers' addresses is asked about the rest.
    const checked = checkEndpoint(address.split('#', 1)[0] ?? '');
    if (!checked.ok || /[\s\p{Cc}]/u.test(address)) return false;
    this.#opening = checked.value.url.origin;
    this.#parts.changed();
    try {
      return await this.#handOver(new URL(address), conversation);
    } finally {
      this.#opening = undefined;
      this.#parts.changed();
    }
  }

  async #handOver({ host, href }: URL, conversation: string | null): Promise<boolean> {
    const { ledger, routes, handOver } = this.#parts;
    const facts = { routeId: BROWSER_LINK_ROUTE_ID, host, method: HANDED_OVER, conversation };
    const route = routes().find(({ id }) => id === BROWSER_LINK_ROUTE_ID);
    if (!route?.on || route.where !== host) {
      ledger.recordRefused(facts);
      return false;
    }
    const attempt = this.#record(facts);
    if (attempt === null) return false;
    const opened = await handOver(href);
    const outcome = opened ? 'answered' : 'failed';
    ledger.recordResult(attempt, { outcome, status: null, bytesOut: 0, bytesIn: 0, address: null });
    return opened;
  }

  /** Null where the ledger cannot be written: what it does not tell of does not happen. */
  #record(facts: RequestFacts): string | null {
    try {
      return this.#parts.ledger.recordAttempt(facts);
    } catch {
      return null;
    }
  }
}
