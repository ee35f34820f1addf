import type { JSONRPCMessage } from '@modelcontextprotocol/client';

const SUBSCRIPTION_ID_KEY = 'io.modelcontextprotocol/subscriptionId';
/** One is open at a time; a few more are remembered while they end. */
const MAX_REMEMBERED = 8;

/** Tells what belongs to a subscription of ours from what names another: on a program's pipe all of it arrives together (MCP 2026-07-28, subscriptions). */
export class OwnSubscriptions {
  readonly #ids = new Set<string | number>();

  /** Looks at what leaves: a subscription begins, or one is ended from this side. */
  sent(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if (message.method === 'subscriptions/listen' && 'id' in message) {
      this.#ids.add(message.id);
      const [oldest] = this.#ids;
      if (this.#ids.size > MAX_REMEMBERED && oldest !== undefined) this.#ids.delete(oldest);
    } else if (message.method === 'notifications/cancelled') {
      const ended = message.params?.['requestId'];
      if (typeof ended === 'string' || typeof ended === 'number') this.#ids.delete(ended);
    }
  }

  /** False for a notification of a subscription that is not, or no longer, ours. */
  admits(message: JSONRPCMessage): boolean {
    if (!('method' in message) || 'id' in message) return true;
    const id = message.params?._meta?.[SUBSCRIPTION_ID_KEY];
    return id === undefined || ((typeof id === 'string' || typeof id === 'number') && this.#ids.has(id));
  }
}
