import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../src-shared/base/clock';
import { type Digest, DigestSchema } from '../../src-shared/base/digest.schema';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { type ServerId, ServerIdSchema } from '../../src-shared/servers/server.schema';
import type { LaunchTrust } from '../../src-shared/servers/server-rows';
import { type ToolDefinition, ToolDefinitionSchema } from '../../src-shared/tools/tool.schema';
import type { Sealer } from '../secrets/sealer';
import { type JsonDocument, openJsonDocument } from '../storage/json-document';
import { LiveDocument } from '../storage/live-document';

const RecordsSchema = z.record(z.string(), z.unknown());
export const TrustFileSchema = z.object({
  version: z.literal(1),
  launches: RecordsSchema,
  choices: RecordsSchema,
  switches: RecordsSchema,
});
export type TrustFile = z.infer<typeof TrustFileSchema>;
export const EMPTY_TRUST_FILE: TrustFile = { version: 1, launches: {}, choices: {}, switches: {} };

export const openTrustFile = (folder: string): JsonDocument<TrustFile> =>
  openJsonDocument({ file: join(folder, 'trust.json'), schema: TrustFileSchema, empty: EMPTY_TRUST_FILE });

// Each sealed value names what it is for, so that a record copied under another key does not hold.
const LaunchRecordSchema = z.object({ id: ServerIdSchema, fingerprint: z.string(), approvedAt: z.number() });
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
const PURPOSE: Record<Section, string> = { launches: 'launch-approval', choices: 'tool-choices', switches: 'switch' };
const SHAPE = { launches: LaunchRecordSchema, choices: ChoicesRecordSchema, switches: SwitchRecordSchema };
type RecordOf<S extends Section> = z.infer<(typeof SHAPE)[S]>;

/** A record that was found but does not hold: it counts as none, and the user is told (S10). */
export interface UnsealedRecord {
  kind: 'launch' | 'tools' | 'switch';
  key: string;
}

/**
 * What the user approved in the window, sealed with the master key (S10).
 * No program that merely writes this file can turn anything on. A whole older file put back is not noticed: its seals are genuine.
 */
export class TrustStore {
  readonly #live: LiveDocument<TrustFile>;
  readonly #sealer: Sealer;
  /** Records that held, by section and key. Checking a seal costs too much to do at every look. */
  readonly #checked = new Map<string, unknown>();

  constructor(parts: { document: JsonDocument<TrustFile>; sealer: Sealer; clock: Clock }) {
    this.#sealer = parts.sealer;
    this.#live = new LiveDocument({ document: parts.document, empty: EMPTY_TRUST_FILE, clock: parts.clock });
    this.#live.onChange(() => this.#checked.clear());
  }

  approveLaunch(id: ServerId, fingerprint: string, at: number): Result<void, string> {
    return this.#write('launches', { id, fingerprint, approvedAt: at });
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
    return (['launches', 'choices', 'switches'] as const).flatMap((section) =>
      Object.keys(this.#live.current[section])
        .filter((key) => this.#read(section, key) === null)
        .map((key) => ({ kind: kinds[section], key })),
    );
  }

  problem(): string | null {
    return this.#live.problem;
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

  #open(section: Section, key: string): RecordOf<Section> | null {
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
    return this.#set(section, (records) => ({ ...records, [value.id]: record }));
  }

  #drop(section: Section, key: string): Result<void, string> {
    return this.#set(section, (records) => Object.fromEntries(Object.entries(records).filter(([other]) => other !== key)));
  }

  #set(section: Section, change: (records: Record<string, unknown>) => Record<string, unknown>): Result<void, string> {
    const written = this.#live.update((file) => ({ ...file, [section]: change(file[section]) }));
    return written.ok ? ok(undefined) : written;
  }
}
