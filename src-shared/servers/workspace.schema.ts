import { z } from 'zod';

/** A folder the person opened, as Settings shows it. */
export const WorkspaceRowSchema = z.object({
  /** Its real path, which names it everywhere. */
  folder: z.string(),
  openedAt: z.number(),
  /** Whether its entries can be reviewed; each launch still has a review of its own (T3). */
  trusted: z.boolean(),
  /** Those of its files that are there, or that cannot be read. */
  files: z.array(
    z.object({
      file: z.string(),
      servers: z.number(),
      /** One sentence; null when it was read. */
      problem: z.string().nullable(),
    }),
  ),
});
export type WorkspaceRow = z.infer<typeof WorkspaceRowSchema>;
