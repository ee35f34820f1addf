import { randomUUID } from 'node:crypto';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { connectionForm } from '../../src-shared/servers/launch-rule';
import { suggestNamespace } from '../../src-shared/servers/namespace-rule';
import { type ListedServer, takenNamespaces } from '../../src-shared/servers/server-list';
import type { StoredServer } from '../../src-shared/servers/server-rows';
import {
  type Connection,
  ConnectionSchema,
  DEFAULT_LIMITS,
  type SecretRef,
  type ServerDraft,
  type ServerSource,
  ServerSourceSchema,
} from '../../src-shared/servers/server.schema';
import { toStoredConnection } from '../../src-shared/servers/stored-draft-rule';
import { WireChoiceSchema } from '../../src-shared/servers/wire-choice.schema';
import type { WorkspaceEntry } from '../../src-shared/servers/workspace-file';
import type { SecretKeeper } from './draft-secrets';

type WorkspaceSource = Extract<ServerSource, { kind: 'workspace' }>;
type Fields = Readonly<Record<string, unknown>>;

/** Where an entry as it stands in the store came from; null where it says nothing that this app writes. */
export function sourceOfEntry(raw: unknown): ServerSource | null {
  const source = ServerSourceSchema.safeParse(isFields(raw) ? raw['source'] : undefined);
  return source.success ? source.data : null;
}

export const sourceOf = (stored: StoredServer): ServerSource => (stored.kind === 'ok' ? stored.config.source : stored.source);

export interface FollowedFile {
  folder: string;
  file: string;
  found: readonly WorkspaceEntry[];
}

/**
 * The store's entries once they follow one file of a workspace: new ones off, with an id of their own; changed ones off until they
 * are reviewed again; those the file no longer holds taken out (S1, S3, S7, S11).
 */
export function followFile(
  entries: readonly ListedServer[],
  { folder, file, found }: FollowedFile,
  parts: { vault: Pick<SecretKeeper, 'save' | 'read'>; now: number },
): unknown[] {
  const byKey = new Map(found.map((entry) => [entry.key, entry]));
  const servers: unknown[] = [];
  const taken = takenNamespaces(entries.map(({ raw }) => raw));
  for (const { raw } of entries) {
    const source = sourceOfEntry(raw);
    if (!isFields(raw) || source?.kind !== 'workspace' || source.folder !== folder || source.file !== file) {
      servers.push(raw);
      continue;
    }
    // Each entry of the file has one in the store: whatever claims to be a second one goes.
    const entry = byKey.get(source.entry ?? '');
    if (entry === undefined) continue;
    byKey.delete(entry.key);
    servers.push(changed(raw, entry.draft, taken, parts.vault));
  }
  for (const { key, draft } of byKey.values()) {
    const source: WorkspaceSource = { kind: 'workspace', folder, file, entry: key };
    const fresh = { id: randomUUID(), name: key, enabled: false, source, addedAt: parts.now, limits: { ...DEFAULT_LIMITS } };
    const server = changed(fresh, draft, taken, parts.vault);
    if (typeof server['namespace'] === 'string') taken.push(server['namespace']);
    servers.push(server);
  }
  return servers;
}

function changed(
  raw: Fields,
  draft: Result<ServerDraft, string>,
  taken: readonly string[],
  vault: Pick<SecretKeeper, 'save' | 'read'>,
): Fields {
  const { refused: _before, ...kept } = raw;
  const before = ConnectionSchema.safeParse(raw['connection']).data ?? null;
  const made = draft.ok ? withSecretsSaved(draft.value, before, vault) : draft;
  if (!made.ok) return { ...kept, enabled: false, refused: made.problem };
  const { name, connection, wire } = made.value;
  const isSame = before !== null && connectionForm(before) === connectionForm(connection);
  const isSameWire = wire === undefined || WireChoiceSchema.safeParse(raw['wire']).data?.protocol === wire.protocol;
  return {
    ...kept,
    namespace: raw['namespace'] ?? suggestNamespace(name, taken),
    connection,
    enabled: raw['enabled'] === true && isSame && isSameWire,
    ...(!isSameWire && { wire }),
  };
}

/** A value that is the same keeps its reference; another one gets a new reference, so that it is asked about again (T2). */
function withSecretsSaved(
  draft: ServerDraft,
  before: Connection | null,
  vault: Pick<SecretKeeper, 'save' | 'read'>,
): Result<Omit<ServerDraft, 'connection'> & { connection: Connection }, string> {
  const save = (value: string, over: SecretRef | null): SecretRef => {
    const was = over === null ? null : vault.read(over);
    // Locked, it cannot be compared, and what is kept is what was reviewed.
    const isKept = was !== null && (was.ok ? was.value === value : was.problem === 'locked');
    return over !== null && isKept ? over : vault.save(value);
  };
  try {
    return ok({ ...draft, connection: toStoredConnection(draft.connection, before, save) });
  } catch (error) {
    return failed(error instanceof Error ? error.message : 'Its secrets could not be saved.');
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
