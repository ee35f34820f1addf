import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../src-shared/base/clock';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { connectionForm } from '../../src-shared/servers/launch-rule';
import { NAMESPACE_ADVICE, suggestNamespace } from '../../src-shared/servers/namespace-rule';
import { decodeServer } from '../../src-shared/servers/server-decoder';
import { type ListedServer, listServers, takenNamespaces } from '../../src-shared/servers/server-list';
import { idOfStored, type StoredServer } from '../../src-shared/servers/server-rows';
import {
  type Connection,
  DEFAULT_LIMITS,
  type SecretRef,
  type ServerDraft,
  type ServerId,
  ServerIdSchema,
  type ServerLimits,
  ServerLimitsSchema,
  type ServerSource,
} from '../../src-shared/servers/server.schema';
import { type WireChoice, WireChoiceSchema } from '../../src-shared/servers/wire-choice.schema';
import { refsIn } from '../../src-shared/servers/stored-draft-rule';
import { type JsonDocument, openJsonDocument } from '../storage/json-document';
import { LiveDocument } from '../storage/live-document';
import { checkDraft, freeNamespace } from './draft-rules';
import { DraftSecrets, type SecretKeeper } from './draft-secrets';
import { GoneEntries, refsAnywhere } from './gone-entries';
import { sourceOf } from './workspace-entries';

/** Loose on purpose: what this version does not know stays in the file. */
export const ServersFileSchema = z.looseObject({ version: z.literal(1), servers: z.array(z.unknown()) });
export type ServersFile = z.infer<typeof ServersFileSchema>;
export const EMPTY_SERVERS_FILE: ServersFile = { version: 1, servers: [] };

export const openServersFile = (folder: string): JsonDocument<ServersFile> =>
  openJsonDocument({ file: join(folder, 'servers.json'), schema: ServersFileSchema, empty: EMPTY_SERVERS_FILE });

const GONE = 'That server was removed.';
const NOT_ITS_OWN = 'Enter the secret again: a saved secret belongs to the server it was saved for.';

type Decision<T> = Result<{ servers: unknown[]; value: T }, string>;

/** The user's servers, as they stand in servers.json. Whoever adds or changes one meets the same rules (S2). */
export class ServerStore {
  readonly #live: LiveDocument<ServersFile>;
  readonly #vault: SecretKeeper;
  readonly #clock: Clock;
  readonly #removed = new Set<(id: ServerId) => void>();
  readonly #secretsReplaced = new Set<(id: ServerId) => void>();
  readonly #gone: GoneEntries;
  #listed: { from: ServersFile; entries: readonly ListedServer[] } | null = null;

  constructor(parts: { document: JsonDocument<ServersFile>; vault: SecretKeeper; clock: Clock }) {
    this.#live = new LiveDocument({ document: parts.document, empty: EMPTY_SERVERS_FILE, clock: parts.clock });
    this.#vault = parts.vault;
    this.#clock = parts.clock;
    this.#gone = new GoneEntries({
      clock: parts.clock,
      read: () => (this.#live.problem === null ? this.#live.current.servers : null),
      forget: ({ ids, refs }) => {
        for (const ref of refs) this.#vault.remove(ref);
        for (const id of ids) for (const listener of [...this.#removed]) listener(id);
      },
    });
    this.#live.onChange(() => this.#gone.soon());
  }

  list(): readonly StoredServer[] {
    return this.#entries().map(({ stored }) => stored);
  }

  get(id: ServerId): StoredServer | null {
    return this.list().find((stored) => idOfStored(stored) === id) ?? null;
  }

  /** Short names in use, those of refused entries too. */
  takenNamespaces(): readonly string[] {
    return takenNamespaces(this.#live.current.servers);
  }

  /** One sentence for the banner while the file cannot be read; meanwhile nothing new is to start (S4). */
  problem(): string | null {
    return this.#live.problem;
  }

  onChange(listener: () => void): () => void {
    return this.#live.onChange(listener);
  }

  /** Called once a server is out of the file, whoever took it out, so that everything kept under its id can be forgotten (S11). */
  onRemoved(listener: (id: ServerId) => void): () => void {
    this.#removed.add(listener);
    return () => void this.#removed.delete(listener);
  }

  /** Ids that something is kept under from an earlier run: what left the file while nobody looked is forgotten now (S11). */
  expectEntries(ids: readonly ServerId[]): void {
    this.#gone.soon(ids);
  }

  /** Called once a secret has another value behind the same reference: what runs with the old one is to start anew (T2). */
  onSecretsReplaced(listener: (id: ServerId) => void): () => void {
    this.#secretsReplaced.add(listener);
    return () => void this.#secretsReplaced.delete(listener);
  }

  /** The new server is off, whatever the draft says (S1). */
  add(draft: ServerDraft, source: ServerSource): Result<ServerId, string> {
    const checked = checkDraft(draft);
    if (!checked.ok) return checked;
    const { name, namespace, wire, connection: wanted } = checked.value;
    if (refsIn(wanted).length > 0) return failed(NOT_ITS_OWN);
    const id = ServerIdSchema.parse(randomUUID());
    const secrets = new DraftSecrets(this.#vault);
    return secrets.settle(
      this.#change((entries) => {
        const raws = entries.map(({ raw }) => raw);
        const taken = takenNamespaces(raws);
        const free = freeNamespace(namespace ?? suggestNamespace(name, taken), taken);
        if (!free.ok) return free;
        const connection = secrets.store(wanted, null);
        if (!connection.ok) return connection;
        const entry = {
          id,
          name,
          namespace: free.value,
          connection: connection.value,
          enabled: false,
          source,
          addedAt: this.#clock.now(),
          limits: { ...DEFAULT_LIMITS },
          ...(wire ? { wire } : {}),
        };
        return accept(entry, [...raws, entry], id);
      }),
    );
  }

  /**
   * Never turns a server on, and turns it off only when what was consented to changed, which the value of a secret is not (S3, T2).
   * A refused edit changes nothing.
   */
  update(id: ServerId, draft: ServerDraft): Result<void, string> {
    const checked = checkDraft(draft);
    if (!checked.ok) return checked;
    const { name, namespace, connection: wanted } = checked.value;
    const secrets = new DraftSecrets(this.#vault);
    const written = secrets.settle(
      this.#changeEntry(id, ({ alone: before, stored }, others) => {
        const own: SecretRef[] = before ? refsIn(before.connection) : [];
        if (refsIn(wanted).some((ref) => !own.includes(ref))) return failed(NOT_ITS_OWN);
        const named = namespace === undefined ? ok(undefined) : freeNamespace(namespace, takenNamespaces(others));
        if (!named.ok) return named;
        // A refused entry's secrets can be those of another entry too.
        const connection = secrets.store(wanted, stored.kind === 'ok' ? stored.config.connection : null);
        if (!connection.ok) return connection;
        const followed = refuseOverFile(stored, connection.value);
        if (!followed.ok) return followed;
        const enabled =
          before !== null && before.enabled && connectionForm(before.connection) === connectionForm(connection.value);
        return ok({
          name,
          connection: connection.value,
          enabled,
          ...(named.value === undefined ? {} : { namespace: named.value }),
        });
      }),
    );
    if (written.ok && secrets.replacedAny) for (const listener of [...this.#secretsReplaced]) listener(id);
    return written;
  }

  /** Takes the entry out of the file, with its secrets. */
  remove(id: ServerId): Result<void, string> {
    const removed = this.#change((entries) => {
      const source = entries.flatMap(({ stored }) => (idOfStored(stored) === id ? [sourceOf(stored)] : []))[0];
      if (source?.kind === 'workspace') return failed(`It stands in ${fileOf(source)}. Take it out there, or close that folder.`);
      const rest = entries.filter(({ stored }) => idOfStored(stored) !== id);
      return rest.length === entries.length ? failed(GONE) : ok({ servers: rest.map(({ raw }) => raw), value: undefined });
    });
    if (removed.ok) this.#gone.now();
    return removed;
  }

  /** Adds, changes and takes out entries that follow a file of someone else, in one step (S7, T3). */
  rewrite(decide: (entries: readonly ListedServer[]) => unknown[]): Result<void, string> {
    const written = this.#change((entries) => ok({ servers: decide(entries), value: undefined }));
    if (written.ok) this.#gone.now();
    return written;
  }

  /** The user's intent. By itself it turns nothing on: the review and the sealed switch stand beside it (S10). */
  setEnabled(id: ServerId, enabled: boolean): Result<void, string> {
    return this.#changeEntry(id, ({ stored }) => {
      if (enabled && stored.kind === 'refused') return failed(stored.reason);
      if (enabled && stored.kind === 'ok' && stored.config.namespace === null) return failed(NAMESPACE_ADVICE.empty);
      return ok({ enabled });
    });
  }

  setLimits(id: ServerId, limits: ServerLimits): Result<void, string> {
    return this.#changeEntry(id, () => ok({ limits: ServerLimitsSchema.parse(limits) }));
  }

  /** Turns it off only when the transport is another one, which is part of what was approved; the era is not (S3, T2). */
  setWire(id: ServerId, wire: WireChoice): Result<void, string> {
    return this.#changeEntry(id, ({ alone }) => {
      const isSameTransport = (alone?.wire?.protocol ?? 'auto') === wire.protocol;
      return ok({ wire: WireChoiceSchema.parse(wire), ...(isSameTransport ? {} : { enabled: false }) });
    });
  }

  close(): void {
    this.#gone.close();
    this.#live.close();
  }

  #entries(): readonly ListedServer[] {
    const from = this.#live.current;
    if (this.#listed?.from !== from) this.#listed = { from, entries: listServers(from.servers) };
    return this.#listed.entries;
  }

  #changeEntry(
    id: ServerId,
    decide: (entry: ListedServer, others: readonly unknown[]) => Result<Record<string, unknown>, string>,
  ): Result<void, string> {
    return this.#change((entries) => {
      const entry = entries.find(({ stored }) => idOfStored(stored) === id);
      if (!entry) return failed(GONE);
      // Only an id that the entry carries itself says which of two look-alikes is meant.
      if (typeof entry.raw !== 'object' || entry.raw === null || !('id' in entry.raw) || entry.raw.id !== id) {
        return failed('This entry cannot be changed here. Remove it, then add the server again.');
      }
      const others = entries.flatMap((other) => (other === entry ? [] : [other.raw]));
      const fields = decide(entry, others);
      if (!fields.ok) return fields;
      // Merged over the entry as it stands now, so that what this version does not know is kept (S4).
      const next = { ...entry.raw, ...fields.value };
      const servers = entries.map((other) => (other === entry ? next : other.raw));
      // Turning off or bounding an entry that is refused for something else is no reason to refuse again.
      return 'connection' in fields.value ? accept(next, servers, undefined) : ok({ servers, value: undefined });
    });
  }

  #change<T>(decide: (entries: readonly ListedServer[]) => Decision<T>): Result<T, string> {
    const outcome: { decided: Decision<T>; dropped: SecretRef[] } = { decided: failed(GONE), dropped: [] };
    const written = this.#live.update((file) => {
      outcome.decided = decide(listServers(file.servers));
      if (!outcome.decided.ok) return file;
      const { servers } = outcome.decided.value;
      const still = new Set(refsAnywhere(servers));
      outcome.dropped = refsAnywhere(file.servers).filter((ref) => !still.has(ref));
      return { ...file, servers };
    });
    if (!written.ok) return written;
    if (!outcome.decided.ok) return outcome.decided;
    for (const ref of outcome.dropped) this.#vault.remove(ref);
    return ok(outcome.decided.value.value);
  }
}

/** What is written is read back by the very decoder that reads the file (S2). */
function accept<T>(entry: unknown, servers: unknown[], value: T): Decision<T> {
  const decoded = decodeServer(entry);
  return decoded.ok ? ok({ servers, value }) : failed(decoded.problem.reason);
}

/** The app never writes a workspace file, and its entry in the store says what the file says (S9). */
function refuseOverFile(stored: StoredServer, connection: Connection): Result<void, string> {
  const source = sourceOf(stored);
  const isSame = stored.kind === 'ok' && connectionForm(stored.config.connection) === connectionForm(connection);
  if (source.kind !== 'workspace' || isSame) return ok(undefined);
  return failed(`What it runs or contacts stands in ${fileOf(source)}. Change it there.`);
}

const fileOf = ({ folder, file = 'a file' }: { folder: string; file?: string | undefined }): string =>
  `${file} of the workspace ${folder}`;
