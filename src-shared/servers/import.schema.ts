import { z } from 'zod';

/** As long as the text of a dropped file can be; the same bound as for a file that is picked. */
export const MAX_DROPPED_LENGTH = 1024 * 1024;

/** One entry of a chosen file as the window shows it: no value that is kept as a secret crosses (S5). */
export const ImportRowSchema = z.object({
  name: z.string(),
  /** The short name it gets; empty where it cannot be added. */
  namespace: z.string(),
  /** The address, or the command with its arguments and variables, as they stand in the file. */
  lines: z.array(z.string()),
  notes: z.array(z.string()),
  /** Why it cannot be added; null when it can. */
  problem: z.string().nullable(),
});
export type ImportRow = z.infer<typeof ImportRowSchema>;

export const ImportPreviewSchema = z.object({
  /** Names this reading of the file, so that what is ticked is what was shown. */
  readingId: z.string().max(64),
  file: z.string(),
  rows: z.array(ImportRowSchema),
});
export type ImportPreview = z.infer<typeof ImportPreviewSchema>;
