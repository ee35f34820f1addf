import type { App } from 'electron';
import { assertNever } from '../../src-shared/base/assert-never';
import type { KeychainState, ShellView } from '../../src-shared/settings/shell.schema';

export interface ShellFacts {
  app: Pick<App, 'getVersion'>;
  keychain: KeychainState;
  /** Sentences of the stores that cannot be read now (S4). */
  problems: readonly (string | null)[];
  goTo: ShellView['goTo'];
}

export function shellView({ app, keychain, problems, goTo }: ShellFacts): ShellView {
  const banners = [keychainBanner(keychain), ...problems].filter((sentence) => sentence !== null);
  return { appVersion: app.getVersion(), platform: process.platform, keychain, banners, goTo };
}

/** Without the master key nothing secret is written, and nothing that was sealed before can be trusted (S5). */
function keychainBanner(state: KeychainState): string | null {
  switch (state) {
    case 'ready':
      return null;
    case 'locked':
      return 'The keychain is locked, so saved secrets and approvals cannot be read. Unlock it, then start Portcullis again.';
    case 'absent':
      return 'No keychain answered on this computer. Secrets, reviews and switches last until you quit, and are written nowhere.';
    case 'memory-only':
      return 'The keychain did not keep the key it was given. Secrets, reviews and switches last until you quit, and are written nowhere.';
    default:
      return assertNever(state);
  }
}
