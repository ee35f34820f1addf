import { useEffect } from 'react';
import { useShallow } from 'zustand/shallow';
import { useNavigation } from '../app/navigation-store';
import { Transcript } from '../app/screens';
import { useArrived, useMirror } from '../host/mirror-store';
import { Button } from '../ui/Button';
import { Problem } from '../ui/Note';
import { Skeleton } from '../ui/Skeleton';
import styles from './ChatScreen.module.css';
import { Composer } from './Composer';
import { openOnce, readAgain, useConversations } from './conversation-store';
import { EmptyChat } from './EmptyChat';
import { FirstRun } from './FirstRun';
import { PausedServers } from './PausedServers';

function OpenChat() {
  const id = useNavigation((state) => state.conversation);
  const conversation = useConversations((cache) => (id ? cache.open[id] : undefined));
  const serversKnown = useArrived('servers');
  const modelsKnown = useArrived('models');
  const nothingYet = useMirror(useShallow(({ views }) => views.servers.length === 0 && views.models.length === 0));
  useEffect(() => {
    if (id) openOnce(id);
  }, [id]);

  if (id === null) {
    if (!serversKnown || !modelsKnown) return <Skeleton label="Portcullis is starting." />;
    return nothingYet ? <FirstRun /> : <EmptyChat />;
  }
  if (!conversation || (conversation.state === 'loading' && conversation.entries.length === 0)) {
    return <Skeleton label="The chat is being read." rows={5} />;
  }
  if (conversation.state === 'failed') {
    return (
      <div className={styles.middle}>
        <Problem
          text={conversation.problem}
          action={
            <Button small onClick={() => readAgain(id)}>
              Read it again
            </Button>
          }
        />
      </div>
    );
  }
  if (conversation.entries.length === 0 && !conversation.writing) return <EmptyChat />;
  return <Transcript key={id} id={id} conversation={conversation} />;
}

export function ChatScreen() {
  const id = useNavigation((state) => state.conversation);
  return (
    <div className={styles.chat}>
      <div className={styles.upper}>
        <OpenChat />
      </div>
      {id !== null && <PausedServers id={id} />}
      <Composer />
    </div>
  );
}
