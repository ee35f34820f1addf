import { z } from 'zod';

export const RouteIdSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,80}$/)
  .brand('RouteId');
export type RouteId = z.infer<typeof RouteIdSchema>;

/** Every way out there is. A kind without words does not compile (P3, see route-table). */
export const RouteKindSchema = z.enum([
  'model',
  'mcp-server',
  'sign-in',
  'browser-link',
  'local-program',
  'command-line-run',
  'keychain',
  'single-instance-socket',
]);
export type RouteKind = z.infer<typeof RouteKindSchema>;

/** One row of the one table that both shows and enforces (P1). */
export const RouteSchema = z.object({
  id: RouteIdSchema,
  kind: RouteKindSchema,
  /** The user's own name for it. */
  name: z.string(),
  /** Scheme, host and port the door lets through; null where nothing speaks HTTP. */
  origin: z.string().nullable(),
  /** The request path must start with it. */
  pathPrefix: z.string(),
  on: z.boolean(),
  leaves: z.boolean(),
  /** True where the user said yes to addresses inside a private network; elsewhere the door dials none (E7). */
  privateNetwork: z.boolean().optional(),
  /** Host, path of a program, or words. */
  where: z.string(),
  /** What it sends, in one plain sentence. */
  sends: z.string(),
  /** True where the row has a switch of its own on the Privacy tab. */
  switchable: z.boolean(),
});
export type Route = z.infer<typeof RouteSchema>;

/** What the ledger knows of one route over the last 30 days. */
export const RouteUseSchema = z.object({
  routeId: RouteIdSchema,
  times: z.number(),
  bytesOut: z.number(),
  bytesIn: z.number(),
  lastAt: z.number().nullable(),
  /** Bytes a day, oldest first, 30 entries. */
  days: z.array(z.number()),
});
export type RouteUse = z.infer<typeof RouteUseSchema>;

/** One request as the ledger tells it: attempt and result joined. Never a query string, never content (P4). */
export const LedgerRowSchema = z.object({
  attempt: z.string(),
  at: z.number(),
  routeId: z.string(),
  host: z.string(),
  /** The address dialled, once known (E4). */
  address: z.string().nullable(),
  method: z.string(),
  /** `open` until a result record stands; `refused` was never sent. */
  outcome: z.enum(['open', 'answered', 'failed', 'refused', 'cut-off']),
  status: z.number().nullable(),
  bytesOut: z.number(),
  bytesIn: z.number(),
  ms: z.number().nullable(),
  conversation: z.string().nullable(),
});
export type LedgerRow = z.infer<typeof LedgerRowSchema>;

/** The method of a row that tells of an address handed to the browser. */
export const HANDED_OVER = 'open';

export const EgressViewSchema = z.object({
  routes: z.array(RouteSchema),
  use: z.array(RouteUseSchema),
  /** The latest 200 rows, newest first. */
  ledger: z.array(LedgerRowSchema),
  ledgerCount: z.number(),
  /** Whether the chain of the ledger file holds; a sentence when it does not. */
  chainProblem: z.string().nullable(),
  erasedCount: z.number(),
});
export type EgressView = z.infer<typeof EgressViewSchema>;
