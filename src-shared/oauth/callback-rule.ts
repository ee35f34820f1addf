import { failed, ok, type Result } from '../base/result';

export interface CallbackPlace {
  host: '127.0.0.1' | 'localhost' | '[::1]';
  port: number;
  path: string;
}

export type CallbackProblem = 'not-loopback' | 'no-port';

export const CALLBACK_ADVICE: Record<CallbackProblem, string> = {
  'not-loopback': 'Enter a callback on this computer, such as http://127.0.0.1:8765/callback.',
  'no-port': 'Enter the callback with its port, such as http://127.0.0.1:8765/callback.',
};

const CALLBACK = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(?::(\d{1,5}))?(\/[^\s#?\\]*)$/;

/** A callback the user registered somewhere: it is listened on and sent exactly as it was entered (K5). */
export function readCallback(text: string): Result<CallbackPlace, CallbackProblem> {
  const match = CALLBACK.exec(text);
  if (!match) return failed('not-loopback');
  const [, host = '', port, path = '/'] = match;
  if (port === undefined || Number(port) < 1 || Number(port) > 65_535) return failed('no-port');
  return ok({ host: host as CallbackPlace['host'], port: Number(port), path });
}
