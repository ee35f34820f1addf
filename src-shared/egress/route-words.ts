import type { KeychainState } from '../settings/shell.schema';
import type { RouteKind } from './egress.schema';

/** One plain sentence for each side a route can lie on; null where it never lies there. */
interface RouteWords {
  leaving: string | null;
  staying: string | null;
}

/** What each kind of route sends (P3). A kind without words does not compile, and neither do words without a kind. */
export const ROUTE_WORDS: Record<RouteKind, RouteWords> = {
  model: {
    leaving: 'Your messages, the descriptions of the tools that are on and the results of the calls you allow go to this host.',
    staying:
      'Another program on this computer receives your messages, the descriptions of the tools that are on and the results of the calls you allow. What it passes on cannot be seen from here.',
  },
  'mcp-server': {
    leaving: 'The arguments of the calls you allow and the headers you set for it go to this host.',
    staying:
      'Another program on this computer receives the arguments of the calls you allow and the headers you set for it. What it passes on cannot be seen from here.',
  },
  'sign-in': {
    leaving:
      'Questions about how to sign in, the registration of this app, and codes and tokens go to this host. It is open for a sign-in you approved, and afterwards to renew its tokens.',
    staying:
      'Another program on this computer receives questions about how to sign in, the registration of this app, and codes and tokens. It is open for a sign-in you approved, and afterwards to renew its tokens.',
  },
  'browser-link': {
    leaving:
      'An address that you saw whole and said yes to opens in your browser. This app hands it over and sends nothing itself; what the browser then sends is not in this ledger.',
    staying:
      'An address on this computer that you saw whole and said yes to opens in your browser. This app hands it over and sends nothing itself.',
  },
  'local-program': {
    leaving: null,
    staying:
      'A program on this computer receives the arguments of the calls you allow. It can reach the network by itself, and what it sends is not in this ledger.',
  },
  'command-line-run': {
    leaving: 'A test that you type in a shell contacts the one host you typed, for that one run.',
    staying:
      'A test that you type in a shell starts or contacts one program on this computer, for that one run. What that program sends is not in this ledger.',
  },
  keychain: {
    leaving: null,
    staying: 'The key that locks your secrets is kept in the keychain of this computer. It goes nowhere else.',
  },
  'single-instance-socket': {
    leaving: null,
    staying:
      'A second start of the app asks the first one to come to the front, through a socket that only programs on this computer reach.',
  },
};

/** Said of a route besides, where the user gave that yes (E7). */
export const PRIVATE_NETWORK_WORDS = 'You let this host lead inside a private network.';

/** Where the key stands, in words for the keychain's row. */
export const KEYCHAIN_WORDS: Record<KeychainState, string> = {
  ready: 'The keychain of this computer, unlocked',
  locked: 'The keychain of this computer, locked',
  absent: 'No keychain on this computer',
  'memory-only': 'In memory, for this run only',
};
