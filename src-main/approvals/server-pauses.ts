import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { ServerId } from '../../src-shared/servers/server.schema';

/** So many refusals and silences of one server in one chat, and it is asked about no more until the person resumes it (A10). */
export const REFUSALS_BEFORE_PAUSE = 3;

/**
 * Counts for each chat and server, whatever the tool is called, so that a renamed retry is one more try. A yes in between
 * takes nothing back: a harmless call would buy a dangerous one its next three.
 */
export class ServerPauses {
  readonly #refusals = new Map<ConversationId, Map<ServerId, number>>();

  constructor(private readonly changed: () => void) {}

  refused(conversation: ConversationId, server: ServerId): void {
    const counts = this.#refusals.get(conversation) ?? new Map<ServerId, number>();
    counts.set(server, (counts.get(server) ?? 0) + 1);
    this.#refusals.set(conversation, counts);
    if (counts.get(server) === REFUSALS_BEFORE_PAUSE) this.changed();
  }

  isPaused(conversation: ConversationId, server: ServerId): boolean {
    return (this.#refusals.get(conversation)?.get(server) ?? 0) >= REFUSALS_BEFORE_PAUSE;
  }

  pausedIn(conversation: ConversationId): ServerId[] {
    return [...(this.#refusals.get(conversation)?.keys() ?? [])].filter((server) => this.isPaused(conversation, server));
  }

  /** The count begins anew. */
  resume(conversation: ConversationId, server: ServerId): void {
    if (this.#refusals.get(conversation)?.delete(server)) this.changed();
  }
}
