import type { Clock } from '../../src-shared/base/clock';
import type { Connection } from './mcp-session-connect';

const REFRESH_GAP_MS = 1000;
const FIRST_LISTEN_DELAY_MS = 1000;
const MAX_LISTEN_DELAY_MS = 60_000;
/** A server that says it tells changes and then never does is not asked for ever. */
const MAX_FAILURES_IN_A_ROW = 5;

type ListenFilter = Parameters<Connection['client']['listen']>[0];

/** What of a server's lists changed: its tools, or what the user can attach. */
export type ChangedList = 'tools' | 'attachables';

export interface ChangeWatchParts {
  clock: Clock;
  discoveryTimeoutMs: number;
  tell(changed: ChangedList): void;
}

/** Hears a server say that its lists changed, and passes it on at most once a second for each (R3). */
export class ChangeWatch {
  readonly #due = new Map<ChangedList, () => void>();
  readonly #toldAt = new Map<ChangedList, number>();
  #stopped = false;
  #endPause: (() => void) | undefined;

  constructor(private readonly parts: ChangeWatchParts) {}

  /** Follows a connection until it ends or the watch is stopped. */
  follow(connection: Connection): void {
    const { client, era } = connection;
    client.setNotificationHandler('notifications/tools/list_changed', () => this.changed('tools'));
    client.setNotificationHandler('notifications/resources/list_changed', () => this.changed('attachables'));
    client.setNotificationHandler('notifications/prompts/list_changed', () => this.changed('attachables'));
    const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
    const filter = {
      ...(tools?.listChanged ? { toolsListChanged: true } : {}),
      ...(resources?.listChanged ? { resourcesListChanged: true } : {}),
      ...(prompts?.listChanged ? { promptsListChanged: true } : {}),
    };
    if (era === 'modern' && Object.keys(filter).length > 0) void this.#listen(connection, filter);
  }

  changed(list: ChangedList): void {
    if (this.#stopped || this.#due.has(list)) return;
    const { clock, tell } = this.parts;
    const wait = Math.max(0, (this.#toldAt.get(list) ?? -Infinity) + REFRESH_GAP_MS - clock.now());
    const cancel = clock.after(wait, () => {
      this.#due.delete(list);
      this.#toldAt.set(list, clock.now());
      tell(list);
    });
    this.#due.set(list, cancel);
  }

  stop(): void {
    this.#stopped = true;
    for (const cancel of this.#due.values()) cancel();
    this.#due.clear();
    this.#endPause?.();
  }

  /**
   * The stateless era tells changes on a stream of its own, which nobody re-opens but us. What changed while there was none
   * is told when it is open again; the time between two tries grows, however often the server ends it (X24).
   */
  async #listen({ client, wire }: Connection, filter: ListenFilter): Promise<void> {
    const { clock, discoveryTimeoutMs } = this.parts;
    let failures = 0;
    let missedSome = false;
    for (let delay = FIRST_LISTEN_DELAY_MS; !this.#stopped && !wire.lost; delay = Math.min(delay * 2, MAX_LISTEN_DELAY_MS)) {
      const openedAt = clock.now();
      try {
        const subscription = await client.listen(filter, { timeout: discoveryTimeoutMs });
        failures = 0;
        if (missedSome) this.#changedWhileDeaf(filter);
        if ((await subscription.closed) === 'local') return;
      } catch {
        // A server that cannot tell changes still works.
        failures += 1;
        if (failures > MAX_FAILURES_IN_A_ROW) return;
      }
      missedSome = true;
      if (clock.now() - openedAt > MAX_LISTEN_DELAY_MS) delay = FIRST_LISTEN_DELAY_MS;
      await this.#pause(delay);
    }
  }

  #changedWhileDeaf({ toolsListChanged, resourcesListChanged, promptsListChanged }: ListenFilter): void {
    if (toolsListChanged) this.changed('tools');
    if (resourcesListChanged || promptsListChanged) this.changed('attachables');
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.parts.clock.after(ms, resolve);
      this.#endPause = () => {
        cancel();
        resolve();
      };
    });
  }
}
