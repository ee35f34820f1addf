import { expect, test } from 'vitest';
import { keyHelp } from '../../../src-renderer/models/key-words';
import { KeychainStateSchema } from '../../../src-shared/settings/shell.schema';

const help: [hasKey: boolean, movesToOtherAddress: boolean, says: RegExp][] = [
  [false, false, /^Kept in the keychain/],
  [false, true, /^Kept in the keychain/],
  [true, false, /^Leave this empty to keep the saved key\. Kept in the keychain/],
  [true, true, /dropped/],
];
test.each(help)('S5: with a saved key: %s, and another address: %s, says %s', (hasKey, movesToOtherAddress, says) => {
  expect(keyHelp({ keychain: 'ready', hasKey, movesToOtherAddress })).toMatch(says);
});

test('S5: claims the keychain only while it is open', () => {
  for (const keychain of KeychainStateSchema.options) {
    const claims = keyHelp({ keychain, hasKey: false, movesToOtherAddress: false }).startsWith('Kept in the keychain');
    expect(claims).toBe(keychain === 'ready');
  }
});
