import keytar from 'keytar';
import { KeychainQuestionSchema, type KeychainAnswer, type KeychainQuestion } from './keychain-messages';

// The whole program of the keychain process. keytar can crash on a locked keyring, and here it takes nothing along.

const SERVICE = 'Portcullis';

async function answer(question: KeychainQuestion): Promise<KeychainAnswer> {
  const { id, account } = question;
  try {
    if (question.kind === 'read') return { kind: 'read', id, value: await keytar.getPassword(SERVICE, account) };
    await keytar.setPassword(SERVICE, account, question.value);
    return { kind: 'written', id };
  } catch {
    return { kind: 'unavailable', id };
  }
}

function serve(receive: (listener: (message: unknown) => void) => void, send: (message: KeychainAnswer) => void): void {
  receive((message) => {
    const question = KeychainQuestionSchema.safeParse(message);
    if (question.success) void answer(question.data).then(send);
  });
}

// Electron gives a utility process a port; a forked Node process talks over its own channel and ends when that closes.
const port = (process as Partial<Pick<NodeJS.Process, 'parentPort'>>).parentPort;
if (port) {
  serve(
    (listener) => port.on('message', (event) => listener(event.data)),
    (message) => port.postMessage(message),
  );
} else {
  serve(
    (listener) => process.on('message', listener),
    (message) => process.send?.(message),
  );
}
