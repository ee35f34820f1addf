import { z } from 'zod';

const MacSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** The first record of a chain. A chain goes on over restarts for as long as its key is kept. */
export const StartRecordSchema = z.object({
  kind: z.literal('start'),
  at: z.number(),
  /** How many entries have been erased from this ledger so far. */
  erased: z.number().int().min(0),
  /** `this-run`: there was no keychain, so that the key ended with the run that wrote the chain. */
  key: z.enum(['kept', 'this-run']),
  /** True when this chain began because the one before it did not hold together. Kept here so that the finding outlives the run. */
  afterBreak: z.boolean(),
  /** How many lines were found missing at that moment. */
  missing: z.number().int().min(0),
});

/** Written before a request goes. */
export const AttemptRecordSchema = z.object({
  kind: z.literal('attempt'),
  at: z.number(),
  attempt: z.string(),
  conversation: z.string().nullable(),
  host: z.string(),
  method: z.string(),
  route: z.string(),
});

/** Written once it is known what became of the request. */
export const ResultRecordSchema = z.object({
  kind: z.literal('result'),
  address: z.string().nullable(),
  at: z.number(),
  attempt: z.string(),
  bytesIn: z.number(),
  bytesOut: z.number(),
  ms: z.number(),
  outcome: z.enum(['answered', 'failed', 'refused', 'cut-off']),
  status: z.number().nullable(),
});

/** A request that no route let through. Nothing of it was sent. */
export const RefusedRecordSchema = AttemptRecordSchema.extend({ kind: z.literal('refused') });

/** What one line of the ledger file says (P4). There is no field for a path, a query or content. */
export const LedgerRecordSchema = z.discriminatedUnion('kind', [
  StartRecordSchema,
  AttemptRecordSchema,
  ResultRecordSchema,
  RefusedRecordSchema,
]);
export type LedgerRecord = z.infer<typeof LedgerRecordSchema>;
export type StartRecord = z.infer<typeof StartRecordSchema>;
export type AttemptRecord = z.infer<typeof AttemptRecordSchema>;
export type ResultRecord = z.infer<typeof ResultRecordSchema>;

/** One line of the ledger file: the record, and its seal over the line before and itself. */
export const LedgerLineSchema = z.object({ mac: MacSchema, record: LedgerRecordSchema });

/** The end of the chain, kept in a file of its own, so that lines cut off the ledger are missed. */
export const LedgerHeadSchema = z.object({ count: z.number().int().min(0), head: MacSchema, mac: MacSchema });
export type LedgerHead = z.infer<typeof LedgerHeadSchema>;
