import { z } from 'zod';
import { DiffTextSchema } from '../base/diff-text.schema';

/** One line of a launch, then and now. Null on the side where there is no such line. */
export const LaunchDiffRowSchema = z.object({
  /** Which line, for people: "argument 2", "PATH". */
  part: z.string(),
  before: DiffTextSchema.nullable(),
  after: DiffTextSchema.nullable(),
  changed: z.boolean(),
});
export type LaunchDiffRow = z.infer<typeof LaunchDiffRowSchema>;

/** What was approved beside what stands there now (T2). */
export const LaunchDiffSchema = z.object({
  rows: z.array(LaunchDiffRowSchema),
  /** How many lines changed. None means: what changed is in no line, but in a file or a secret. */
  changed: z.number(),
});
export type LaunchDiff = z.infer<typeof LaunchDiffSchema>;
