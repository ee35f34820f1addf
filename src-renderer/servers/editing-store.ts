import { create } from 'zustand';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { goTo } from '../app/navigation-store';

/** Which server's page shows the form instead of the facts. */
export const useEditing = create<{ id: ServerId | null }>(() => ({ id: null }));

export const stopEditing = (): void => useEditing.setState({ id: null });

export function openServer(id: ServerId): void {
  stopEditing();
  goTo({ screen: 'server', id });
}

export function editServer(id: ServerId): void {
  useEditing.setState({ id });
  goTo({ screen: 'server', id });
}
