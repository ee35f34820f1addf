import { useShallow } from 'zustand/shallow';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { useMirror } from '../host/mirror-store';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { Note, Problem } from '../ui/Note';
import styles from './ChatScreen.module.css';

/** Servers whose calls are put to nobody in this chat, each with the way back (A10). */
export function PausedServers({ id }: { id: ConversationId }) {
  const paused = useMirror(
    useShallow(({ views }) => views.conversations.find((conversation) => conversation.id === id)?.paused ?? []),
  );
  if (paused.length === 0) return null;
  return (
    <div className={styles.paused} role="status" aria-label="Paused servers">
      {paused.map((server) => (
        <Paused key={server} conversationId={id} serverId={server} />
      ))}
    </div>
  );
}

function Paused({ conversationId, serverId }: { conversationId: ConversationId; serverId: ServerId }) {
  const act = useAct();
  const name = useMirror(({ views }) => views.servers.find((server) => server.id === serverId)?.name ?? 'A server');
  return (
    <>
      <Note
        role="stop"
        icon="gate-down"
        action={
          <Button
            small
            disabled={act.busy}
            aria-label={`Resume ${name}`}
            onClick={() => void act.run('approvals.resume', { conversationId, serverId })}
          >
            Resume
          </Button>
        }
      >
        <b>
          <bdi>{name}</bdi>
        </b>{' '}
        is paused in this chat, because several of its calls were refused or not answered. Its calls are not run until you resume
        it.
      </Note>
      <Problem text={act.problem} />
    </>
  );
}
