import { create } from 'zustand';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { ImportPreview } from '../../src-shared/servers/import.schema';
import type { ServerId } from '../../src-shared/servers/server.schema';
import type { ShellView } from '../../src-shared/settings/shell.schema';

export type Place =
  | { screen: 'chat' }
  | { screen: 'run-a-tool' }
  | { screen: 'servers' }
  | { screen: 'add-server'; text: string }
  | { screen: 'import-servers'; preview: ImportPreview }
  | { screen: 'server'; id: ServerId }
  | { screen: 'models'; adding: boolean }
  | { screen: 'grants' }
  | { screen: 'privacy' };

export interface NavigationState {
  place: Place;
  /** The conversation in view; null is a chat that does not exist until something is said in it. */
  conversation: ConversationId | null;
  /** One more for each new chat somebody asked for, so that it can be written in at once. */
  newChats: number;
}

export const useNavigation = create<NavigationState>(() => ({ place: { screen: 'chat' }, conversation: null, newChats: 0 }));

export const isSettings = (place: Place): boolean => place.screen !== 'chat' && place.screen !== 'run-a-tool';

export const goTo = (place: Place): void => useNavigation.setState({ place });

export const openConversation = (conversation: ConversationId | null): void =>
  useNavigation.setState(({ newChats }) => ({
    place: { screen: 'chat' },
    conversation,
    newChats: conversation === null ? newChats + 1 : newChats,
  }));

/** Keeps the screen and changes only which conversation it belongs to. */
export const adoptConversation = (conversation: ConversationId): void => useNavigation.setState({ conversation });

export type Destination = NonNullable<ShellView['goTo']>['screen'];

/** A menu entry or a key names a destination; this is where it leads. */
export function goToDestination(destination: Destination): void {
  switch (destination) {
    case 'new-chat':
      return openConversation(null);
    case 'models':
      return goTo({ screen: 'models', adding: false });
    default:
      return goTo({ screen: destination });
  }
}
