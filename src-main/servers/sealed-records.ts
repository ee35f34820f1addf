import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../src-shared/base/clock';
import { DigestSchema } from '../../src-shared/base/digest.schema';
import { ok, type Result } from '../../src-shared/base/result';
import { ServerIdSchema } from '../../src-shared/servers/server.schema';
import { CallerKindSchema } from '../../src-shared/tools/tool.schema';
import type { Counter } from '../secrets/keychain-counter';
import type { Sealer } from '../secrets/sealer';
import { type JsonDocument, openJsonDocument } from '../storage/json-document';
import { LiveDocument } from '../storage/live-document';
import { ChoicesRecordSchema, LaunchRecordSchema } from './review-records';

const RecordsSchema = z.record(z.string(), z.unknown());
const TrustFileSchema = z.object({
  version: z.literal(1),
  /** One more with each write. */
  generation: z.int().nonnegative().catch(0),
  /** Over all the rest. */
  seal: z.string().catch(''),
  launches: RecordsSchema,
  choices: RecordsSchema,
  switches: RecordsSchema,
  /** Absent until the first one is given: a default would change what the seal of an earlier file stands over. */
  grants: RecordsSchema.optional(),
});
export type TrustFile = z.infer<typeof TrustFileSchema>;
export const EMPTY_TRUST_FILE: TrustFile = { version: 1, generation: 0, seal: '', launches: {}, choices: {}, switches: {} };

export const openTrustFile = (folder: string): JsonDocument<TrustFile> =>
  openJsonDocument({ file: join(folder, 'trust.json'), schema: TrustFileSchema, empty: EMPTY_TRUST_FILE });

// Each sealed value names what it is for, so that a record copied under another key does not hold.
const SwitchRecordSchema = z.object({ id: z.string(), on: z.literal(true) });
const GrantRecordSchema = z.object({
  id: z.string(),
  serverId: ServerIdSchema,
  rawName: z.string(),
  caller: CallerKindSchema,
  fingerprint: z.string(),
  definition: DigestSchema,
  /** The launch behind the fingerprint in words, as it was when allowed: the literal command, or the address. */
  boundTo: z.string(),
  madeAt: z.number(),
  /** Once set it stays: what was bound to does not come back to life when it is put back (R4). */
  ended: z.enum(['launch-changed', 'tool-changed']).optional(),
});
export type GrantRecord = z.infer<typeof GrantRecordSchema>;

type Section = 'launches' | 'choices' | 'switches' | 'grants';
const SECTIONS = ['launches', 'choices', 'switches', 'grants'] as const satisfies readonly Section[];
const PURPOSE: Record<Section, string> = {
  launches: 'launch-approval',
  choices: 'tool-choices',
  switches: 'switch',
  grants: 'grant',
};
const SHAPE = {
  launches: LaunchRecordSchema,
  choices: ChoicesRecordSchema,
  switches: SwitchRecordSchema,
  grants: GrantRecordSchema,
};
type RecordOf<S extends Section> = z.infer<(typeof SHAPE)[S]>;

const FILE_PURPOSE = 'trust-file';

/** How the file as a whole stands. Unless it counts, nothing in it does. */
type Standing = 'counts' | 'older' | 'altered';
const REFUSED: Record<Exclude<Standing, 'counts'>, string> = {
  older: 'trust.json is an older one than this app wrote, so nothing in it counts. Review your servers again.',
  altered: 'trust.json was changed outside of this app, so nothing in it counts. Review your servers again.',
};

/** A record that was found but does not hold: it counts as none, and the user is told (S10). */
export interface UnsealedRecord {
  kind: 'launch' | 'tools' | 'switch' | 'grant';
  key: string;
}
const KIND: Record<Section, UnsealedRecord['kind']> = {
  launches: 'launch',
  choices: 'tools',
  switches: 'switch',
  grants: 'grant',
};

/**
 * The records of trust.json, each sealed with the master key, and the file as a whole (S10).
 * No program that merely writes it can turn anything on, not even by an older file put back: its generation is too low.
 */
export class SealedRecords {
  readonly #live: LiveDocument<TrustFile>;
  readonly #sealer: Sealer;
  readonly #generation: Counter;
  #standing: Standing;
  /** Records that held, by section and key. Checking a seal costs too much to do at every look. */
  readonly #checked = new Map<string, unknown>();

  constructor(parts: { document: JsonDocument<TrustFile>; sealer: Sealer; generation: Counter; clock: Clock }) {
    this.#sealer = parts.sealer;
    this.#generation = parts.generation;
    this.#live = new LiveDocument({ document: parts.document, empty: EMPTY_TRUST_FILE, clock: parts.clock });
    this.#standing = this.#judgeCurrent();
    this.#live.onChange(() => {
      this.#checked.clear();
      this.#standing = this.#judgeCurrent();
    });
  }

  /** Null for a record that is not there and for one that does not hold alike. */
  read<S extends Section>(section: S, key: string): RecordOf<S> | null {
    const at = `${section} ${key}`;
    if (!this.#checked.has(at)) this.#checked.set(at, this.#open(section, key));
    return this.#checked.get(at) as RecordOf<S> | null;
  }

  /** Every record of a section that holds. */
  all<S extends Section>(section: S): RecordOf<S>[] {
    return Object.keys(this.#live.current[section] ?? {}).flatMap((key) => this.read(section, key) ?? []);
  }

  write<S extends Section>(section: S, ...given: RecordOf<S>[]): Result<void, string> {
    const records = given.map((record) => {
      const value = SHAPE[section].parse(record);
      return [value.id, { value, seal: this.#sealer.seal(PURPOSE[section], value) }] as const;
    });
    return this.#set(section, new Map(records));
  }

  drop(section: Section, ...keys: string[]): Result<void, string> {
    return this.#set(section, new Map(keys.map((key) => [key, null])));
  }

  /** Drops whole sections, with the records in them that do not hold. */
  clear(...sections: Section[]): Result<void, string> {
    return this.#replace((file) => {
      const isEmpty = sections.every((section) => Object.keys(file[section] ?? {}).length === 0);
      return isEmpty ? null : Object.fromEntries(sections.map((section) => [section, {}]));
    });
  }

  /** What stands in the file and does not hold. */
  needsReview(): readonly UnsealedRecord[] {
    return SECTIONS.flatMap((section) =>
      Object.keys(this.#live.current[section] ?? {})
        .filter((key) => this.read(section, key) === null)
        .map((key) => ({ kind: KIND[section], key })),
    );
  }

  /** One sentence while the file cannot be read, or is not the one this app wrote last. */
  problem(): string | null {
    if (this.#live.problem !== null || this.#standing === 'counts') return this.#live.problem;
    return REFUSED[this.#standing];
  }

  onChange(listener: () => void): () => void {
    return this.#live.onChange(listener);
  }

  close(): void {
    this.#live.close();
  }

  /** A file further on than the keychain is a genuine one whose number did not get there before the app ended. */
  #judgeCurrent(): Standing {
    const standing = this.#judge(this.#live.current);
    if (standing === 'counts') this.#generation.raise(this.#live.current.generation);
    return standing;
  }

  #judge(file: TrustFile): Standing {
    // Nothing in it, so nothing to forge: a fresh profile, or a file that was taken away.
    if (file.seal === '' && SECTIONS.every((section) => Object.keys(file[section] ?? {}).length === 0)) return 'counts';
    const { seal, ...sealed } = file;
    if (!this.#sealer.holds(FILE_PURPOSE, sealed, seal)) return 'altered';
    return file.generation < this.#generation.value ? 'older' : 'counts';
  }

  #open(section: Section, key: string): RecordOf<Section> | null {
    if (this.#standing !== 'counts') return null;
    const records = this.#live.current[section] ?? {};
    const record = Object.hasOwn(records, key) ? records[key] : undefined;
    if (typeof record !== 'object' || record === null || !('value' in record) || !('seal' in record)) return null;
    if (!this.#sealer.holds(PURPOSE[section], record.value, record.seal)) return null;
    const parsed = SHAPE[section].safeParse(record.value);
    return parsed.success && parsed.data.id === key ? parsed.data : null;
  }

  #set(section: Section, changes: ReadonlyMap<string, unknown>): Result<void, string> {
    return this.#replace((file, base) => {
      const before = file[section] ?? {};
      if ([...changes].every(([key, record]) => record === null && !Object.hasOwn(before, key))) return null;
      const others = Object.entries(base[section] ?? {}).filter(([key]) => !changes.has(key));
      return { [section]: Object.fromEntries([...others, ...[...changes].filter(([, record]) => record !== null)]) };
    });
  }

  /** Writes the next generation. What stood in a file that does not count is not carried over. */
  #replace(change: (file: TrustFile, base: TrustFile) => Partial<TrustFile> | null): Result<void, string> {
    const written = this.#live.update((file) => {
      const base = this.#judge(file) === 'counts' ? file : EMPTY_TRUST_FILE;
      const changed = change(file, base);
      if (changed === null) return file;
      const generation = Math.max(base.generation, this.#generation.value) + 1;
      const { seal: _replaced, ...sealed } = { ...base, generation, ...changed };
      return { ...sealed, seal: this.#sealer.seal(FILE_PURPOSE, sealed) };
    });
    return written.ok ? ok(undefined) : written;
  }
}
