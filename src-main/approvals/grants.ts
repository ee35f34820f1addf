import type { GrantId } from '../../src-shared/approvals/grant.schema';
import type { Result } from '../../src-shared/base/result';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { ServerId } from '../../src-shared/servers/server.schema';
import type { ChatGrants, GrantFacts } from './chat-grants';
import type { GrantStore } from './grant-store';

/** What stands for a call before anyone is asked: grants of its chat, and lasting ones (A1). */
export class Grants {
  constructor(
    readonly ofChats: ChatGrants,
    readonly lasting: GrantStore,
  ) {}

  standing(facts: GrantFacts): 'always' | 'this-chat' | 'none' {
    if (this.lasting.covers(facts)) return 'always';
    return this.ofChats.covers(facts) ? 'this-chat' : 'none';
  }

  /** Counts a call that runs because of what stands, and says what that is. */
  use(facts: GrantFacts): string {
    if (this.standing(facts) === 'always') {
      this.lasting.noteUse(facts);
      return 'allowed always for this tool';
    }
    this.ofChats.noteUse(facts);
    return 'allowed in this chat';
  }

  /** Keeps an allowing answer as far as it reaches, and says in words after “you” what it was. The call it was for runs, kept or not. */
  remember(facts: GrantFacts, reach: 'once' | 'this-chat' | 'always'): string {
    switch (reach) {
      case 'once':
        return 'allowed it once';
      case 'this-chat':
        this.ofChats.allow(facts);
        return 'allowed it in this chat';
      case 'always':
        return this.lasting.allow(facts).ok ? 'allowed this tool always' : 'allowed it once, because “always” could not be saved';
    }
  }

  revoke(id: GrantId): Result<void, string> {
    this.ofChats.revoke(id);
    return this.lasting.revoke(id);
  }

  revokeAll(): Result<void, string> {
    this.ofChats.forgetAll();
    return this.lasting.forgetAll();
  }

  forgetConversation(id: ConversationId): void {
    this.ofChats.forgetConversation(id);
  }

  /** Turned off: what a chat allowed of it is over, and what is to last stands for when it is turned on again. */
  serverStopped(id: ServerId): void {
    this.ofChats.forgetServer(id);
  }

  /** Removed, or its approval taken back: nothing of it is allowed (S11, T4). */
  forgetServer(id: ServerId): Result<void, string> {
    this.ofChats.forgetServer(id);
    return this.lasting.forgetServer(id);
  }
}
