import { z } from 'zod';

/** SHA-256, lower-case hex. */
export const DigestSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .brand('Digest');
export type Digest = z.infer<typeof DigestSchema>;
