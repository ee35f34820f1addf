import { z } from 'zod';

/** How one server is spoken to, where the user knows better than what the app finds out by itself (W1). */
export const WireChoiceSchema = z.object({
  /** Of an address; a program has one way only. */
  protocol: z.enum(['auto', 'streamable-http', 'sse']).catch('auto'),
  era: z.enum(['auto', 'modern', 'legacy']).catch('auto'),
});
export type WireChoice = z.infer<typeof WireChoiceSchema>;

export const AUTOMATIC_WIRE = { protocol: 'auto', era: 'auto' } as const satisfies WireChoice;
