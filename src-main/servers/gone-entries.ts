import type { Clock } from '../../src-shared/base/clock';
import { type SecretRef, SecretRefSchema, type ServerId, ServerIdSchema } from '../../src-shared/servers/server.schema';

/** How long an entry has to be out of the file before what is kept under its id is deleted: some programs save in two steps. */
export const GONE_AFTER_MS = 2_000;

interface Kept {
  ids: ReadonlySet<ServerId>;
  refs: ReadonlySet<SecretRef>;
}

export interface GoneEntriesParts {
  clock: Clock;
  /** The entries as they stand now; null while the file cannot be read (S4). */
  read(): readonly unknown[] | null;
  forget(gone: { ids: readonly ServerId[]; refs: readonly SecretRef[] }): void;
}

/** Notices which ids and saved secrets are out of the file, whoever took them out (S7, S11). */
export class GoneEntries {
  #kept: Kept;
  #cancel: () => void = () => undefined;

  constructor(private readonly parts: GoneEntriesParts) {
    this.#kept = keptIn(parts.read() ?? []);
  }

  /** Looks again in a while: what another program took out can be about to come back. */
  soon(alsoKept: readonly ServerId[] = []): void {
    const { ids, refs } = keptIn(this.parts.read() ?? []);
    this.#kept = { ids: new Set([...this.#kept.ids, ...ids, ...alsoKept]), refs: new Set([...this.#kept.refs, ...refs]) };
    this.#cancel();
    this.#cancel = this.parts.clock.after(GONE_AFTER_MS, () => this.now());
  }

  now(): void {
    const raws = this.parts.read();
    if (raws === null) return;
    const before = this.#kept;
    this.#kept = keptIn(raws);
    const ids = [...before.ids].filter((id) => !this.#kept.ids.has(id));
    const refs = [...before.refs].filter((ref) => !this.#kept.refs.has(ref));
    if (ids.length > 0 || refs.length > 0) this.parts.forget({ ids, refs });
  }

  close(): void {
    this.#cancel();
  }
}

/** Ids as the entries carry them, also those of refused ones: an id that stands twice is not gone. */
function keptIn(raws: readonly unknown[]): Kept {
  const ids = raws.flatMap((raw) => {
    const id = ServerIdSchema.safeParse(typeof raw === 'object' && raw !== null && 'id' in raw ? raw.id : null);
    return id.success ? [id.data] : [];
  });
  return { ids: new Set(ids), refs: new Set(refsAnywhere(raws)) };
}

/** References anywhere in the entries, also in those that no rule lets through. */
export function refsAnywhere(servers: readonly unknown[]): SecretRef[] {
  const refs: SecretRef[] = [];
  const open: unknown[] = [...servers];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    const ref = 'kind' in value && value.kind === 'secret' && 'ref' in value ? SecretRefSchema.safeParse(value.ref) : null;
    if (ref?.success) refs.push(ref.data);
    open.push(...Object.values(value));
  }
  return refs;
}
