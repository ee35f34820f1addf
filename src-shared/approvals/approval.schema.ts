import { z } from 'zod';
import { DigestSchema } from '../base/digest.schema';
import { ConversationIdSchema } from '../conversations/conversation.schema';
import { LaunchDiffSchema } from '../servers/launch-diff.schema';
import { ServerIdSchema, ServerSourceSchema } from '../servers/server.schema';
import { CallerKindSchema, JsonSchema, ToolClaimsSchema } from '../tools/tool.schema';

export const ApprovalIdSchema = z
  .string()
  .regex(/^approval-[a-z0-9-]{1,40}$/)
  .brand('ApprovalId');
export type ApprovalId = z.infer<typeof ApprovalIdSchema>;

/** One use, made with the request; an answer that does not carry it is not an answer (A9). */
export const NonceSchema = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .brand('Nonce');
export type Nonce = z.infer<typeof NonceSchema>;

/** Allow answers count only this long after the sheet was shown (A5, A9). */
export const ARMING_MS = 500;
export const DEFAULT_APPROVAL_TIMEOUT_MS = 300_000;

/** A piece of text for a dialog: `escape` stands for characters that would be invisible or lie (A5, T1). */
export const VisibleSegmentSchema = z.object({
  kind: z.enum(['text', 'escape', 'blank']),
  text: z.string(),
  /** Looks like a key, or is a stored secret (A7). */
  marked: z.literal(true).optional(),
  /** Stands word for word in what this source said: its place in `sources` (A6). */
  source: z.number().int().min(0).optional(),
});
export type VisibleSegment = z.infer<typeof VisibleSegmentSchema>;
export const VisibleTextSchema = z.array(VisibleSegmentSchema);
export type VisibleText = z.infer<typeof VisibleTextSchema>;

/** One top-level argument of a call, whole. */
export const ShownArgumentSchema = z.object({
  name: VisibleTextSchema,
  /** In words: "text", "list of 2", "number". */
  type: z.string(),
  bytes: z.number(),
  value: VisibleTextSchema,
});
export type ShownArgument = z.infer<typeof ShownArgumentSchema>;

/** One argument, or all of them, as a person edits it before it is sent (A5). */
export const EditableTextSchema = z.object({ kind: z.enum(['text', 'number', 'yes-no', 'json']), text: z.string() });
export type EditableText = z.infer<typeof EditableTextSchema>;

/** All results of one tool, or one thing attached, whose text is in the chat (A6). */
export const ShownSourceSchema = z.object({
  kind: z.enum(['result', 'resource', 'prompt']),
  serverName: z.string(),
  name: VisibleTextSchema,
  /** How many of them no answer for the called tool has covered. */
  fresh: z.number(),
});
export type ShownSource = z.infer<typeof ShownSourceSchema>;

const PendingSchema = z.object({
  id: ApprovalIdSchema,
  nonce: NonceSchema,
  /** Of the bytes main froze. The answer names it, and main sends exactly those bytes (A5). */
  digest: DigestSchema,
  askedAt: z.number(),
  expiresAt: z.number(),
  serverId: ServerIdSchema,
  serverName: z.string(),
  namespace: z.string(),
  /** Host, or real path of the program (N7). */
  where: z.string(),
  leaves: z.boolean(),
  /** Whose name the server's or the tool's looks like, to stand after its name (N7). */
  looksLike: z.array(z.object({ name: z.string(), words: z.string() })).optional(),
});

export const ToolApprovalSchema = PendingSchema.extend({
  kind: z.literal('tool-call'),
  toolName: VisibleTextSchema,
  /** What must be typed when `strength` is `ask-harder`: the raw name with escapes spelled out. */
  typedName: z.string(),
  caller: CallerKindSchema,
  conversationId: ConversationIdSchema.nullable(),
  claims: ToolClaimsSchema,
  strength: z.enum(['ask', 'ask-harder']),
  /** The allowing answers main would take, in order of reach. */
  offers: z.array(z.enum(['once', 'this-chat', 'always'])),
  arguments: z.array(ShownArgumentSchema),
  /** The frozen bytes as one text, for the raw view. */
  argumentsText: VisibleTextSchema,
  argumentsBytes: z.number(),
  /** The person changed them: these are no longer the ones that were asked for. */
  edited: z.literal(true).optional(),
  /** What in the arguments looks like a key, and who would receive it, one sentence each (A7). */
  outbound: z.array(z.string()).optional(),
  /** Whose text is in the chat besides this tool's own, one for each tool and each thing attached (A6). */
  sources: z.array(ShownSourceSchema).optional(),
  /** Why it is asking, one sentence each. */
  because: z.array(z.string()),
});
export type ToolApproval = z.infer<typeof ToolApprovalSchema>;

/** A remark beside a part of the command, in words (T1). */
export const LaunchFlagSchema = z.object({
  /** Which line it belongs to: the command, an argument by index, or a variable by name. */
  on: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('command') }),
    z.object({ kind: z.literal('argument'), index: z.number() }),
    z.object({ kind: z.literal('variable'), name: z.string() }),
  ]),
  text: z.string(),
});
export type LaunchFlag = z.infer<typeof LaunchFlagSchema>;

const ShownValueSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('shown'), value: VisibleTextSchema }),
  z.object({ kind: z.literal('secret') }),
  /** Filled in from this computer, and kept out of sight like a secret (S6). */
  z.object({ kind: z.literal('hidden') }),
]);

/** One variable that was filled in, with where it came from and where it goes (S6). */
const UsedVariableSchema = z.object({
  name: VisibleTextSchema,
  from: z.enum(['this-computer', 'default', 'keychain']),
  /** In words: "the header Authorization". */
  usedIn: z.string(),
  value: ShownValueSchema,
});

/** Exactly what would run or be contacted (T1). */
export const LaunchPlanSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('stdio'),
    /** As typed in the entry. */
    command: VisibleTextSchema,
    /** The absolute real path found, links resolved. */
    realPath: VisibleTextSchema,
    args: z.array(ShownValueSchema),
    cwd: VisibleTextSchema,
    env: z.array(z.object({ name: VisibleTextSchema, value: ShownValueSchema, from: z.enum(['entry', 'this-computer']) })),
    flags: z.array(LaunchFlagSchema),
    variables: z.array(UsedVariableSchema).optional(),
  }),
  z.object({
    kind: z.literal('http'),
    host: z.string(),
    /** The whole address (E6). */
    address: VisibleTextSchema,
    headers: z.array(z.object({ name: z.string(), value: ShownValueSchema })),
    flags: z.array(LaunchFlagSchema),
    variables: z.array(UsedVariableSchema).optional(),
  }),
]);
export type LaunchPlan = z.infer<typeof LaunchPlanSchema>;

export const LaunchApprovalSchema = PendingSchema.extend({
  kind: z.literal('launch'),
  source: ServerSourceSchema,
  addedAt: z.number(),
  plan: LaunchPlanSchema,
  /** Set when something else was approved before: "The command changed since you approved it." */
  changedSince: z.number().nullable(),
  /** What was approved then beside what stands there now; absent where that was not kept (T2). */
  changes: LaunchDiffSchema.optional(),
  /** Asks for a yes of its own: the address is one inside a private network, or its host led to one (E7). */
  privateNetwork: z.enum(['is', 'led']).optional(),
});
export type LaunchApproval = z.infer<typeof LaunchApprovalSchema>;

/** What a server asks a person during a call that they allowed (W8). Its words are treated, and none of them is a link. */
export const QuestionApprovalSchema = PendingSchema.extend({
  kind: z.literal('question'),
  conversationId: ConversationIdSchema,
  /** The tool whose call is open. */
  toolName: VisibleTextSchema,
  message: z.string(),
  /** How many characters that show nothing were taken out of its words (O1). */
  removedCharacters: z.number(),
  ask: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('form'), schema: z.record(z.string(), JsonSchema) }),
    z.object({
      kind: z.literal('open'),
      /** The whole address around its host (E6). */
      before: z.string(),
      host: z.string(),
      after: z.string(),
      warning: z.string().nullable(),
    }),
    /** The address is open, and the call goes on once the person is done there. */
    z.object({ kind: z.literal('come-back'), host: z.string() }),
  ]),
});
export type QuestionApproval = z.infer<typeof QuestionApprovalSchema>;

/** What a sign-in is about to contact, or to open in the browser (K2). Hosts and addresses are text, and none is a link. */
export const SignInApprovalSchema = PendingSchema.extend({
  kind: z.literal('sign-in'),
  step: z.enum(['contact', 'open-browser']),
  origins: z.array(z.object({ origin: z.string(), what: z.string() })),
  /** The whole address that would open (E6); null before that step. */
  address: VisibleTextSchema.nullable(),
  scopes: z.array(z.string()),
  notes: z.array(z.string()),
});
export type SignInApproval = z.infer<typeof SignInApprovalSchema>;

export const ApprovalRequestSchema = z.discriminatedUnion('kind', [
  ToolApprovalSchema,
  LaunchApprovalSchema,
  QuestionApprovalSchema,
  SignInApprovalSchema,
]);
export type ApprovalRequest = z.infer<typeof ApprovalRequestSchema>;

/** What a person can answer. `reason` goes to the model (A5). */
export const ApprovalAnswerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('refuse'), reason: z.string().max(500).optional() }),
  z.object({
    kind: z.literal('once'),
    typedName: z.string().max(2048).optional(),
    privateNetwork: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('this-chat') }),
  /** For this one tool, this kind of caller, this launch and this definition, until taken back (A1). */
  z.object({ kind: z.literal('always') }),
  /** A filled form, as JSON. */
  z.object({ kind: z.literal('filled'), text: z.string().max(100_000) }),
]);
export type ApprovalAnswer = z.infer<typeof ApprovalAnswerSchema>;
