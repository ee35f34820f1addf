import { z } from 'zod';

/** Where the sign-in of one server stands. */
export const SignInStateSchema = z.enum([
  /** The server never asked, or its own headers are enough (K1). */
  'not-asked',
  'needed',
  /** Its tokens were refused and are gone. */
  'needed-again',
  'under-way',
  'signed-in',
]);
export type SignInState = z.infer<typeof SignInStateSchema>;
