import { z } from 'zod';
import { DigestSchema } from '../base/digest.schema';
import { ServerIdSchema } from '../servers/server.schema';

/** Any JSON value. Server schemas and arguments are data to us, never types. */
export const JsonSchema = z.json();
export type Json = z.infer<typeof JsonSchema>;
export type JsonObject = { [name: string]: Json };

/** What a server claims of its tool. A claim may tighten a decision, never loosen it (A3). Absent means no claim. */
export const ToolClaimsSchema = z.object({
  readOnly: z.boolean().optional(),
  destructive: z.boolean().optional(),
  idempotent: z.boolean().optional(),
  openWorld: z.boolean().optional(),
});
export type ToolClaims = z.infer<typeof ToolClaimsSchema>;

/** One tool as its server lists it, shape-checked and bounded but otherwise untreated. */
export const ToolDefinitionSchema = z.object({
  rawName: z.string().min(1).max(1024),
  title: z.string().optional(),
  description: z.string(),
  inputSchema: z.record(z.string(), JsonSchema),
  outputSchema: z.record(z.string(), JsonSchema).optional(),
  claims: ToolClaimsSchema,
});
export type ToolDefinition = z.infer<typeof ToolDefinitionSchema>;

/**
 * `on` is offered; `off` is switched off or not yet ticked; `new` and `changed` wait for review (R4);
 * `gone` was offered and is not listed any more;
 * `refused` collides or cannot be published (N3); `skipped` is malformed or over the limit (R3).
 */
export const ToolStateSchema = z.enum(['on', 'off', 'new', 'changed', 'gone', 'refused', 'skipped']);
export type ToolState = z.infer<typeof ToolStateSchema>;

/** One line of a server page's tool table. All text is treated for showing (O1). */
export const ToolRowSchema = z.object({
  serverId: ServerIdSchema,
  rawName: z.string(),
  /** Null when the server has no namespace or the tool cannot be published. */
  published: z.string().nullable(),
  title: z.string(),
  description: z.string(),
  claims: ToolClaimsSchema,
  state: ToolStateSchema,
  /** Says why it is not on, or why models are not told of one that is (R3); else empty. */
  why: z.string(),
  /** Null for a tool whose definition could not be read. */
  digest: DigestSchema.nullable(),
  /** The user said so, of this definition. No claim of the server sets it (A6). */
  readsOnly: z.literal(true).optional(),
  /** Whose name its own looks like, to stand after it: "looks like “github”, which is another server" (N7). */
  looksLike: z.string().optional(),
  /** About what telling a model of it costs each turn; absent while it is not counted (R7). */
  tokens: z.number().optional(),
});
export type ToolRow = z.infer<typeof ToolRowSchema>;

/** Who calls: it decides whom a grant covers and what the ledger says (A1). */
export const CallerKindSchema = z.enum(['model', 'you', 'command-line']);
export type CallerKind = z.infer<typeof CallerKindSchema>;

/** What a result is made of, once it is no longer the server's word alone (O5). */
export const ResultPartSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('structured'), json: z.string() }),
  z.object({
    kind: z.literal('image'),
    /** Of the bytes, not of the claim. */
    mimeType: z.string(),
    bytes: z.number(),
    /** The address of the resource it is, if it is one. */
    name: z.string().optional(),
    /** Base64 of an image that is small enough to be shown. */
    data: z.string().optional(),
  }),
  z.object({ kind: z.literal('audio'), mimeType: z.string(), bytes: z.number(), name: z.string().optional() }),
  z.object({ kind: z.literal('blob'), mimeType: z.string(), bytes: z.number(), name: z.string() }),
  z.object({ kind: z.literal('link'), uri: z.string(), name: z.string() }),
  z.object({ kind: z.literal('unknown'), claimed: z.string() }),
]);
export type ResultPart = z.infer<typeof ResultPartSchema>;

/** Why a call was not run. */
export const NotRunReasonSchema = z.enum([
  'rule',
  'user',
  'nobody-answered',
  'cancelled',
  'too-many-waiting',
  'paused',
  'bad-arguments',
  'unknown-tool',
]);
export type NotRunReason = z.infer<typeof NotRunReasonSchema>;

/** Every outcome is something the model can read (O4): a refusal and a dead server are results, not exceptions. */
export const ToolOutcomeSchema = z.object({
  kind: z.enum(['answered', 'failed', 'not-run']),
  why: NotRunReasonSchema.optional(),
  /** Wrapped, treated and bounded: exactly what a model is given (O2, O3). */
  forModel: z.string(),
  /** The same words for a person: treated and bounded, without the wrapper. */
  forPerson: z.string(),
  parts: z.array(ResultPartSchema),
  /** Names the whole treated text for `read_output`; absent when nothing was cut. */
  outputHandle: z.string().optional(),
  /** The handle whose text this is a page of: what stands here was said by whoever said that (A6). */
  pageOf: z.string().optional(),
  /** Names the server's own text, kept for looking at, escaped; absent when nothing was taken out of it (O1). */
  rawHandle: z.string().optional(),
  /** How many control, bidi and other invisible characters were taken out (O1). */
  removedCharacters: z.number(),
  /** Milliseconds from the moment the call was sent; 0 when it was not. */
  ms: z.number(),
  /** Socket or pipe bytes of this call. */
  bytesOut: z.number(),
  bytesIn: z.number(),
  /** Who let it run and how, in words for the transcript. */
  allowedBy: z.string(),
  /** What the server asked a person during the call, and what became of it, one sentence each (W8). */
  asked: z.array(z.string()).optional(),
  /** The arguments as the person changed them before they allowed the call; absent when they are the ones asked for (A5). */
  editedArguments: z.string().optional(),
  /** What a person is told beside the result, one sentence each (R6). */
  notes: z.array(z.string()).optional(),
});
export type ToolOutcome = z.infer<typeof ToolOutcomeSchema>;
