import type { ServerRow } from '../../src-shared/servers/server.schema';
import { useAct } from '../host/use-act';
import { Confirm } from '../ui/Confirm';

interface RemoveServerProps {
  server: Pick<ServerRow, 'id' | 'name'>;
  onKeep(): void;
  onRemoved(): void;
}

/** Asks before a server goes, and says what goes with it (S11). */
export function RemoveServer({ server, onKeep, onRemoved }: RemoveServerProps) {
  const act = useAct();
  const remove = async () => {
    const outcome = await act.run('servers.remove', { id: server.id });
    if (outcome.ok) onRemoved();
  };
  return (
    <Confirm
      title={`Remove ${server.name}?`}
      keep="Keep it"
      act="Remove"
      busy={act.busy}
      problem={act.problem}
      onKeep={onKeep}
      onAct={() => void remove()}
    >
      <p>
        It is stopped, and its approval, its tools, its grants, its log and its secrets are deleted from this computer. Your chats
        and the ledger under Privacy stay.
      </p>
    </Confirm>
  );
}
