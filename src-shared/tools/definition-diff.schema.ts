import { z } from 'zod';
import { DiffTextSchema } from '../base/diff-text.schema';

/** One part of a tool's definition that is another one now (R4). Null on the side where there is no such part. */
export const DefinitionChangeSchema = z.object({
  /** Which part, for people: "description", "argument “to”, description". */
  part: z.string(),
  before: DiffTextSchema.nullable(),
  after: DiffTextSchema.nullable(),
});
export type DefinitionChange = z.infer<typeof DefinitionChangeSchema>;

/** How a definition differs from the one that was reviewed. */
export const DefinitionDiffSchema = z.object({
  changes: z.array(DefinitionChangeSchema),
  /** Changes beyond those listed. They stand in the whole definition. */
  more: z.number(),
});
export type DefinitionDiff = z.infer<typeof DefinitionDiffSchema>;
