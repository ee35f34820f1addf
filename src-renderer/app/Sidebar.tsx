import { Popover } from 'radix-ui';
import { useState } from 'react';
import { useView } from '../host/mirror-store';
import { Button } from '../ui/Button';
import { countOf } from '../ui/format';
import { Icon } from '../ui/Icon';
import { ChatList } from './ChatList';
import { goTo, openConversation } from './navigation-store';
import { NavItem } from './NavItem';
import styles from './Sidebar.module.css';

/** In a narrow window the list of chats stands behind one button. */
function ChatsButton() {
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button look="quiet" className={styles.onlyNarrow} aria-label="Chats" title="Chats">
          <Icon name="chat" />
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={styles.chatsPopover}
          aria-label="Chats"
          side="right"
          align="start"
          sideOffset={8}
          collisionPadding={8}
        >
          <ChatList onOpened={() => setOpen(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

export function Sidebar() {
  const leaving = useView('egress', (egress) => egress.routes.filter((route) => route.on && route.leaves).length);
  return (
    <nav className={styles.sidebar} aria-label="Chats">
      <div className={styles.sidebarTop}>
        <Button className={styles.wideButton} title="New chat" onClick={() => openConversation(null)}>
          <Icon name="plus" />
          <span className={styles.label}>New chat</span>
        </Button>
        <ChatsButton />
      </div>
      <div className={styles.sidebarChats}>
        <ChatList />
      </div>
      <div className={styles.sidebarFoot}>
        <NavItem
          icon="shield"
          words="Privacy"
          aside={<small>{leaving === 0 ? 'nothing leaves' : `${countOf(leaving, 'route')} open`}</small>}
          onGo={() => goTo({ screen: 'privacy' })}
        />
        <NavItem icon="gear" words="Settings" onGo={() => goTo({ screen: 'servers' })} />
      </div>
    </nav>
  );
}
