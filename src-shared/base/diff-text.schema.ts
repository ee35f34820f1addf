import { z } from 'zod';

/** A piece of one side of a comparison, escaped for the screen; `changed` stands on this side alone. */
export const DiffSegmentSchema = z.object({
  kind: z.enum(['text', 'escape', 'blank']),
  text: z.string(),
  changed: z.literal(true).optional(),
});
export const DiffTextSchema = z.array(DiffSegmentSchema);
export type DiffText = z.infer<typeof DiffTextSchema>;
