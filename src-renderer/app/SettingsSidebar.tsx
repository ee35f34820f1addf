import type { KeychainState } from '../../src-shared/settings/shell.schema';
import { useView } from '../host/mirror-store';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { goTo, type Place } from './navigation-store';
import { NavItem } from './NavItem';
import styles from './Sidebar.module.css';

const KEYCHAIN_WORDS: Record<KeychainState, string> = {
  ready: 'Keychain unlocked',
  locked: 'Keychain locked: secrets cannot be read',
  absent: 'No keychain on this computer',
  'memory-only': 'Secrets are kept for this run only',
};

export function SettingsSidebar({ place }: { place: Place }) {
  const keychain = useView('shell', (shell) => shell.keychain);
  const onServers = ['servers', 'server', 'add-server', 'import-servers'].includes(place.screen);
  return (
    <nav className={styles.sidebar} aria-label="Settings">
      <div className={styles.sidebarTop}>
        <Button look="quiet" className={styles.wideButton} title="Back to chats" onClick={() => goTo({ screen: 'chat' })}>
          <Icon name="chevron-left" />
          <span className={styles.label}>Back to chats</span>
        </Button>
      </div>
      <ul className={styles.settingsList}>
        <li>
          <NavItem icon="plug" words="MCP servers" current={onServers} onGo={() => goTo({ screen: 'servers' })} />
        </li>
        <li>
          <NavItem
            icon="chat"
            words="Models"
            current={place.screen === 'models'}
            onGo={() => goTo({ screen: 'models', adding: false })}
          />
        </li>
        <li>
          <NavItem icon="check" words="Grants" current={place.screen === 'grants'} onGo={() => goTo({ screen: 'grants' })} />
        </li>
        <li>
          <NavItem icon="shield" words="Privacy" current={place.screen === 'privacy'} onGo={() => goTo({ screen: 'privacy' })} />
        </li>
      </ul>
      <div className={styles.sidebarFoot}>
        <p className={styles.keychain} title={KEYCHAIN_WORDS[keychain]}>
          <Icon name="lock" />
          <span>{KEYCHAIN_WORDS[keychain]}</span>
        </p>
      </div>
    </nav>
  );
}
