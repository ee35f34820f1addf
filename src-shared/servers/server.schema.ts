import { z } from 'zod';
import { SignInStateSchema } from '../oauth/sign-in-state.schema';
import { ServerAboutSchema } from './server-about.schema';
import { WireChoiceSchema } from './wire-choice.schema';

/** Random, made by the app, never taken from a file and never re-used (S11). */
export const ServerIdSchema = z
  .string()
  .regex(/^[a-z0-9-]{1,36}$/)
  .brand('ServerId');
export type ServerId = z.infer<typeof ServerIdSchema>;

/** Names one secret in the encrypted secrets file. It says nothing of the value (S5). */
export const SecretRefSchema = z
  .string()
  .regex(/^secret-[a-z0-9-]{1,40}$/)
  .brand('SecretRef');
export type SecretRef = z.infer<typeof SecretRefSchema>;

/** A value as it stands in the store: in the clear, or by reference. */
export const StoredValueSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('literal'), value: z.string().max(32_768) }),
  z.object({ kind: z.literal('secret'), ref: SecretRefSchema }),
]);
export type StoredValue = z.infer<typeof StoredValueSchema>;

/** A value as the window sends it. A new secret crosses once, inwards, and never comes back. */
export const DraftValueSchema = z.discriminatedUnion('kind', [
  ...StoredValueSchema.options,
  z.object({ kind: z.literal('new-secret'), value: z.string().min(1).max(32_768) }),
]);
export type DraftValue = z.infer<typeof DraftValueSchema>;

/** Passed on from this computer by name, as `docker run -e NAME` expects it: its value stands in no file (S6). */
const InheritedValueSchema = z.object({ kind: z.literal('inherit') });
const StoredVariableSchema = z.discriminatedUnion('kind', [...StoredValueSchema.options, InheritedValueSchema]);
const DraftVariableSchema = z.discriminatedUnion('kind', [...DraftValueSchema.options, InheritedValueSchema]);
/** What a variable of a program is set to. */
export type StoredVariable = z.infer<typeof StoredVariableSchema>;
export type DraftVariable = z.infer<typeof DraftVariableSchema>;

const VariableNameSchema = z.string().regex(/^[^\s=\0]{1,256}$/);
/** RFC 9110 5.1: a field name is a token. */
const HeaderNameSchema = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/);

const connectionOf = <V extends z.ZodType, W extends z.ZodType>(value: V, variable: W) => {
  /** What `${input:key}` stands for, asked for when the entry is added. */
  const inputs = z.array(z.object({ key: z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/), value })).max(32);
  return z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('stdio'),
      command: z.string().min(1).max(4096),
      args: z.array(value).max(256),
      /** The working folder; absent means the user's home folder. */
      cwd: z.string().min(1).max(4096).optional(),
      env: z.array(z.object({ name: VariableNameSchema, value: variable })).max(128),
      inputs: inputs.optional(),
    }),
    z.object({
      kind: z.literal('http'),
      endpoint: z.string().max(2048),
      headers: z.array(z.object({ name: HeaderNameSchema, value })).max(64),
      inputs: inputs.optional(),
    }),
  ]);
};

export const ConnectionSchema = connectionOf(StoredValueSchema, StoredVariableSchema);
export type Connection = z.infer<typeof ConnectionSchema>;
export type StdioConnection = Extract<Connection, { kind: 'stdio' }>;
export type HttpConnection = Extract<Connection, { kind: 'http' }>;

/** Where an entry came from (S8). It decides trust, so it is kept for good. */
export const ServerSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('you') }),
  z.object({ kind: z.literal('sample') }),
  z.object({ kind: z.literal('imported'), file: z.string().max(4096) }),
  z.object({
    kind: z.literal('workspace'),
    folder: z.string().max(4096),
    /** Which entry of which of its files: what the entry in the store follows (T3). */
    file: z.string().max(64).optional(),
    entry: z.string().max(300).optional(),
  }),
  /** Named by the person who started the app; its entries go with that run (S9). */
  z.object({ kind: z.literal('this-run'), file: z.string().max(4096) }),
]);
export type ServerSource = z.infer<typeof ServerSourceSchema>;

export const DEFAULT_LIMITS = {
  maxReplyBytes: 2 * 1024 * 1024,
  callTimeoutMs: 20_000,
  discoveryTimeoutMs: 10_000,
  startTimeoutMs: 60_000,
  maxTools: 100,
} as const;

/** Bounds of one server (W2, W3, R3). Times are milliseconds, sizes are bytes after decompression. */
export const ServerLimitsSchema = z.object({
  maxReplyBytes: z
    .number()
    .int()
    .min(1024)
    .max(64 * 1024 * 1024)
    .catch(DEFAULT_LIMITS.maxReplyBytes),
  callTimeoutMs: z.number().int().min(100).max(600_000).catch(DEFAULT_LIMITS.callTimeoutMs),
  discoveryTimeoutMs: z.number().int().min(100).max(600_000).catch(DEFAULT_LIMITS.discoveryTimeoutMs),
  startTimeoutMs: z.number().int().min(100).max(600_000).catch(DEFAULT_LIMITS.startTimeoutMs),
  maxTools: z.number().int().min(1).max(5000).catch(DEFAULT_LIMITS.maxTools),
});
export type ServerLimits = z.infer<typeof ServerLimitsSchema>;

/** As the window sends them: whole numbers or not, in bounds or not, the rule says. */
export const LimitsDraftSchema = z.object({
  maxReplyBytes: z.number(),
  callTimeoutMs: z.number(),
  discoveryTimeoutMs: z.number(),
  startTimeoutMs: z.number(),
  maxTools: z.number(),
});

/** What the Add form sends. `namespace` left out means: suggest one from the name (N1). */
export const ServerDraftSchema = z.object({
  name: z.string().trim().min(1).max(300),
  namespace: z.string().max(64).optional(),
  connection: connectionOf(DraftValueSchema, DraftVariableSchema),
  /** Of a new server only; that of one in the store is set by itself. */
  wire: WireChoiceSchema.optional(),
});
export type ServerDraft = z.infer<typeof ServerDraftSchema>;

/** One entry of the store, as decoded. S1: anything but exactly `true` is off. */
export const ServerConfigSchema = z.object({
  id: ServerIdSchema,
  name: z.string().trim().min(1).max(300),
  /** Null until the user accepts a legal one (N1). */
  namespace: z.string().max(64).nullable().catch(null),
  connection: ConnectionSchema,
  enabled: z.literal(true).or(z.literal(false)).catch(false),
  source: ServerSourceSchema.catch({ kind: 'you' }),
  addedAt: z.number().catch(0),
  limits: ServerLimitsSchema.catch({ ...DEFAULT_LIMITS }),
  /** Left out: found out by itself. */
  wire: WireChoiceSchema.optional().catch(undefined),
});
export type ServerConfig = z.infer<typeof ServerConfigSchema>;

/** Where a server stands, in the order a person would ask. */
export const ServerStatusSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('refused'), reason: z.string() }),
  z.object({ kind: z.literal('needs-name'), suggestion: z.string() }),
  z.object({ kind: z.literal('off') }),
  /** Meant to be on, but no valid review stands for what would run now (S10, T2). */
  z.object({ kind: z.literal('needs-review'), because: z.enum(['never-approved', 'changed-since-approved']) }),
  /** Runs or is contacted so that its tools can be reviewed; offers nothing (R4). */
  z.object({ kind: z.literal('looking'), phase: z.enum(['starting', 'ready']) }),
  z.object({ kind: z.literal('starting') }),
  z.object({ kind: z.literal('on'), connected: z.boolean() }),
  /** On, but down: `problem` is one sentence, `log` the last lines it wrote; before `retryAt` no call tries it again. */
  z.object({ kind: z.literal('failed'), problem: z.string(), log: z.array(z.string()), retryAt: z.number().optional() }),
]);
export type ServerStatus = z.infer<typeof ServerStatusSchema>;

/** One row of the Settings list: the projection that every surface prints. */
export const ServerRowSchema = z.object({
  id: ServerIdSchema,
  name: z.string(),
  namespace: z.string().nullable(),
  connection: ConnectionSchema.nullable(),
  source: ServerSourceSchema,
  addedAt: z.number(),
  /** The user's intent as it stands in the file. */
  enabled: z.boolean(),
  status: ServerStatusSchema,
  /** False for a program on this computer and for loopback (E3). */
  leaves: z.boolean(),
  /** Host for an address, real path (or the typed command while unresolved) for a program. */
  where: z.string(),
  /** When the launch was approved, or null. */
  approvedAt: z.number().nullable(),
  pid: z.number().nullable(),
  runningSince: z.number().nullable(),
  signIn: SignInStateSchema,
  toolsOffered: z.number(),
  toolsTotal: z.number(),
  /** How many of its tools wait for a look (new or changed since reviewed). */
  toolsToReview: z.number(),
  about: ServerAboutSchema,
  limits: ServerLimitsSchema,
  /** Left out: found out by itself. */
  wire: WireChoiceSchema.optional(),
});
export type ServerRow = z.infer<typeof ServerRowSchema>;

export const ServerLogLineSchema = z.object({
  at: z.number(),
  from: z.enum(['stderr', 'stdout-noise', 'message', 'app']),
  text: z.string(),
});
export type ServerLogLine = z.infer<typeof ServerLogLineSchema>;
