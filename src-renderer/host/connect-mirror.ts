import type { ConversationFeed } from '../../src-shared/conversations/conversation.schema';
import type { ViewName } from '../../src-shared/ipc/contract';
import { EMPTY_MIRROR, useMirror, withView } from './mirror-store';
import type { HostMessage, HostPipe } from './host';

const isViewName = (name: string): name is ViewName => Object.hasOwn(EMPTY_MIRROR.views, name);

/** Writes every published view into the mirror, hands feeds on, then asks main to publish everything once. */
export function connectMirror(pipe: HostPipe, onConversation: (piece: ConversationFeed) => void): () => void {
  const disconnect = pipe.subscribe((message: HostMessage) => {
    if ('view' in message) {
      if (isViewName(message.view)) useMirror.setState((state) => withView(state, message.view, message.value));
      return;
    }
    if (message.feed === 'conversation') onConversation(message.value as ConversationFeed);
  });
  void pipe.call('shell.ready', {});
  return disconnect;
}
