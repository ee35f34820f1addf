import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../src-shared/base/clock';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { idOfStored } from '../../src-shared/servers/server-rows';
import type { ServerConfig, ServerId, ServerSource } from '../../src-shared/servers/server.schema';
import { WORKSPACE_FILES } from '../../src-shared/servers/workspace-file';
import type { WorkspaceRow } from '../../src-shared/servers/workspace.schema';
import { type JsonDocument, openJsonDocument } from '../storage/json-document';
import { LiveDocument } from '../storage/live-document';
import { checkWorkspaceFolder, type OwnPlaces } from '../workspace-files/workspace-folder';
import type { SecretKeeper } from './draft-secrets';
import type { ServerStore } from './server-store';
import type { TrustStore } from './trust-store';
import { sourceOf, sourceOfEntry } from './workspace-entries';
import { WorkspaceFollower } from './workspace-follower';

const MAX_FOLDERS = 20;
const WorkspacesFileSchema = z.object({
  version: z.literal(1),
  folders: z.array(z.object({ folder: z.string().min(1).max(4096), openedAt: z.number() })).max(1000),
});
type WorkspacesFile = z.infer<typeof WorkspacesFileSchema>;
const EMPTY: WorkspacesFile = { version: 1, folders: [] };

export const openWorkspacesFile = (folder: string): JsonDocument<WorkspacesFile> =>
  openJsonDocument({ file: join(folder, 'workspaces.json'), schema: WorkspacesFileSchema, empty: EMPTY });

export interface WorkspacesParts {
  places: OwnPlaces;
  document: JsonDocument<WorkspacesFile>;
  store: Pick<ServerStore, 'list' | 'rewrite' | 'problem' | 'onChange'>;
  vault: SecretKeeper;
  trust: Pick<TrustStore, 'isRouteOn' | 'setRouteOn'>;
  /** Stops a server and forgets its approval (T4). */
  revokeServer(id: ServerId): string | null;
  clock: Clock;
  changed(): void;
}

/** The key of a folder's sealed switch in the trust store. No id of a server or model holds a blank or a slash. */
const trustKey = (folder: string): string => `workspace ${folder}`;

/** The folders the person opened, and the servers that their files list: off, and not even looked at before the folder is trusted (T3). */
export class Workspaces {
  readonly #parts: WorkspacesParts;
  readonly #live: LiveDocument<WorkspacesFile>;
  readonly #followers = new Map<string, WorkspaceFollower>();

  constructor(parts: WorkspacesParts) {
    this.#parts = parts;
    this.#live = new LiveDocument({ document: parts.document, empty: EMPTY, clock: parts.clock });
    this.#live.onChange(() => void this.#follow());
    parts.store.onChange(() => void this.#dropStrays());
  }

  /** Begins to follow the files; resolves when each was read once. Starts and contacts nothing. */
  start(): Promise<void> {
    return this.#follow();
  }

  async open(path: string): Promise<Result<string, string>> {
    const checked = await checkWorkspaceFolder(path, this.#parts.places);
    if (!checked.ok) return checked;
    const folder = checked.value;
    if (this.#folders().length >= MAX_FOLDERS) return failed(`${MAX_FOLDERS} folders are open. Close one of them first.`);
    const opened = this.#live.update((file) => {
      if (file.folders.some((open) => open.folder === folder)) return file;
      return { ...file, folders: [...file.folders, { folder, openedAt: this.#parts.clock.now() }] };
    });
    if (!opened.ok) return opened;
    await this.#follow();
    return ok(folder);
  }

  /** Its servers are stopped and forgotten with it (S11). */
  close(folder: string): Result<void, string> {
    const untrusted = this.#parts.trust.setRouteOn(trustKey(folder), false);
    if (!untrusted.ok) return untrusted;
    const closed = this.#live.update((file) => ({ ...file, folders: file.folders.filter((open) => open.folder !== folder) }));
    if (!closed.ok) return closed;
    return this.#dropStrays();
  }

  /** From now on what its files list can be reviewed, one launch at a time. */
  trust(folder: string): Result<void, string> {
    if (!this.#folders().includes(folder)) return failed('This folder is not open any more. Open it again first.');
    return this.#parts.trust.setRouteOn(trustKey(folder), true);
  }

  /** Every server of the folder stops, and asks before it starts again (T4). */
  revoke(folder: string): Result<void, string> {
    const untrusted = this.#parts.trust.setRouteOn(trustKey(folder), false);
    const problems = this.#serversOf(folder).flatMap(({ id }) => this.#parts.revokeServer(id) ?? []);
    return untrusted.ok && problems[0] !== undefined ? failed(problems[0]) : untrusted;
  }

  /** No folder is trusted, and every server of one stops (T4). */
  revokeAll(): Result<void, string> {
    const revoked = this.#folders().map((folder) => this.revoke(folder));
    return revoked.find(({ ok: worked }) => !worked) ?? ok(undefined);
  }

  isTrusted(folder: string): boolean {
    return this.#folders().includes(folder) && this.#parts.trust.isRouteOn(trustKey(folder));
  }

  /** Why nothing about this entry is worked out, let alone started; null when nothing stands against it (T3). */
  refusal({ source }: Pick<ServerConfig, 'source'>): string | null {
    if (source.kind !== 'workspace' || this.isTrusted(source.folder)) return null;
    return `It comes from the workspace ${source.folder}, which you have not trusted. Trust that folder first.`;
  }

  /** Why an entry whose file cannot be read now does not start anew; what runs keeps running (S4). */
  unread({ source }: Pick<ServerConfig, 'source'>): string | null {
    if (source.kind !== 'workspace') return null;
    const state = this.#followers.get(source.folder)?.stateOf(source.file ?? '');
    if (state === undefined) return 'Its workspace file is not read yet. Try again in a moment.';
    return state.problem === null ? null : `${source.file} of ${source.folder} is not what it was. ${state.problem}`;
  }

  rows(): WorkspaceRow[] {
    return this.#live.current.folders.map(({ folder, openedAt }) => {
      const servers = this.#serversOf(folder);
      const files = WORKSPACE_FILES.flatMap((file) => {
        const state = this.#followers.get(folder)?.stateOf(file);
        if (!state || (!state.isThere && state.problem === null)) return [];
        return [{ file, servers: servers.filter((server) => server.file === file).length, problem: state.problem }];
      });
      return { folder, openedAt, trusted: this.isTrusted(folder), files };
    });
  }

  problem(): string | null {
    return this.#live.problem;
  }

  end(): void {
    for (const follower of this.#followers.values()) follower.stop();
    this.#followers.clear();
    this.#live.close();
  }

  #folders(): string[] {
    return this.#live.current.folders.slice(0, MAX_FOLDERS).map(({ folder }) => folder);
  }

  #serversOf(folder: string): { id: ServerId; file: string | undefined }[] {
    return this.#parts.store.list().flatMap((stored) => {
      const source = sourceOf(stored);
      return source.kind === 'workspace' && source.folder === folder ? [{ id: idOfStored(stored), file: source.file }] : [];
    });
  }

  async #follow(): Promise<void> {
    const wanted = this.#folders();
    for (const [folder, follower] of this.#followers) {
      if (wanted.includes(folder)) continue;
      follower.stop();
      this.#followers.delete(folder);
    }
    const fresh = wanted.filter((folder) => !this.#followers.has(folder));
    for (const folder of fresh) this.#followers.set(folder, new WorkspaceFollower({ ...this.#parts, folder }));
    this.#dropStrays();
    this.#parts.changed();
    await Promise.all(wanted.map((folder) => this.#followers.get(folder)?.firstRead));
  }

  /** Entries of a folder that is not open, or of a file that is none of the three: nobody follows them. */
  #dropStrays(): Result<void, string> {
    const { store } = this.#parts;
    // A list that cannot be read closes nothing (S4).
    if (this.#live.problem !== null || store.problem() !== null) return ok(undefined);
    const open = this.#folders();
    const isStray = (source: ServerSource | null): boolean =>
      source?.kind === 'workspace' && !(open.includes(source.folder) && WORKSPACE_FILES.some((file) => file === source.file));
    if (!store.list().some((stored) => isStray(sourceOf(stored)))) return ok(undefined);
    return store.rewrite((entries) => entries.flatMap(({ raw }) => (isStray(sourceOfEntry(raw)) ? [] : [raw])));
  }
}
