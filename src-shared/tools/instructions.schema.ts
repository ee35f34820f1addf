import { z } from 'zod';
import { DiffTextSchema } from '../base/diff-text.schema';
import { DigestSchema } from '../base/digest.schema';

/** How what a server says to models of itself stands to what was reviewed of it (R4). */
export const InstructionsStateSchema = z.enum(['none', 'reviewed', 'new', 'changed']);
export type InstructionsState = z.infer<typeof InstructionsStateSchema>;

export const InstructionsStandingSchema = z.object({
  state: InstructionsStateSchema,
  /** Of the text it says now; null when there is none. */
  digest: DigestSchema.nullable(),
  /** The user's own switch: models are told the reviewed text (R5). */
  told: z.boolean(),
});
export type InstructionsStanding = z.infer<typeof InstructionsStandingSchema>;

export const ShownInstructionsSchema = InstructionsStandingSchema.extend({
  /** As it is now, with escapes spelled out. */
  text: z.string(),
  diff: z.object({ before: DiffTextSchema, after: DiffTextSchema }).nullable(),
});
export type ShownInstructions = z.infer<typeof ShownInstructionsSchema>;
