import { z } from 'zod';
import { AttachmentSchema, MAX_ATTACHMENTS } from '../attachments/attachment.schema';
import { ServerIdSchema } from '../servers/server.schema';
import { CallerKindSchema, ToolOutcomeSchema } from '../tools/tool.schema';

export const ConversationIdSchema = z
  .string()
  .regex(/^chat-[a-z0-9-]{1,40}$/)
  .brand('ConversationId');
export type ConversationId = z.infer<typeof ConversationIdSchema>;

export const EntryIdSchema = z
  .string()
  .regex(/^entry-[a-z0-9-]{1,40}$/)
  .brand('EntryId');
export type EntryId = z.infer<typeof EntryIdSchema>;

/** What reached a host while one answer was made (G6). */
export const SentNoteSchema = z.object({ host: z.string(), bytesOut: z.number(), leaves: z.boolean() });

const base = z.object({ id: EntryIdSchema, at: z.number() });

/** One line of a conversation's log, oldest first. A call and its result share `callId`, and every call gets one (A8). */
export const ConversationEntrySchema = z.discriminatedUnion('kind', [
  base.extend({
    kind: z.literal('user'),
    text: z.string(),
    /** What servers gave for this message, at the user's wish; absent when nothing was attached. */
    attachments: z.array(AttachmentSchema).max(MAX_ATTACHMENTS).optional(),
  }),
  base.extend({
    kind: z.literal('assistant'),
    text: z.string(),
    model: z.string(),
    /** `stopped` by the user, `interrupted` by the provider with `problem` saying how. */
    finish: z.enum(['done', 'tool-calls', 'stopped', 'interrupted']),
    problem: z.string().optional(),
    sent: z.array(SentNoteSchema),
  }),
  base.extend({
    kind: z.literal('tool-call'),
    callId: z.string(),
    caller: CallerKindSchema,
    /** As the caller named it: published shape, or a built-in's name. */
    name: z.string(),
    /** Null for built-ins and for names that resolve to nothing. */
    serverId: ServerIdSchema.nullable(),
    serverName: z.string(),
    toolName: z.string(),
    where: z.string(),
    leaves: z.boolean(),
    /** The frozen bytes where the arguments could be read, else as the caller wrote them (A5). */
    argumentsText: z.string(),
  }),
  base.extend({ kind: z.literal('tool-result'), callId: z.string(), outcome: ToolOutcomeSchema }),
]);
export type ConversationEntry = z.infer<typeof ConversationEntrySchema>;

export const ConversationSummarySchema = z.object({
  id: ConversationIdSchema,
  title: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** A turn or a call is under way. */
  busy: z.boolean(),
  waiting: z.number(),
  /** The app's own tools skip their questions here; a server's tools do not (A4). */
  autopilot: z.boolean(),
  /** Servers whose calls are refused at once here, because too many were refused before (A10). */
  paused: z.array(ServerIdSchema),
});
export type ConversationSummary = z.infer<typeof ConversationSummarySchema>;

/** Pieces too frequent to resend whole. `reset` says: read the conversation again. */
export const ConversationFeedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('entry'), conversationId: ConversationIdSchema, entry: ConversationEntrySchema }),
  z.object({ kind: z.literal('delta'), conversationId: ConversationIdSchema, entryId: EntryIdSchema, text: z.string() }),
  /** How far a running call says it is. `fraction` is null when its server does not tell of how much. */
  z.object({
    kind: z.literal('progress'),
    conversationId: ConversationIdSchema,
    callId: z.string(),
    fraction: z.number().min(0).max(1).nullable(),
    /** The server's words, treated and cut (O1). */
    message: z.string(),
  }),
  z.object({ kind: z.literal('reset'), conversationId: ConversationIdSchema }),
]);
export type ConversationFeed = z.infer<typeof ConversationFeedSchema>;
