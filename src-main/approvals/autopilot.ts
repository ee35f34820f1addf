import type { ConversationId } from '../../src-shared/conversations/conversation.schema';

/**
 * The chats in which the app's own tools skip their questions (A4). Kept for this run only: a file that said so
 * would let whoever can write it switch questions off (S10).
 */
export class Autopilot {
  readonly #on = new Set<ConversationId>();

  isOn(id: ConversationId): boolean {
    return this.#on.has(id);
  }

  set(id: ConversationId, on: boolean): void {
    if (on) this.#on.add(id);
    else this.#on.delete(id);
  }
}
