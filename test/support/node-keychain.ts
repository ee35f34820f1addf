import type { Clock } from '../../src-shared/base/clock';
import { openKeychain, type Keychain, type KeychainChannel } from '../../src-main/secrets/keychain';

/** What this room needs of a forked process. Forking itself belongs to the processes room. */
export interface ForkedProcess {
  send(message: object): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  kill(): boolean;
}

/** The app's keychain process, forked by plain Node: so it is tested against a real keyring without a window. */
export function nodeKeychain(parts: { fork: () => ForkedProcess; clock: Clock }): Keychain {
  return openKeychain({ start: () => channelTo(parts.fork()), clock: parts.clock });
}

function channelTo(child: ForkedProcess): KeychainChannel {
  let tellEnd: () => void = () => undefined;
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    tellEnd();
  };
  child.on('exit', end);
  // A process that could not be started reports an error and no exit.
  child.on('error', end);
  return {
    post: (message) => void child.send(message),
    onMessage: (listener) => void child.on('message', listener),
    onEnd: (listener) => {
      tellEnd = listener;
      if (ended) listener();
    },
    end: () => void child.kill(),
  };
}
