import { failed, ok, type Result } from '../../src-shared/base/result';
import type { Keychain } from '../../src-main/secrets/keychain';

/**
 * A keychain in memory. `locked` behaves like a locked keyring nobody can be asked about: reading says null for what is
 * there, writing fails. `absent` answers nothing. `forgetful` takes items and keeps none.
 */
export class FakeKeychain implements Keychain {
  readonly items = new Map<string, string>();
  mode: 'unlocked' | 'locked' | 'absent' | 'forgetful';
  ended = 0;

  constructor(mode: FakeKeychain['mode'] = 'unlocked') {
    this.mode = mode;
  }

  async read(account: string): Promise<Result<string | null, 'unavailable'>> {
    if (this.mode === 'absent') return failed('unavailable');
    return ok(this.mode === 'unlocked' ? (this.items.get(account) ?? null) : null);
  }

  async write(account: string, value: string): Promise<Result<void, 'unavailable'>> {
    if (this.mode === 'absent' || this.mode === 'locked') return failed('unavailable');
    if (this.mode === 'unlocked') this.items.set(account, value);
    return ok(undefined);
  }

  end(): void {
    this.ended += 1;
  }
}
