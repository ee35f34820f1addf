import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../src-shared/base/clock';
import { failed, ok, type Result } from '../../src-shared/base/result';
import type { RouteFacts } from '../../src-shared/egress/route-table';
import {
  checkModelEndpoint,
  idOfModel,
  type ListedModel,
  listModels,
  type StoredModel,
  toModelRow,
} from '../../src-shared/models/model-rule';
import {
  type ModelConfig,
  type ModelDraft,
  ModelDraftSchema,
  type ModelId,
  ModelIdSchema,
  type ModelRow,
} from '../../src-shared/models/model.schema';
import type { SecretRef } from '../../src-shared/servers/server.schema';
import type { SecretVault } from '../secrets/secret-vault';
import { type JsonDocument, openJsonDocument } from '../storage/json-document';
import { LiveDocument } from '../storage/live-document';

/** Loose on purpose: what this version does not know stays in the file. */
export const ModelsFileSchema = z.looseObject({ version: z.literal(1), models: z.array(z.unknown()) });
export type ModelsFile = z.infer<typeof ModelsFileSchema>;
export const EMPTY_MODELS_FILE: ModelsFile = { version: 1, models: [] };

export const openModelsFile = (folder: string): JsonDocument<ModelsFile> =>
  openJsonDocument({ file: join(folder, 'models.json'), schema: ModelsFileSchema, empty: EMPTY_MODELS_FILE });

/** Sealed switches: what an edit of models.json cannot set (S10). */
export interface SealedSwitches {
  isRouteOn(key: string): boolean;
  setRouteOn(key: string, on: boolean): Result<void, string>;
}

const GONE = 'That model was removed.';

// The address is part of what is switched on, so a file edited to another address is a model that is off.
const switchOf = ({ id, endpoint }: Pick<ModelConfig, 'id' | 'endpoint'>): string => `${id} at ${endpoint}`;
/** Holds when this key was entered for this address: a key never travels to another one, not even by an edit of the file. */
const keyBinding = (id: ModelId, endpoint: string, key: SecretRef): string => `${key} of ${id} at ${endpoint}`;

/** The user's models, as they stand in models.json. Off unless the window switched this very address on (S10, P1). */
export class ModelStore {
  readonly #live: LiveDocument<ModelsFile>;
  readonly #vault: Pick<SecretVault, 'save' | 'remove'>;
  readonly #trust: SealedSwitches;
  readonly #clock: Clock;

  constructor(parts: {
    document: JsonDocument<ModelsFile>;
    vault: Pick<SecretVault, 'save' | 'remove'>;
    trust: SealedSwitches;
    clock: Clock;
  }) {
    this.#live = new LiveDocument({ document: parts.document, empty: EMPTY_MODELS_FILE, clock: parts.clock });
    this.#vault = parts.vault;
    this.#trust = parts.trust;
    this.#clock = parts.clock;
  }

  list(): readonly StoredModel[] {
    return listModels(this.#live.current.models).map(({ stored }) =>
      stored.kind === 'ok' ? { kind: 'ok', config: this.#withOwnKey(stored.config) } : stored,
    );
  }

  /** Null for a model that is gone and for one that is refused. */
  get(id: ModelId): ModelConfig | null {
    const stored = this.list().find((model) => idOfModel(model) === id);
    return stored?.kind === 'ok' ? stored.config : null;
  }

  rows(): ModelRow[] {
    return this.list().map((stored) => toModelRow(stored, { on: this.#isOn(stored) }));
  }

  /** Every model is a route, on or off, refused ones too (P3). */
  routeFacts(): RouteFacts['models'] {
    return this.rows().map(({ id, name, endpoint, on }) => ({ id, name, endpoint, on }));
  }

  isOn(id: ModelId): boolean {
    return this.list().some((stored) => idOfModel(stored) === id && this.#isOn(stored));
  }

  /** One sentence for the banner while the file cannot be read (S4). */
  problem(): string | null {
    return this.#live.problem;
  }

  /** The listener hears of changes of the file; switches are the trust store's to tell of. */
  onChange(listener: () => void): () => void {
    return this.#live.onChange(listener);
  }

  /** The new model is off. */
  add(draft: ModelDraft): Result<ModelId, string> {
    const checked = checkDraft(draft);
    if (!checked.ok) return checked;
    const { name, endpoint, model, newKey } = checked.value;
    const id = ModelIdSchema.parse(`model-${randomUUID()}`);
    return this.#withNewKey(id, endpoint, newKey, (key) =>
      this.#change((entries) => {
        const entry: ModelConfig = { id, name, kind: 'openai-compatible', endpoint, model, key, addedAt: this.#clock.now() };
        return ok({ models: [...entries.map(({ raw }) => raw), entry], value: id });
      }),
    );
  }

  /** A changed address turns the model off and drops its key, unless a new key comes with it. A refused edit changes nothing. */
  update(id: ModelId, draft: ModelDraft): Result<void, string> {
    const checked = checkDraft(draft);
    if (!checked.ok) return checked;
    const { name, endpoint, model, newKey } = checked.value;
    return this.#withNewKey(id, endpoint, newKey, (newRef) =>
      this.#change((entries) => {
        const at = entries.findIndex(({ stored }) => idOfModel(stored) === id);
        const entry = entries[at];
        if (!entry) return failed(GONE);
        if (typeof entry.raw !== 'object' || entry.raw === null || !('id' in entry.raw) || entry.raw.id !== id) {
          return failed('This entry cannot be changed here. Remove it, then add the model again.');
        }
        const before = entry.stored.kind === 'ok' ? this.#withOwnKey(entry.stored.config) : null;
        const kept = before?.endpoint === endpoint ? before.key : null;
        const addedAt = before?.addedAt ?? this.#clock.now();
        const next = { ...entry.raw, name, kind: 'openai-compatible', endpoint, model, key: newRef ?? kept, addedAt };
        if (before && before.endpoint !== endpoint) {
          // Off before the new address stands in the file, so that no order of events has it on (S10).
          const off = this.#trust.setRouteOn(switchOf(before), false);
          if (!off.ok) return off;
        }
        return ok({ models: entries.map(({ raw }, other) => (other === at ? next : raw)), value: undefined });
      }),
    );
  }

  remove(id: ModelId): Result<void, string> {
    const before = this.get(id);
    if (before) {
      const off = this.#trust.setRouteOn(switchOf(before), false);
      if (!off.ok) return off;
    }
    return this.#change((entries) => {
      const rest = entries.filter(({ stored }) => idOfModel(stored) !== id);
      return rest.length === entries.length ? failed(GONE) : ok({ models: rest.map(({ raw }) => raw), value: undefined });
    });
  }

  setOn(id: ModelId, on: boolean): Result<void, string> {
    const stored = this.list().find((model) => idOfModel(model) === id);
    if (!stored) return failed(GONE);
    if (stored.kind === 'refused') return on ? failed(stored.reason) : ok(undefined);
    return this.#trust.setRouteOn(switchOf(stored.config), on);
  }

  close(): void {
    this.#live.close();
  }

  #isOn(stored: StoredModel): boolean {
    return stored.kind === 'ok' && this.#trust.isRouteOn(switchOf(stored.config));
  }

  #withOwnKey(config: ModelConfig): ModelConfig {
    const { id, endpoint, key } = config;
    return key !== null && this.#trust.isRouteOn(keyBinding(id, endpoint, key)) ? config : { ...config, key: null };
  }

  /** Saves the key and binds it to its address, then writes. Where nothing is written, no key stays behind. */
  #withNewKey<T>(
    id: ModelId,
    endpoint: string,
    newKey: string | undefined,
    write: (key: SecretRef | null) => Result<T, string>,
  ): Result<T, string> {
    if (newKey === undefined) return write(null);
    let key: SecretRef;
    try {
      key = this.#vault.save(newKey);
    } catch (error) {
      return failed(error instanceof Error ? error.message : 'The key could not be saved.');
    }
    const bound = this.#trust.setRouteOn(keyBinding(id, endpoint, key), true);
    const written = bound.ok ? write(key) : bound;
    if (!written.ok) this.#dropKey(id, endpoint, key);
    return written;
  }

  #dropKey(id: ModelId, endpoint: string, key: SecretRef): void {
    this.#vault.remove(key);
    this.#trust.setRouteOn(keyBinding(id, endpoint, key), false);
  }

  #change<T>(decide: (entries: readonly ListedModel[]) => Result<{ models: unknown[]; value: T }, string>): Result<T, string> {
    const outcome: { decided: ReturnType<typeof decide>; before: ModelConfig[] } = { decided: failed(GONE), before: [] };
    const written = this.#live.update((file) => {
      const entries = listModels(file.models);
      outcome.decided = decide(entries);
      outcome.before = entries.flatMap(({ stored }) => (stored.kind === 'ok' ? [this.#withOwnKey(stored.config)] : []));
      return outcome.decided.ok ? { ...file, models: outcome.decided.value.models } : file;
    });
    if (!written.ok) return written;
    if (!outcome.decided.ok) return outcome.decided;
    const used = new Set(this.list().flatMap((stored) => (stored.kind === 'ok' && stored.config.key ? [stored.config.key] : [])));
    for (const { id, endpoint, key } of outcome.before) if (key && !used.has(key)) this.#dropKey(id, endpoint, key);
    return ok(outcome.decided.value.value);
  }
}

function checkDraft(draft: ModelDraft): Result<ModelDraft, string> {
  const parsed = ModelDraftSchema.safeParse(draft);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path[0];
    return failed(`Check the ${typeof field === 'string' ? WORDS[field] : 'name'} of this model: it is empty or too long.`);
  }
  // A key goes into a header, where a line end would begin another one.
  if (/[\r\n\0]/.test(parsed.data.newKey ?? '')) return failed('Remove the line end from the key.');
  const endpoint = checkModelEndpoint(parsed.data.endpoint);
  return endpoint.ok ? ok({ ...parsed.data, endpoint: endpoint.value }) : endpoint;
}

const WORDS: Readonly<Record<string, string>> = { name: 'name', endpoint: 'address', model: 'model name', newKey: 'key' };
