import { z } from 'zod';

/** What the keychain process is asked. There is no question that lists items: on a locked keyring it would crash the process (S5). */
export const KeychainQuestionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('read'), id: z.number(), account: z.string() }),
  z.object({ kind: z.literal('write'), id: z.number(), account: z.string(), value: z.string() }),
]);
export type KeychainQuestion = z.infer<typeof KeychainQuestionSchema>;

/** `value` is null when the keychain holds no such item, or says so because it is locked. */
export const KeychainAnswerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('read'), id: z.number(), value: z.string().nullable() }),
  z.object({ kind: z.literal('written'), id: z.number() }),
  z.object({ kind: z.literal('unavailable'), id: z.number() }),
]);
export type KeychainAnswer = z.infer<typeof KeychainAnswerSchema>;
