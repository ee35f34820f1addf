import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../src-shared/base/clock';
import { type Digest, DigestSchema } from '../../src-shared/base/digest.schema';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { type ServerId, ServerIdSchema } from '../../src-shared/servers/server.schema';
import type { LaunchTrust } from '../../src-shared/servers/server-rows';
import { type ToolDefinition, ToolDefinitionSchema } from '../../src-shared/tools/tool.schema';
import type { Counter } from '../secrets/keychain-counter';
import type { Sealer } from '../secrets/sealer';
import type { Secrets } from '../secrets/secrets';
import { type JsonDocument, openJsonDocument } from '../storage/json-document';
import { LiveDocument } from '../storage/live-document';
import { memoryDocument } from '../storage/memory-document';

const RecordsSchema = z.record(z.string(), z.unknown());
export const TrustFileSchema = z.object({
  version: z.literal(1),
  /** One more with each write. */
  generation: z.int().nonnegative().catch(0),
  /** Over all the rest. */
  seal: z.string().catch(''),
  launches: RecordsSchema,
  choices: RecordsSchema,
  switches: RecordsSchema,
});
export type TrustFile = z.infer<typeof TrustFileSchema>;
export const EMPTY_TRUST_FILE: TrustFile = { version: 1, generation: 0, seal: '', launches: {}, choices: {}, switches: {} };

export const openTrustFile = (folder: string): JsonDocument<TrustFile> =>
  openJsonDocument({ file: join(folder, 'trust.json'), schema: TrustFileSchema, empty: EMPTY_TRUST_FILE });

// Each sealed value names what it is for, so that a record copied under another key does not hold.
const LaunchRecordSchema = z.object({
  id: ServerIdSchema,
  fingerprint: z.string(),
  approvedAt: z.number(),
  /** The user's own yes to addresses inside a private network (E7). */
  privateNetwork: z.literal(true).optional(),
});
const ChoicesRecordSchema = z.object({
  id: ServerIdSchema,
  tools: z.array(z.object({ rawName: z.string(), digest: DigestSchema, offered: z.boolean(), definition: ToolDefinitionSchema })),
  instructionsDigest: DigestSchema.nullable(),
});
const SwitchRecordSchema = z.object({ id: z.string(), on: z.literal(true) });

/** What the user decided about one tool: the definition as it was on the screen, and whether it is offered (R4). */
export interface PinnedTool {
  digest: Digest;
  offered: boolean;
  definition: ToolDefinition;
}

export interface ToolChoices {
  /** By raw name (N6). */
  readonly tools: ReadonlyMap<string, PinnedTool>;
  /** Of the server's instructions at the time of the review; null when it had none. */
  readonly instructionsDigest: Digest | null;
}

const NO_CHOICES: ToolChoices = { tools: new Map(), instructionsDigest: null };

type Section = 'launches' | 'choices' | 'switches';
const SECTIONS = ['launches', 'choices', 'switches'] as const satisfies readonly Section[];
const PURPOSE: Record<Section, string> = { launches: 'launch-approval', choices: 'tool-choices', switches: 'switch' };
const SHAPE = { launches: LaunchRecordSchema, choices: ChoicesRecordSchema, switches: SwitchRecordSchema };
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
  kind: 'launch' | 'tools' | 'switch';
  key: string;
}

/** The trust store of a profile. Without the master key it lasts for this run, and the file stays as it is for the next (S5). */
export function openTrust(parts: {
  folder: string;
  secrets: Pick<Secrets, 'state' | 'sealer' | 'trustGeneration'>;
  clock: Clock;
}): TrustStore {
  const { state, sealer, trustGeneration } = parts.secrets;
  const document = state === 'ready' ? openTrustFile(parts.folder) : memoryDocument(EMPTY_TRUST_FILE);
  return new TrustStore({ document, sealer, generation: trustGeneration, clock: parts.clock });
}

/**
 * What the user approved in the window, sealed with the master key (S10).
 * No program that merely writes this file can turn anything on, not even by an older file put back: its generation is too low.
 */
export class TrustStore {
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

  approveLaunch(id: ServerId, fingerprint: string, at: number, privateNetwork = false): Result<void, string> {
    return this.#write('launches', { id, fingerprint, approvedAt: at, ...(privateNetwork && { privateNetwork }) });
  }

  /** Whether the approval of its launch holds a yes to addresses inside a private network (E7). */
  mayReachPrivateNetwork(id: ServerId): boolean {
    return this.#read('launches', id)?.privateNetwork === true;
  }

  launchTrust(id: ServerId, fingerprint: string): LaunchTrust {
    const record = this.#read('launches', id);
    if (record === null) return 'never-approved';
    return record.fingerprint === fingerprint ? 'approved' : 'changed-since-approved';
  }

  approvedAt(id: ServerId): number | null {
    return this.#read('launches', id)?.approvedAt ?? null;
  }

  /** Takes back the approval alone: the server asks before it starts again, and its reviewed tools stay reviewed (T4). */
  revokeLaunch(id: ServerId): Result<void, string> {
    return this.#drop('launches', id);
  }

  choices(id: ServerId): ToolChoices {
    const record = this.#read('choices', id);
    if (record === null) return NO_CHOICES;
    return {
      tools: new Map(record.tools.map(({ rawName, ...pinned }) => [rawName, pinned])),
      instructionsDigest: record.instructionsDigest,
    };
  }

  saveChoices(id: ServerId, choices: ToolChoices): Result<void, string> {
    const tools = [...choices.tools].map(([rawName, pinned]) => ({ rawName, ...pinned }));
    return this.#write('choices', { id, tools, instructionsDigest: choices.instructionsDigest });
  }

  /** Switches one reviewed tool on or off. One that was never reviewed has no definition to stand for, so it stays off. */
  setOffered(id: ServerId, rawName: string, offered: boolean): Result<void, string> {
    const { tools, instructionsDigest } = this.choices(id);
    const pinned = tools.get(rawName);
    if (!pinned) return failed('Look at this tool on its server’s page first, then switch it on.');
    return this.saveChoices(id, { tools: new Map([...tools, [rawName, { ...pinned, offered }]]), instructionsDigest });
  }

  /** Whether the window switched this on. `key` names what is meant exactly: a server by id, a model by id and address. */
  isRouteOn(key: string): boolean {
    return this.#read('switches', key) !== null;
  }

  setRouteOn(key: string, on: boolean): Result<void, string> {
    return on ? this.#write('switches', { id: key, on }) : this.#drop('switches', key);
  }

  /** Everything that was ever approved of a server; its switch has a key of its own (S11). */
  forget(id: ServerId): Result<void, string> {
    const dropped = this.#drop('launches', id);
    return dropped.ok ? this.#drop('choices', id) : dropped;
  }

  /** What stands in the file and does not hold. */
  needsReview(): readonly UnsealedRecord[] {
    const kinds = { launches: 'launch', choices: 'tools', switches: 'switch' } as const;
    return SECTIONS.flatMap((section) =>
      Object.keys(this.#live.current[section])
        .filter((key) => this.#read(section, key) === null)
        .map((key) => ({ kind: kinds[section], key })),
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

  #read<S extends Section>(section: S, key: string): RecordOf<S> | null {
    const at = `${section} ${key}`;
    if (!this.#checked.has(at)) this.#checked.set(at, this.#open(section, key));
    return this.#checked.get(at) as RecordOf<S> | null;
  }

  /** A file further on than the keychain is a genuine one whose number did not get there before the app ended. */
  #judgeCurrent(): Standing {
    const standing = this.#judge(this.#live.current);
    if (standing === 'counts') this.#generation.raise(this.#live.current.generation);
    return standing;
  }

  #judge(file: TrustFile): Standing {
    // Nothing in it, so nothing to forge: a fresh profile, or a file that was taken away.
    if (file.seal === '' && SECTIONS.every((section) => Object.keys(file[section]).length === 0)) return 'counts';
    const { seal, ...sealed } = file;
    if (!this.#sealer.holds(FILE_PURPOSE, sealed, seal)) return 'altered';
    return file.generation < this.#generation.value ? 'older' : 'counts';
  }

  #open(section: Section, key: string): RecordOf<Section> | null {
    if (this.#standing !== 'counts') return null;
    const records = this.#live.current[section];
    const record = Object.hasOwn(records, key) ? records[key] : undefined;
    if (typeof record !== 'object' || record === null || !('value' in record) || !('seal' in record)) return null;
    if (!this.#sealer.holds(PURPOSE[section], record.value, record.seal)) return null;
    const parsed = SHAPE[section].safeParse(record.value);
    return parsed.success && parsed.data.id === key ? parsed.data : null;
  }

  #write<S extends Section>(section: S, given: RecordOf<S>): Result<void, string> {
    const value = SHAPE[section].parse(given);
    const record = { value, seal: this.#sealer.seal(PURPOSE[section], value) };
    return this.#set(section, value.id, record);
  }

  #drop(section: Section, key: string): Result<void, string> {
    return this.#set(section, key, null);
  }

  /** Writes the next generation. What stood in a file that does not count is not carried over. */
  #set(section: Section, key: string, record: unknown): Result<void, string> {
    const written = this.#live.update((file) => {
      if (record === null && !Object.hasOwn(file[section], key)) return file;
      const base = this.#judge(file) === 'counts' ? file : EMPTY_TRUST_FILE;
      const others = Object.entries(base[section]).filter(([other]) => other !== key);
      const records = Object.fromEntries(record === null ? others : [...others, [key, record]]);
      const generation = Math.max(base.generation, this.#generation.value) + 1;
      const { seal: _replaced, ...sealed } = { ...base, generation, [section]: records };
      return { ...sealed, seal: this.#sealer.seal(FILE_PURPOSE, sealed) };
    });
    return written.ok ? ok(undefined) : written;
  }
}
