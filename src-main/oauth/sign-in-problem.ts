/** Ends a sign-in on purpose; the message is for the person who started it. */
export class SignInProblem extends Error {
  override readonly name = 'SignInProblem';
  constructor(
    message: string,
    readonly kind: 'refused' | 'failed' | 'cancelled' | 'needs-client' = 'failed',
  ) {
    super(message);
  }
}

/** Neither a token anyone can use, nor one bound to the key of this sign-in. */
export const UNUSED_KIND = (name: string): string =>
  `The sign-in host of ${name} gave a kind of token that this app does not use.`;

/** A host's own words, cut short and on one line (O4). */
export function quoteHost(text: string): string {
  const line = text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 200);
  return line === '' ? '' : ` It said: "${line}"`;
}

/** Why a sign-in ended, for the person who started it: never a library's own words. */
export function problemWords(error: unknown, name: string): string {
  if (error instanceof SignInProblem) return error.message;
  if ((error as { code?: unknown }).code === 'SECRET_NOT_SAVED') return (error as Error).message;
  return `The sign-in host of ${name} sent an answer that this app could not use.`;
}
