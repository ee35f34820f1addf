import { useMirror } from '../host/mirror-store';
import { openConversation } from './navigation-store';

/** Goes to the chat whose call has waited longest; its sheet shows there. Launch reviews and sign-ins show by themselves. */
export function reviewWaiting(): void {
  const request = useMirror.getState().views.approvals.find((waiting) => 'conversationId' in waiting);
  if (request && 'conversationId' in request && request.conversationId) openConversation(request.conversationId);
}
