import { useState } from 'react';
import type { ServerRow } from '../../src-shared/servers/server.schema';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { formatDateAndClock } from '../ui/format';
import { Note } from '../ui/Note';
import { ConnectionFacts } from './ConnectionFacts';
import styles from './ServerPage.module.css';

/** What was approved and when, and the way to take it back (T4). */
export function TrustTab({ server }: { server: ServerRow }) {
  const act = useAct();
  const [asking, setAsking] = useState(false);
  const [revoked, setRevoked] = useState(false);
  const revoke = async () => {
    const outcome = await act.run('servers.revoke', { id: server.id });
    if (!outcome.ok) return;
    setAsking(false);
    setRevoked(true);
  };
  const { approvedAt, status, connection } = server;
  const changed = status.kind === 'needs-review' && status.because === 'changed-since-approved';
  return (
    <>
      <div role="status">{revoked && approvedAt === null && <Note role="off">Stopped. Asks before it starts again.</Note>}</div>
      {approvedAt === null && !revoked && <p>Nothing is approved. It asks before it starts.</p>}
      {approvedAt !== null && (
        <div className={styles.trust}>
          <p>
            Approved {formatDateAndClock(approvedAt)}.{' '}
            {changed
              ? 'It changed since, so the approval does not stand for what is set now. It asks before it starts.'
              : 'That stands for what is below and nothing else. When any of it changes, the server asks again.'}
          </p>
          {connection && !changed && (
            <dl className={styles.passportFacts}>
              <ConnectionFacts connection={connection} values />
            </dl>
          )}
          <Button look="stop" className={styles.start} onClick={() => setAsking(true)}>
            Revoke…
          </Button>
        </div>
      )}
      {asking && (
        <Confirm
          title={`Revoke the approval of ${server.name}?`}
          keep="Keep it"
          act="Revoke"
          busy={act.busy}
          problem={act.problem}
          onKeep={() => {
            act.clear();
            setAsking(false);
          }}
          onAct={() => void revoke()}
        >
          <p>
            It is stopped, and asks before it starts again. Its grants are deleted. The server stays in the list, and its log
            stays.
          </p>
        </Confirm>
      )}
    </>
  );
}
