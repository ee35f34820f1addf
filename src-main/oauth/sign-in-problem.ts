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

/** A host's own words, cut short and on one line (O4). */
export function quoteHost(text: string): string {
  const line = text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 200);
  return line === '' ? '' : ` It said: "${line}"`;
}
