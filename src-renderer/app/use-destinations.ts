import { useEffect } from 'react';
import { useShallow } from 'zustand/shallow';
import { useConversations } from '../chat/conversation-store';
import { host } from '../host/host';
import { useMirror, useView } from '../host/mirror-store';
import { shortcutOf, type Shortcut } from './keys';
import { goTo, goToDestination, useNavigation } from './navigation-store';

function follow(shortcut: Shortcut): void {
  if (shortcut === 'settings') return goTo({ screen: 'servers' });
  if (shortcut !== 'stop') return goToDestination(shortcut);
  const { conversation } = useNavigation.getState();
  if (conversation && useConversations.getState().open[conversation]) void host.call('chat.stop', { id: conversation });
}

/** Goes where the menu of the app and the keys of this window say. */
export function useDestinations(): void {
  // Main publishes the whole shell for other reasons too; only a new wish is followed.
  const asked = useView(
    'shell',
    useShallow((shell) => shell.goTo),
  );
  useEffect(() => {
    if (asked) goToDestination(asked.screen);
  }, [asked]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // A sheet is answered before anything else happens.
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
      const shortcut = shortcutOf(event, useMirror.getState().views.shell.platform);
      if (!shortcut) return;
      event.preventDefault();
      follow(shortcut);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
