import { join } from 'node:path';
import { z } from 'zod';
import type { GrantId } from '../../src-shared/approvals/grant.schema';
import type { Clock } from '../../src-shared/base/clock';
import { openJsonDocument, type JsonDocument } from '../storage/json-document';

/** A call does not wait for a disk: what was counted is written this long after the first of a row of calls. */
export const SAVE_USES_AFTER_MS = 10_000;

const UsesFileSchema = z.object({ version: z.literal(1), uses: z.record(z.string(), z.unknown()) });
export type UsesFile = z.infer<typeof UsesFileSchema>;
const UseSchema = z.object({ count: z.int().nonnegative(), lastAt: z.number() });
export type GrantUse = z.infer<typeof UseSchema>;

export const EMPTY_USES: UsesFile = { version: 1, uses: {} };
export const openUsesFile = (folder: string): JsonDocument<UsesFile> =>
  openJsonDocument({ file: join(folder, 'grant-uses.json'), schema: UsesFileSchema, empty: EMPTY_USES });

/** How often and when each lasting grant let a call through. Told and never decided by, so it carries no seal. */
export class GrantUses {
  readonly #uses = new Map<string, GrantUse>();
  #cancelSave: (() => void) | null = null;

  constructor(private readonly parts: { document: JsonDocument<UsesFile>; clock: Clock; changed(): void }) {
    const stored = parts.document.read();
    for (const [id, raw] of Object.entries(stored.ok ? stored.value.uses : {})) {
      const use = UseSchema.safeParse(raw);
      if (use.success) this.#uses.set(id, use.data);
    }
  }

  of(id: GrantId): GrantUse | null {
    return this.#uses.get(id) ?? null;
  }

  note(id: GrantId): void {
    this.#uses.set(id, { count: (this.of(id)?.count ?? 0) + 1, lastAt: this.parts.clock.now() });
    this.#saveSoon();
  }

  forget(ids: readonly GrantId[]): void {
    if (ids.filter((id) => this.#uses.delete(id)).length > 0) this.#saveSoon();
  }

  /** Writes what is not written yet. */
  save(): void {
    if (!this.#cancelSave) return;
    this.#cancelSave();
    this.#cancelSave = null;
    this.parts.document.update(() => ({ version: 1, uses: Object.fromEntries(this.#uses) }));
    this.parts.changed();
  }

  #saveSoon(): void {
    this.#cancelSave ??= this.parts.clock.after(SAVE_USES_AFTER_MS, () => this.save());
  }
}
