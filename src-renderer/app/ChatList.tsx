import { useState } from 'react';
import { useArrived, useView } from '../host/mirror-store';
import { Search } from '../ui/Field';
import { Icon } from '../ui/Icon';
import { Skeleton } from '../ui/Skeleton';
import text from '../ui/Text.module.css';
import { useNow } from '../ui/use-now';
import { groupByDay, matchesWords } from './day-groups';
import { openConversation, useNavigation } from './navigation-store';
import { NavItem } from './NavItem';
import styles from './Sidebar.module.css';

/** Every chat under its day, and a filter over their titles. */
export function ChatList({ onOpened }: { onOpened?: () => void }) {
  const [wanted, setWanted] = useState('');
  const chats = useView('conversations', (all) => all);
  const arrived = useArrived('conversations');
  const current = useNavigation((state) => state.conversation);
  const now = useNow();
  const groups = groupByDay(
    chats.filter((chat) => matchesWords(chat.title, wanted)),
    now,
  );
  return (
    <>
      <Search aria-label="Search chats" placeholder="Search" value={wanted} onChange={(event) => setWanted(event.target.value)} />
      <div className={styles.sidebarList}>
        {!arrived && <Skeleton label="Your chats are being read." rows={4} />}
        {arrived && chats.length === 0 && (
          <p className={styles.none}>Your chats will be listed here. They stay on this computer.</p>
        )}
        {chats.length > 0 && groups.length === 0 && <p className={styles.none}>No chat has these words in its title.</p>}
        {groups.map((group) => (
          <section key={group.label} aria-label={group.label}>
            <h2>{group.label}</h2>
            <ul>
              {group.items.map((chat) => (
                <li key={chat.id}>
                  <NavItem
                    words={chat.title}
                    current={chat.id === current}
                    aside={
                      chat.waiting > 0 ? (
                        <span className={styles.waits}>
                          <Icon name="gate-up" />
                          <em className={text.hidden}>waiting for you</em>
                        </span>
                      ) : null
                    }
                    onGo={() => {
                      openConversation(chat.id);
                      onOpened?.();
                    }}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}
