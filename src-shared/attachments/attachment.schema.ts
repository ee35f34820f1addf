import { z } from 'zod';
import { ServerIdSchema } from '../servers/server.schema';
import { ToolOutcomeSchema } from '../tools/tool.schema';

/** Attached to one message at most; each is one question to one server. */
export const MAX_ATTACHMENTS = 8;

export const AttachableKindSchema = z.enum(['resource', 'template', 'prompt']);
export type AttachableKind = z.infer<typeof AttachableKindSchema>;

/** What the user chose, as the window names it: an entry of the list, and what was filled in. */
export const AttachmentAskSchema = z.object({
  kind: AttachableKindSchema,
  serverId: ServerIdSchema,
  /** The resource's address, the template, or the prompt's raw name. */
  ref: z.string().max(2048),
  given: z.record(z.string().max(2048), z.string().max(65_536)),
});
export type AttachmentAsk = z.infer<typeof AttachmentAskSchema>;

/** One line of the lists behind `@` and `/`. All text but `ref` and the fields' names is treated for showing (O1). */
export const AttachableRowSchema = z.object({
  kind: AttachableKindSchema,
  serverId: ServerIdSchema,
  serverName: z.string(),
  ref: z.string(),
  name: z.string(),
  description: z.string(),
  /** What is asked of the user before it can be attached. */
  fields: z.array(z.object({ name: z.string(), label: z.string(), description: z.string(), required: z.boolean() })),
});
export type AttachableRow = z.infer<typeof AttachableRowSchema>;

/** What a server gave for a message, kept with it as it was then (O3). */
export const AttachmentSchema = z.object({
  kind: z.enum(['resource', 'prompt']),
  serverId: ServerIdSchema,
  serverName: z.string(),
  /** Treated, on one line. */
  name: z.string(),
  where: z.string(),
  leaves: z.boolean(),
  outcome: ToolOutcomeSchema,
});
export type Attachment = z.infer<typeof AttachmentSchema>;
