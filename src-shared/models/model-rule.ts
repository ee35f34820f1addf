import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { failed, ok, type Result } from '../base/result';
import { checkEndpoint, ENDPOINT_ADVICE } from '../servers/endpoint-rule';
import { type ModelConfig, ModelConfigSchema, type ModelId, ModelIdSchema, type ModelRow } from './model.schema';

/** One entry of models.json: fit to be asked, or refused with the reason. Both have an id, so both can be removed. */
export type StoredModel =
  | { kind: 'ok'; config: ModelConfig }
  | { kind: 'refused'; id: ModelId; name: string; endpoint: string; model: string; reason: string };

/** One entry of the file beside what it means. */
export interface ListedModel {
  readonly raw: unknown;
  readonly stored: StoredModel;
}

export const idOfModel = (stored: StoredModel): ModelId => (stored.kind === 'ok' ? stored.config.id : stored.id);

/** The rule for the base address of a model, wherever it comes from (E1, S2). The address comes back in the form that is dialled. */
export function checkModelEndpoint(text: string): Result<string, string> {
  const checked = checkEndpoint(text);
  if (!checked.ok) return failed(ENDPOINT_ADVICE[checked.problem]);
  // More path is added behind it, and a query in between would swallow that.
  if (text.includes('?')) return failed('Remove the part of the address from ? on.');
  return ok(checked.value.address);
}

/** Reads every entry of the file. Any JSON at all comes back as a model or as a refusal; one bad entry costs that entry (S4). */
export function listModels(raws: readonly unknown[]): ListedModel[] {
  const ids = raws.map(idOf);
  const seen = new Map<string, number>();
  return raws.map((raw, at): ListedModel => {
    const id = ids[at] ?? null;
    const alone = id !== null && ids.filter((other) => other === id).length === 1;
    const decoded = alone ? decodeModel(raw) : failed(id === null ? NO_ID : SAME_ID);
    if (decoded.ok) return { raw, stored: { kind: 'ok', config: decoded.value } };
    const listedAs = alone && id !== null ? id : madeUpId(raw, seen);
    const shown = { name: textOf(raw, 'name') || NAMELESS, endpoint: textOf(raw, 'endpoint'), model: textOf(raw, 'model') };
    return { raw, stored: { kind: 'refused', id: listedAs, ...shown, reason: decoded.problem } };
  });
}

const NAMELESS = 'An entry without a name';
const NO_ID = 'This entry has no id that this app made. Remove it, then add the model in Settings.';
const SAME_ID = 'Two entries carry the same id. Remove one of them, then add that model again in Settings.';

function decodeModel(raw: unknown): Result<ModelConfig, string> {
  const parsed = ModelConfigSchema.safeParse(raw);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path[0];
    return failed(
      `The ${typeof field === 'string' ? field : 'shape'} of this entry is not in a form this app knows. Correct it, or remove the entry.`,
    );
  }
  const endpoint = checkModelEndpoint(parsed.data.endpoint);
  return endpoint.ok ? ok({ ...parsed.data, endpoint: endpoint.value }) : endpoint;
}

/** The one projection of a model that every surface prints. */
export function toModelRow(stored: StoredModel, facts: { on: boolean }): ModelRow {
  if (stored.kind === 'refused') {
    const { id, name, endpoint, model, reason } = stored;
    return { id, name, endpoint, model, hasKey: false, on: false, leaves: true, host: '', refused: reason };
  }
  const { id, name, endpoint, model, key } = stored.config;
  const checked = checkEndpoint(endpoint);
  const [leaves, host] = checked.ok ? [checked.value.leaves, checked.value.host] : [true, ''];
  return { id, name, endpoint, model, hasKey: key !== null, on: facts.on, leaves, host, refused: null };
}

function idOf(raw: unknown): ModelId | null {
  const id = ModelIdSchema.safeParse(typeof raw === 'object' && raw !== null && 'id' in raw ? raw.id : undefined);
  return id.success ? id.data : null;
}

/** An id to list and remove an entry by that has none of its own. It follows from the content, so it stays while the entry does. */
function madeUpId(raw: unknown, seen: Map<string, number>): ModelId {
  const digest = bytesToHex(sha256(utf8ToBytes(JSON.stringify(raw)))).slice(0, 16);
  const nth = (seen.get(digest) ?? 0) + 1;
  seen.set(digest, nth);
  return ModelIdSchema.parse(`model-unlisted-${digest}-${nth}`);
}

function textOf(raw: unknown, field: 'name' | 'endpoint' | 'model'): string {
  const value = typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>)[field] : undefined;
  return typeof value === 'string' ? value.trim().slice(0, 300) : '';
}
