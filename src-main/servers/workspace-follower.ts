import type { Clock } from '../../src-shared/base/clock';
import { failed, type Result } from '../../src-shared/base/result';
import type { SecretRef } from '../../src-shared/servers/server.schema';
import {
  MAX_WORKSPACE_FILE_BYTES,
  readWorkspaceFile,
  WORKSPACE_FILES,
  type WorkspaceEntry,
} from '../../src-shared/servers/workspace-file';
import { followFiles } from '../workspace-files/follow-files';
import { readInside } from '../workspace-files/read-inside';
import { checkWorkspaceFolder, type OwnPlaces } from '../workspace-files/workspace-folder';
import type { SecretKeeper } from './draft-secrets';
import type { ServerStore } from './server-store';
import { followFile, sourceOf } from './workspace-entries';

/** A file that is not there or cannot be read is perhaps only being saved (S4). */
const RETRY_DELAYS_MS = [500, 500, 1_000];

export interface FollowerParts {
  folder: string;
  places: OwnPlaces;
  store: Pick<ServerStore, 'list' | 'rewrite'>;
  vault: SecretKeeper;
  clock: Clock;
  /** A file stands differently now. */
  changed(): void;
}

/** How one file stands: there or not, and what keeps its entries from being followed. */
export interface FileState {
  isThere: boolean;
  problem: string | null;
}

type Found = { kind: 'entries'; entries: readonly WorkspaceEntry[] } | { kind: 'absent' };

/** Keeps the store's entries of one workspace as its files say (S7, T3). */
export class WorkspaceFollower {
  readonly #parts: FollowerParts;
  readonly #states = new Map<string, FileState>();
  readonly #stopFollowing: () => void;
  #cancelRetry: () => void = () => undefined;
  #reading: Promise<void> = Promise.resolve();
  #stopped = false;
  /** Resolves when each file was read once. */
  readonly firstRead: Promise<void>;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#stopFollowing = followFiles(parts.folder, WORKSPACE_FILES, parts.clock, () => void this.#look(0));
    this.firstRead = this.#look(0);
  }

  /** Undefined while the file was not read. */
  stateOf(file: string): FileState | undefined {
    return this.#states.get(file);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelRetry();
    this.#stopFollowing();
  }

  #look(attempt: number): Promise<void> {
    this.#cancelRetry();
    this.#reading = this.#reading.then(() => this.#readAll(attempt));
    return this.#reading;
  }

  async #readAll(attempt: number): Promise<void> {
    const delay = RETRY_DELAYS_MS[attempt];
    let again = false;
    for (const file of WORKSPACE_FILES) again = (await this.#take(file, delay !== undefined)) || again;
    if (again && delay !== undefined && !this.#stopped) {
      this.#cancelRetry = this.#parts.clock.after(delay, () => void this.#look(attempt + 1));
    }
  }

  /** True for what can be different in a moment. What is given up leaves the entries as they are, unless the file is gone. */
  async #take(file: string, canRetry: boolean): Promise<boolean> {
    const found = await this.#find(file);
    if (this.#stopped) return false;
    if (!found.ok) {
      if (!canRetry) this.#stands(file, { isThere: true, problem: found.problem });
      return canRetry;
    }
    const isThere = found.value.kind === 'entries';
    // Missing alone is no reason to forget yet: some programs save by taking a file away first.
    if (!isThere && canRetry && this.#holdsEntriesOf(file)) return true;
    const followed = this.#follow(file, found.value.kind === 'entries' ? found.value.entries : []);
    this.#stands(file, { isThere, problem: followed.ok ? null : followed.problem });
    return !followed.ok && canRetry;
  }

  async #find(file: string): Promise<Result<Found, string>> {
    const { folder, places } = this.#parts;
    // Again and again: the list of open folders is a file that others can write.
    const root = await checkWorkspaceFolder(folder, places);
    if (!root.ok) return root;
    if (root.value !== folder) return failed('Its folder is a link now, so it was not read.');
    const read = await readInside(folder, file, MAX_WORKSPACE_FILE_BYTES);
    if (!read.ok) return read;
    if (read.value.kind === 'absent') return { ok: true, value: { kind: 'absent' } };
    const entries = readWorkspaceFile(read.value.text, folder);
    return entries.ok ? { ok: true, value: { kind: 'entries', entries: entries.value } } : entries;
  }

  #follow(file: string, found: readonly WorkspaceEntry[]): Result<void, string> {
    const { folder, store, vault, clock } = this.#parts;
    const saved: SecretRef[] = [];
    const save = (value: string): SecretRef => {
      const ref = vault.save(value);
      saved.push(ref);
      return ref;
    };
    const parts = { vault: { save, read: (ref: SecretRef) => vault.read(ref) }, now: clock.now() };
    const written = store.rewrite((entries) => followFile(entries, { folder, file, found }, parts));
    if (!written.ok) for (const ref of saved) vault.remove(ref);
    return written;
  }

  #holdsEntriesOf(file: string): boolean {
    return this.#parts.store.list().some((stored) => {
      const source = sourceOf(stored);
      return source.kind === 'workspace' && source.folder === this.#parts.folder && source.file === file;
    });
  }

  #stands(file: string, state: FileState): void {
    const before = this.#states.get(file);
    this.#states.set(file, state);
    if (before?.isThere !== state.isThere || before.problem !== state.problem) this.#parts.changed();
  }
}
