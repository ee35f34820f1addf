import { utilityProcess } from 'electron';
import type { Clock } from '../../src-shared/base/clock';
import { openKeychain, type Keychain, type KeychainChannel } from './keychain';

/** The keychain as the app reaches it. `script` is the built keychain process; call it once Electron is ready. */
export function electronKeychain(parts: { script: string; clock: Clock }): Keychain {
  return openKeychain({ start: () => startUtilityProcess(parts.script), clock: parts.clock });
}

function startUtilityProcess(script: string): KeychainChannel {
  const child = utilityProcess.fork(script, [], { serviceName: 'Portcullis keychain', stdio: 'ignore' });
  return {
    post: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', listener),
    onEnd: (listener) => void child.once('exit', listener),
    end: () => void child.kill(),
  };
}
