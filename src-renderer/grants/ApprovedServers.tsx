import { useState } from 'react';
import type { ServerRow } from '../../src-shared/servers/server.schema';
import { launchInWords } from '../../src-shared/servers/launch-words';
import { toVisibleText } from '../../src-shared/base/visible-text';
import { goTo } from '../app/navigation-store';
import { useView } from '../host/mirror-store';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { Visible } from '../ui/Code';
import { formatDateAndClock } from '../ui/format';
import list from '../ui/List.module.css';
import { Note, Problem } from '../ui/Note';
import page from '../ui/Page.module.css';
import { State } from '../ui/State';
import styles from './Grants.module.css';

function Launch({ server, onRevoked }: { server: ServerRow; onRevoked(): void }) {
  const act = useAct();
  const { id, name, connection, leaves, where, approvedAt, status } = server;
  const changed = status.kind === 'needs-review' && status.because === 'changed-since-approved';
  const revoke = async () => {
    const outcome = await act.run('servers.revoke', { id });
    if (outcome.ok) onRevoked();
  };
  return (
    <li className={list.row}>
      <div className={list.rowMain}>
        <button type="button" className={list.rowTitle} onClick={() => goTo({ screen: 'server', id })}>
          {name}
        </button>
        <div>
          <State role={changed ? 'wait' : leaves ? 'leave' : 'stay'} className={styles.launch}>
            {connection?.kind === 'stdio' ? (
              <code>
                <Visible text={toVisibleText(launchInWords(connection, where === '' ? null : where))} />
              </code>
            ) : (
              where
            )}
          </State>
        </div>
        <div className={list.rowFact}>
          {changed && <span>changed since you approved it</span>}
          {approvedAt !== null && <span>approved {formatDateAndClock(approvedAt)}</span>}
        </div>
        <Problem text={act.problem} />
      </div>
      <div className={list.rowEnd}>
        <Button small disabled={act.busy} aria-label={`Revoke ${name}`} onClick={() => void revoke()}>
          Revoke
        </Button>
      </div>
    </li>
  );
}

/** Every launch and every address that was approved (T4). */
export function ApprovedServers() {
  const approved = useView('servers', (servers) => servers).filter(({ approvedAt }) => approvedAt !== null);
  const [revoked, setRevoked] = useState<string | null>(null);
  return (
    <section className={page.section} aria-labelledby="grants-launches">
      <div className={page.sectionHead}>
        <h3 id="grants-launches">Programs and hosts</h3>
        <small>what was approved to run or be contacted</small>
      </div>
      <div role="status" className={styles.done}>
        {revoked !== null && <Note role="off">{revoked}: Stopped. Asks before it starts again.</Note>}
      </div>
      {approved.length === 0 ? (
        <div className={list.group}>
          <p className={styles.none}>Nothing is approved to run or be contacted. Each server asks before it starts.</p>
        </div>
      ) : (
        <ul className={list.group}>
          {approved.map((server) => (
            <Launch key={server.id} server={server} onRevoked={() => setRevoked(server.name)} />
          ))}
        </ul>
      )}
    </section>
  );
}
