import type { GrantId } from '../../src-shared/approvals/grant.schema';
import type { Clock } from '../../src-shared/base/clock';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { grantIdFrom, type LastingFacts } from './grant-store';

/** What one "in this chat" covers: one tool of one server for one kind of caller, as it was when allowed (A1). */
export interface GrantFacts extends LastingFacts {
  conversationId: ConversationId;
}

/** One grant of a chat, with what came of it. */
export interface ChatGrant extends GrantFacts {
  id: GrantId;
  madeAt: number;
  lastUsedAt: number | null;
  uses: number;
}

/** Grants that live as long as the chat is open in this run. They are never written down. */
export class ChatGrants {
  readonly #grants = new Map<string, ChatGrant>();

  constructor(private readonly parts: { clock: Pick<Clock, 'now'>; changed(): void }) {}

  allow(facts: GrantFacts): void {
    const key = keyOf(facts);
    this.#grants.set(key, { ...facts, id: grantIdFrom(key), madeAt: this.parts.clock.now(), lastUsedAt: null, uses: 0 });
    this.parts.changed();
  }

  covers(facts: GrantFacts): boolean {
    return this.#grants.has(keyOf(facts));
  }

  /** Counts one call that it let through. */
  noteUse(facts: GrantFacts): void {
    const grant = this.#grants.get(keyOf(facts));
    if (!grant) return;
    grant.uses += 1;
    grant.lastUsedAt = this.parts.clock.now();
    this.parts.changed();
  }

  list(): readonly ChatGrant[] {
    return [...this.#grants.values()];
  }

  revoke(id: GrantId): void {
    this.#forget((grant) => grant.id === id);
  }

  forgetConversation(id: ConversationId): void {
    this.#forget((grant) => grant.conversationId === id);
  }

  forgetServer(id: ServerId): void {
    this.#forget((grant) => grant.serverId === id);
  }

  forgetAll(): void {
    this.#forget(() => true);
  }

  #forget(matches: (grant: ChatGrant) => boolean): void {
    const before = this.#grants.size;
    for (const [key, grant] of this.#grants) if (matches(grant)) this.#grants.delete(key);
    if (this.#grants.size !== before) this.parts.changed();
  }
}

// An array, so that no field's text can pass for the border between two.
function keyOf(facts: GrantFacts): string {
  return JSON.stringify([facts.conversationId, facts.caller, facts.serverId, facts.rawName, facts.fingerprint, facts.definition]);
}
