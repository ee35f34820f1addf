import { failed, ok } from '../../src-shared/base/result';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import { CALLBACK_ADVICE, readCallback } from '../../src-shared/oauth/callback-rule';
import type { SignInClientDraft } from '../../src-shared/oauth/sign-in.schema';
import { checkEndpoint } from '../../src-shared/servers/endpoint-rule';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { signingAlgorithmOf } from './client-credentials';
import type { SignIn } from './sign-in';

export interface SignInCallParts {
  signIn: Pick<SignIn, 'start' | 'cancel' | 'signOut' | 'setClient' | 'shownClient'>;
  /** A sentence unless a person just pressed something in the window (A9). */
  noActProblem(): string | null;
  /** The server is to be tried again with what was signed in to, or without. */
  tryAgain(id: ServerId): void;
}

export function signInCalls({ signIn, noActProblem, tryAgain }: SignInCallParts): Pick<CallHandlers, `signIn.${SignInCall}`> {
  return {
    'signIn.start': async ({ id }) => {
      const noAct = noActProblem();
      if (noAct !== null) return failed({ code: 'refused', message: noAct });
      const done = await signIn.start(id);
      if (!done.ok) return failed({ code: 'refused', message: done.problem });
      tryAgain(id);
      return ok({});
    },
    'signIn.cancel': async ({ id }) => {
      signIn.cancel(id);
      return ok({});
    },
    'signIn.signOut': async ({ id }) => {
      signIn.signOut(id);
      tryAgain(id);
      return ok({});
    },
    'signIn.client': async ({ id }) => ok(signIn.shownClient(id)),
    'signIn.setClient': async ({ id, client }) => {
      const problem = clientProblem(client);
      if (problem !== null) return failed({ code: 'invalid-input', message: problem });
      try {
        signIn.setClient(id, client);
        return ok({});
      } catch (error) {
        return failed({ code: 'refused', message: error instanceof Error ? error.message : 'It could not be saved.' });
      }
    },
  };
}

type SignInCall = 'start' | 'cancel' | 'signOut' | 'client' | 'setClient';

function clientProblem(client: SignInClientDraft): string | null {
  switch (client.kind) {
    case 'register':
      return null;
    case 'entered': {
      const callback = readCallback(client.callback);
      return callback.ok ? null : CALLBACK_ADVICE[callback.problem];
    }
    case 'itself':
      return client.proof === 'secret' || signingAlgorithmOf(client.secret) !== null
        ? null
        : 'Enter the whole private key as PEM, without a passphrase: an RSA key, or an EC key on P-256.';
    case 'document': {
      // The document itself is read by the host, never by this app; its address is the client id.
      const checked = checkEndpoint(client.address);
      const stands = checked.ok && checked.value.url.protocol === 'https:' && checked.value.url.pathname !== '/';
      return stands ? null : 'Enter the whole https address of your document, with its path.';
    }
  }
}
