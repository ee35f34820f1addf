import { create } from 'zustand';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { useMirror } from '../host/mirror-store';

interface Trusting {
  /** The folder a person is asked about; null while nobody is. */
  folder: string | null;
  /** The server to go on with after a yes; null when the folder alone was meant. */
  then: ServerId | null;
}

export const useTrusting = create<Trusting>(() => ({ folder: null, then: null }));

export const askTrust = (folder: string, then: ServerId | null): void => useTrusting.setState({ folder, then });
export const stopAsking = (): void => useTrusting.setState({ folder: null, then: null });

/** The folder that has to be trusted before this server can be reviewed; null when none has. Main decides it again (T3). */
export function untrustedFolder(id: ServerId): string | null {
  const { servers, workspaces } = useMirror.getState().views;
  const source = servers.find((server) => server.id === id)?.source;
  if (source?.kind !== 'workspace') return null;
  return workspaces.some(({ folder, trusted }) => folder === source.folder && trusted) ? null : source.folder;
}
