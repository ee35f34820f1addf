import { join } from 'node:path';
import { z } from 'zod';
import type { Result } from '../../src-shared/base/result';
import { openJsonDocument, type JsonDocument } from '../storage/json-document';
import { memoryDocument } from '../storage/memory-document';
import type { SessionProblem } from './session-problem';

/** Which generation of the protocol a server speaks: stateless since 2026-07-28, or with a session. */
export type Era = 'modern' | 'legacy';

/** The era, and for an address of the session era whether it is spoken over HTTP+SSE. */
const SpokenSchema = z.enum(['modern', 'legacy', 'legacy-sse']);
export type Spoken = z.infer<typeof SpokenSchema>;

const ErasFileSchema = z.object({
  version: z.literal(1),
  /** Oldest first. A fingerprint is keyed, so the file names no server. */
  eras: z.array(z.object({ launch: z.string().max(200), spoke: SpokenSchema })),
});
type ErasFile = z.infer<typeof ErasFileSchema>;
const EMPTY: ErasFile = { version: 1, eras: [] };
const MAX_KEPT = 500;
/** Failures that say nothing of what the server speaks. */
const SAYS_NOTHING = new Set<SessionProblem['kind']>(['refused', 'cancelled', 'unreachable', 'needs-sign-in']);

export const openErasFile = (folder: string): JsonDocument<ErasFile> =>
  openJsonDocument({ file: join(folder, 'eras.json'), schema: ErasFileSchema, empty: EMPTY });

/** Remembers what each server spoke by launch fingerprint, so that a later start asks in the right way at once. */
export class EraMemory {
  readonly #document: JsonDocument<ErasFile>;
  #known: Map<string, Spoken> | undefined;

  /** Without a document, what is learned lasts for this run. */
  constructor(document: JsonDocument<ErasFile> = memoryDocument(EMPTY)) {
    this.#document = document;
  }

  of(fingerprint: string): Spoken | undefined {
    return this.#eras().get(fingerprint);
  }

  /** Keeps what a start found out, and drops what it found wrong: the next start then asks. */
  learn(fingerprint: string, opened: Result<{ spoken: Spoken }, SessionProblem>): void {
    const before = this.of(fingerprint);
    if (opened.ok) {
      const { spoken } = opened.value;
      if (spoken === before) return;
      this.#eras().set(fingerprint, spoken);
      this.#change(fingerprint, [{ launch: fingerprint, spoke: spoken }]);
    } else if (before !== undefined && !SAYS_NOTHING.has(opened.problem.kind)) {
      this.#eras().delete(fingerprint);
      this.#change(fingerprint, []);
    }
  }

  #eras(): Map<string, Spoken> {
    if (this.#known) return this.#known;
    const read = this.#document.read();
    // A file nobody can read costs one question a server, no more.
    this.#known = new Map(read.ok ? read.value.eras.map(({ launch, spoke }) => [launch, spoke]) : []);
    return this.#known;
  }

  #change(fingerprint: string, instead: ErasFile['eras']): void {
    this.#document.update((file) => ({
      ...file,
      eras: [...file.eras.filter(({ launch }) => launch !== fingerprint), ...instead].slice(-MAX_KEPT),
    }));
  }
}
