import type { z } from 'zod';

/** One question the window can ask: what it must send, and what it may be told. */
export interface CallShape<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  input: I;
  output: O;
}

export const call = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O): CallShape<I, O> => ({ input, output });
