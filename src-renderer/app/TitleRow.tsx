import { ConversationTitle } from '../chat/ConversationTitle';
import { useView } from '../host/mirror-store';
import { Icon } from '../ui/Icon';
import { GateChip } from './GateChip';
import { goTo, isSettings, type Place } from './navigation-store';
import styles from './Shell.module.css';

interface Crumb {
  words: string;
  place: Place;
}

const SERVERS: Crumb = { words: 'MCP servers', place: { screen: 'servers' } };

function trailOf(place: Place, serverName: string): Crumb[] {
  const settings: Crumb = { words: 'Settings', place: { screen: 'servers' } };
  switch (place.screen) {
    case 'server':
      return [settings, SERVERS, { words: serverName, place }];
    case 'add-server':
      return [settings, SERVERS, { words: 'Add', place }];
    case 'import-servers':
      return [settings, SERVERS, { words: 'Import', place }];
    case 'models':
      return [settings, { words: 'Models', place }];
    case 'grants':
      return [settings, { words: 'Grants', place }];
    case 'privacy':
      return [settings, { words: 'Privacy', place }];
    default:
      return [settings, SERVERS];
  }
}

function Crumbs({ place }: { place: Place }) {
  const serverName = useView('servers', (servers) =>
    place.screen === 'server' ? (servers.find((server) => server.id === place.id)?.name ?? 'Removed') : '',
  );
  const trail = trailOf(place, serverName);
  const last = trail.pop();
  return (
    <div className={styles.crumbs}>
      {trail.map((crumb) => (
        <span key={crumb.words} className={styles.crumb}>
          <button type="button" onClick={() => goTo(crumb.place)}>
            {crumb.words}
          </button>
          <Icon name="chevron-right" />
        </span>
      ))}
      <h1 dir="auto">{last?.words}</h1>
    </div>
  );
}

/** Where one is, and the gate. It never scrolls away and no sheet covers it. */
export function TitleRow({ place }: { place: Place }) {
  return (
    <header className={styles.titlebar}>
      {isSettings(place) ? <Crumbs place={place} /> : <ConversationTitle />}
      <GateChip />
    </header>
  );
}
