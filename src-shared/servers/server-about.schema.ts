import { z } from 'zod';
import { InstructionsStandingSchema } from '../tools/instructions.schema';

/** What a server claims of itself, treated for showing. A claim decides nothing (A3). */
export const ServerClaimsSchema = z.object({
  name: z.string(),
  version: z.string(),
  /** The version of the protocol that both sides agreed on. */
  protocol: z.string(),
  era: z.enum(['modern', 'legacy']),
  /** What it says it has: "tools", "prompts". */
  offers: z.array(z.string()),
  /** When it said so. */
  at: z.number(),
});
export type ServerClaims = z.infer<typeof ServerClaimsSchema>;

/** What a row says of a server beside where it stands. */
export const ServerAboutSchema = z.object({
  /** What waits for a look, and what is not listed any more (R4). */
  review: z.object({ changed: z.number(), added: z.number(), gone: z.number() }),
  instructions: InstructionsStandingSchema,
  /** Whose name its own looks like (N7). */
  looksLike: z.array(z.object({ name: z.string(), words: z.string() })),
  /** About what its offered tools cost each turn (R7); absent while not all are counted. */
  tokens: z.number().optional(),
  claims: ServerClaimsSchema.nullable(),
  lastContactAt: z.number().nullable(),
});
export type ServerAbout = z.infer<typeof ServerAboutSchema>;

/** Of an entry that nothing is known of. */
export const NOTHING_ABOUT: ServerAbout = {
  review: { changed: 0, added: 0, gone: 0 },
  instructions: { state: 'none', digest: null, told: false },
  looksLike: [],
  claims: null,
  lastContactAt: null,
};
