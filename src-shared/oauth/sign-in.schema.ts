import { z } from 'zod';
import { SecretRefSchema, ServerIdSchema } from '../servers/server.schema';

/** How the app names itself to the sign-in host (K4), as the window sends it. A secret crosses once, inwards. */
export const SignInClientDraftSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('entered'),
    clientId: z.string().trim().min(1).max(2048),
    secret: z.string().min(1).max(4096).optional(),
    callback: z.string().max(2048),
  }),
  z.object({
    kind: z.literal('itself'),
    clientId: z.string().trim().min(1).max(2048),
    proof: z.enum(['secret', 'key']),
    secret: z.string().min(1).max(16_384),
  }),
  z.object({ kind: z.literal('document'), address: z.string().max(2048) }),
  z.object({ kind: z.literal('register') }),
]);
export type SignInClientDraft = z.infer<typeof SignInClientDraftSchema>;

/** The same as it is kept, inside the vault. */
export const SignInClientSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('entered'),
    clientId: z.string(),
    secretRef: SecretRefSchema.nullable(),
    callback: z.string(),
  }),
  /** The app signs in with no person and no browser: the secret is one, or a private key as PEM (RFC 6749 4.4, RFC 7523). */
  z.object({ kind: z.literal('itself'), clientId: z.string(), proof: z.enum(['secret', 'key']), secretRef: SecretRefSchema }),
  z.object({ kind: z.literal('document'), address: z.string() }),
  z.object({ kind: z.literal('register') }),
]);
export type SignInClient = z.infer<typeof SignInClientSchema>;

/** What the window is told of it: never the secret. */
export const ShownSignInClientSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('entered'), clientId: z.string(), hasSecret: z.boolean(), callback: z.string() }),
  z.object({ kind: z.literal('itself'), clientId: z.string(), proof: z.enum(['secret', 'key']) }),
  z.object({ kind: z.literal('document'), address: z.string() }),
  z.object({ kind: z.literal('register') }),
]);
export type ShownSignInClient = z.infer<typeof ShownSignInClientSchema>;

/** What the tokens of one server belong to, and where they are renewed. It is kept sealed, so no file can bend it (K3). */
export const SignInRecordSchema = z.object({
  serverId: ServerIdSchema,
  /** The address of the server, byte for byte: another address has no tokens. */
  endpoint: z.string(),
  /** Exactly as advertised; null when the server advertises none (older era). */
  resource: z.string().nullable(),
  issuer: z.string(),
  tokenEndpoint: z.string(),
  authMethods: z.array(z.string()),
  clientId: z.string(),
  clientSecretRef: SecretRefSchema.nullable(),
  clientAuthMethod: z.string().nullable(),
  accessRef: SecretRefSchema,
  refreshRef: SecretRefSchema.nullable(),
  /** The private key these tokens are bound to (RFC 9449); null when whoever holds them can use them. */
  keyRef: SecretRefSchema.nullable().default(null),
  /** From when on the token is renewed before it is used; null when its host names no end. */
  renewAt: z.number().nullable(),
  scope: z.string(),
});
export type SignInRecord = z.infer<typeof SignInRecordSchema>;

/** One origin a sign-in would contact, and what for. */
export const SignInOriginSchema = z.object({ origin: z.string(), what: z.string() });
export type SignInOrigin = z.infer<typeof SignInOriginSchema>;

/** What a person is asked in the course of a sign-in (K2). */
export const SignInPlanSchema = z.object({
  step: z.enum(['contact', 'open-browser']),
  origins: z.array(SignInOriginSchema),
  /** The whole address the browser would open; null before that step. */
  address: z.string().nullable(),
  scopes: z.array(z.string()),
  /** One sentence each: that the app registers itself, that the host publishes nothing of itself. */
  notes: z.array(z.string()),
});
export type SignInPlan = z.infer<typeof SignInPlanSchema>;
