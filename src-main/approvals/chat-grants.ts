import type { Digest } from '../../src-shared/base/digest.schema';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { ServerId } from '../../src-shared/servers/server.schema';
import type { CallerKind } from '../../src-shared/tools/tool.schema';

/** What one "in this chat" covers: one tool of one server for one kind of caller, as it was when allowed (A1). */
export interface GrantFacts {
  conversationId: ConversationId;
  caller: CallerKind;
  serverId: ServerId;
  rawName: string;
  fingerprint: string;
  definition: Digest;
}

/** Grants that live as long as the chat is open in this run. They are never written down. */
export class ChatGrants {
  readonly #grants = new Map<string, GrantFacts>();

  allow(facts: GrantFacts): void {
    this.#grants.set(keyOf(facts), facts);
  }

  covers(facts: GrantFacts): boolean {
    return this.#grants.has(keyOf(facts));
  }

  forgetConversation(id: ConversationId): void {
    this.#forget((grant) => grant.conversationId === id);
  }

  forgetServer(id: ServerId): void {
    this.#forget((grant) => grant.serverId === id);
  }

  #forget(matches: (grant: GrantFacts) => boolean): void {
    for (const [key, grant] of this.#grants) if (matches(grant)) this.#grants.delete(key);
  }
}

// An array, so that no field's text can pass for the border between two.
function keyOf(facts: GrantFacts): string {
  return JSON.stringify([facts.conversationId, facts.caller, facts.serverId, facts.rawName, facts.fingerprint, facts.definition]);
}
