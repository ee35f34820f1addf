import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import { adoptConversation, useNavigation } from '../app/navigation-store';
import type { Act } from '../host/use-act';
import { openOnce } from './conversation-store';

/** The conversation in view, made now if there is none yet. Null when main could not make one; `act` says why. */
export async function ensureConversation(act: Act): Promise<ConversationId | null> {
  const { conversation } = useNavigation.getState();
  if (conversation) return conversation;
  const made = await act.run('conversations.create', {});
  if (!made.ok) return null;
  adoptConversation(made.value.id);
  openOnce(made.value.id);
  return made.value.id;
}
