import { z } from 'zod';
import { ConversationIdSchema } from '../conversations/conversation.schema';
import { ServerIdSchema } from '../servers/server.schema';
import { CallerKindSchema } from '../tools/tool.schema';
import { VisibleTextSchema } from './approval.schema';

/** Made from what the grant covers, so that allowing the same thing again is the same grant. */
export const GrantIdSchema = z
  .string()
  .regex(/^grant-[0-9a-f]{32}$/)
  .brand('GrantId');
export type GrantId = z.infer<typeof GrantIdSchema>;

/** Why a grant covers nothing any more, though nobody took it back (R4). */
export const GrantEndSchema = z.enum(['launch-changed', 'tool-changed', 'server-gone']);
export type GrantEnd = z.infer<typeof GrantEndSchema>;

/** One thing that runs without asking, as the Grants page lists it. All text is treated for showing. */
export const GrantRowSchema = z.object({
  id: GrantIdSchema,
  serverId: ServerIdSchema,
  serverName: z.string(),
  leaves: z.boolean(),
  rawName: z.string(),
  toolName: VisibleTextSchema,
  caller: CallerKindSchema,
  reach: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('always') }),
    z.object({ kind: z.literal('this-chat'), conversationId: ConversationIdSchema, title: z.string() }),
  ]),
  /** The literal command, or the address. */
  boundTo: VisibleTextSchema,
  /** The first digits of the digest of the definition. */
  definition: z.string(),
  madeAt: z.number(),
  lastUsedAt: z.number().nullable(),
  uses: z.number(),
  ended: GrantEndSchema.nullable(),
});
export type GrantRow = z.infer<typeof GrantRowSchema>;

export const GrantsViewSchema = z.object({
  rows: z.array(GrantRowSchema),
  /** Grants that stand in trust.json without a seal of this app's: they allow nothing (S10). */
  unsealed: z.number(),
});
export type GrantsView = z.infer<typeof GrantsViewSchema>;
