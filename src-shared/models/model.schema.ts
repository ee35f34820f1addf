import { z } from 'zod';
import { SecretRefSchema } from '../servers/server.schema';

export const ModelIdSchema = z
  .string()
  .regex(/^model-[a-z0-9-]{1,40}$/)
  .brand('ModelId');
export type ModelId = z.infer<typeof ModelIdSchema>;

/** One configured model: an OpenAI-compatible Chat Completions endpoint (G1). Off unless sealed on (S10, P1). */
export const ModelConfigSchema = z.object({
  id: ModelIdSchema,
  name: z.string().trim().min(1).max(200),
  kind: z.literal('openai-compatible'),
  /** The base address, such as http://127.0.0.1:11434/v1; `/chat/completions` is added to it. */
  endpoint: z.string().max(2048),
  model: z.string().trim().min(1).max(300),
  key: SecretRefSchema.nullable(),
  addedAt: z.number(),
});
export type ModelConfig = z.infer<typeof ModelConfigSchema>;

export const ModelDraftSchema = z.object({
  name: z.string().trim().min(1).max(200),
  endpoint: z.string().max(2048),
  model: z.string().trim().min(1).max(300),
  /** Crosses once, inwards; left out means no key, or keep the one there is. */
  newKey: z.string().min(1).max(4096).optional(),
});
export type ModelDraft = z.infer<typeof ModelDraftSchema>;

export const ModelRowSchema = z.object({
  id: ModelIdSchema,
  name: z.string(),
  endpoint: z.string(),
  model: z.string(),
  hasKey: z.boolean(),
  on: z.boolean(),
  leaves: z.boolean(),
  host: z.string(),
  /** One sentence when the stored entry breaks a rule; such a model is never contacted. */
  refused: z.string().nullable(),
});
export type ModelRow = z.infer<typeof ModelRowSchema>;
