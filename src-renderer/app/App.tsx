import { ApprovalLayer } from '../approvals/ApprovalLayer';
import { ChatScreen } from '../chat/ChatScreen';
import text from '../ui/Text.module.css';
import { Announcer } from './Announcer';
import { Banners } from './Banners';
import { isSettings, useNavigation, type Place } from './navigation-store';
import {
  AddServerPage,
  GrantsPage,
  ImportPage,
  ModelsPage,
  PrivacyPage,
  ServerPage,
  ServersPage,
  ToolRunner,
  TrustWorkspace,
} from './screens';
import { SettingsSidebar } from './SettingsSidebar';
import { useTrusting } from '../servers/trusting-store';
import styles from './Shell.module.css';
import { Sidebar } from './Sidebar';
import { TitleRow } from './TitleRow';
import { Unbroken } from './Unbroken';
import { useDestinations } from './use-destinations';

function Screen({ place }: { place: Place }) {
  switch (place.screen) {
    case 'chat':
      return <ChatScreen />;
    case 'run-a-tool':
      return <ToolRunner />;
    case 'servers':
      return <ServersPage />;
    case 'add-server':
      return <AddServerPage initialText={place.text} />;
    case 'import-servers':
      return <ImportPage key={place.preview.readingId} preview={place.preview} />;
    case 'server':
      return <ServerPage key={place.id} id={place.id} />;
    case 'models':
      return <ModelsPage adding={place.adding} />;
    case 'grants':
      return <GrantsPage />;
    case 'privacy':
      return <PrivacyPage />;
  }
}

/** The window: what is on the left, the gate always on top, one screen, and sheets over it. */
export function App() {
  const place = useNavigation((state) => state.place);
  const conversation = useNavigation((state) => state.conversation);
  const isTrusting = useTrusting((state) => state.folder !== null);
  useDestinations();
  return (
    <div className={styles.window}>
      <a className={styles.skip} href="#main">
        Skip to the main part
      </a>
      {isSettings(place) ? <SettingsSidebar place={place} /> : <Sidebar />}
      <main className={styles.pane} id="main" tabIndex={-1}>
        <TitleRow place={place} />
        <Banners />
        <div className={styles.body}>
          <Unbroken of={`${place.screen} ${conversation}`}>
            <Screen place={place} />
          </Unbroken>
        </div>
      </main>
      {isTrusting && <TrustWorkspace />}
      <ApprovalLayer />
      <div className={text.hidden}>
        <Announcer />
      </div>
    </div>
  );
}
