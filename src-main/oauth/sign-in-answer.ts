import type { Clock } from '../../src-shared/base/clock';
import type { CallbackListener } from '../egress/callback-listener';
import type { HostMetadata } from './host-metadata';
import { quoteHost, SignInProblem } from './sign-in-problem';

const CALLBACK_TIMEOUT_MS = 300_000;

export interface AnswerParts {
  clock: Clock;
  serverName: string;
  signal: AbortSignal;
}

/** What the browser brought back, within five minutes and unless the sign-in was cancelled. Throws SignInProblem. */
export async function waitForAnswer(listener: CallbackListener, parts: AnswerParts): Promise<URLSearchParams> {
  const { clock, signal, serverName: name } = parts;
  let cancelTimeout: () => void = () => undefined;
  let onAbort: () => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    const wait = (): void => reject(new SignInProblem(`Nobody finished the sign-in to ${name} within 5 minutes.`, 'cancelled'));
    cancelTimeout = clock.after(CALLBACK_TIMEOUT_MS, wait);
    onAbort = (): void => reject(new SignInProblem(`The sign-in to ${name} was cancelled.`, 'cancelled'));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([listener.answer, ended]);
  } finally {
    cancelTimeout();
    signal.removeEventListener('abort', onAbort);
  }
}

/** The code in an answer of the host that was asked. RFC 9207 comes first: what a wrong host says is not even quoted. */
export function codeFrom(
  answer: URLSearchParams,
  host: HostMetadata | null,
  name: string,
): { code: string; iss: string | undefined } {
  const iss = answer.get('iss') ?? undefined;
  const expected = host?.issuer;
  const isMissing = iss === undefined && host?.authorization_response_iss_parameter_supported === true;
  if (isMissing || (expected !== undefined && iss !== undefined && iss !== expected))
    throw new SignInProblem(`The answer to the sign-in to ${name} did not come from the host that was asked.`, 'refused');
  const error = answer.get('error');
  if (error !== null) {
    const said = quoteHost(answer.get('error_description') ?? error);
    throw new SignInProblem(`The sign-in host of ${name} did not let you in.${said}`, 'refused');
  }
  const code = answer.get('code');
  if (code === null) throw new SignInProblem(`The answer to the sign-in to ${name} held nothing to go on with.`);
  return { code, iss };
}
