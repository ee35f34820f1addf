import type { KeychainState } from '../../src-shared/settings/shell.schema';

const KEPT: Record<KeychainState, string> = {
  ready: 'Kept in the keychain of this computer. It is never shown again.',
  locked: 'The keychain is locked, so the key is kept only until the app closes.',
  absent: 'This computer has no keychain, so the key is kept only until the app closes.',
  'memory-only': 'The keychain did not keep anything, so the key is kept only until the app closes.',
};

interface KeyFacts {
  keychain: KeychainState;
  hasKey: boolean;
  movesToOtherAddress: boolean;
}

/** What stands under the key: where it is kept, and what an empty field means. */
export function keyHelp({ keychain, hasKey, movesToOtherAddress }: KeyFacts): string {
  if (!hasKey) return KEPT[keychain];
  return movesToOtherAddress
    ? 'The saved key belongs to the old address and is dropped. Enter a key for the new one, or leave this empty to have none.'
    : `Leave this empty to keep the saved key. ${KEPT[keychain]}`;
}
