import { useState } from 'react';
import { useArrived, useView } from '../host/mirror-store';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { Icon } from '../ui/Icon';
import list from '../ui/List.module.css';
import { Note, Problem } from '../ui/Note';
import page from '../ui/Page.module.css';
import { Skeleton } from '../ui/Skeleton';
import { useNow } from '../ui/use-now';
import { ApprovedServers } from './ApprovedServers';
import { grantCountWords, unsealedSentence } from './grant-words';
import { GrantTable } from './GrantTable';
import styles from './Grants.module.css';
import { TrustedFolders } from './TrustedFolders';

function Tools() {
  const { rows, unsealed } = useView('grants', (grants) => grants);
  const act = useAct();
  const now = useNow();
  return (
    <section className={page.section} aria-labelledby="grants-tools">
      <div className={page.sectionHead}>
        <h3 id="grants-tools">Tools</h3>
        <small role="status">{grantCountWords(rows)}</small>
        <Button
          small
          className={page.push}
          disabled={act.busy || (rows.length === 0 && unsealed === 0)}
          onClick={() => void act.run('grants.revokeAll', {})}
        >
          Revoke all grants
        </Button>
      </div>
      <Problem text={act.problem} />
      {unsealed > 0 && <Note role="wait">{unsealedSentence(unsealed)}</Note>}
      {rows.length === 0 ? (
        <div className={list.group}>
          <p className={styles.none}>
            Every call asks. When a call asks, “Run in this chat” or “Always for this tool” on its sheet puts that tool here.
          </p>
        </div>
      ) : (
        <GrantTable rows={rows} now={now} />
      )}
    </section>
  );
}

/** Asks before everything is stopped and forgotten, and says afterwards that it is (T4). */
function RevokeEverything() {
  const act = useAct();
  const [asking, setAsking] = useState(false);
  const [done, setDone] = useState(false);
  const revoke = async () => {
    const outcome = await act.run('servers.revokeEverything', {});
    if (!outcome.ok) return;
    setAsking(false);
    setDone(true);
  };
  return (
    <>
      <Button
        look="stop"
        onClick={() => {
          act.clear();
          setAsking(true);
        }}
      >
        <Icon name="gate-down" />
        Revoke everything…
      </Button>
      <div role="status" className={styles.done}>
        {done && <Note role="off">Every server is stopped. Each asks before it starts again.</Note>}
      </div>
      {asking && (
        <Confirm
          title="Revoke everything?"
          keep="Keep it"
          act="Stop and revoke everything"
          busy={act.busy}
          problem={act.problem}
          onKeep={() => setAsking(false)}
          onAct={() => void revoke()}
        >
          <p>
            Every server is stopped and turned off. What you approved to run or be contacted, the tools you reviewed and every
            grant are forgotten. The servers stay in the list with their settings and saved secrets, and each asks before it
            starts again. Models stay as they are.
          </p>
        </Confirm>
      )}
    </>
  );
}

/** What was allowed, bound to what, and the way to take each of it back. */
export function GrantsPage() {
  const arrived = useArrived('grants');
  return (
    <div className={page.scroll}>
      <div className={page.page}>
        <header className={page.pageHead}>
          <div>
            <h2>What you have allowed</h2>
            <p>
              These run without asking. A grant is tied to the exact command or address and to the tool as you read it: when
              either changes, it ends.
            </p>
          </div>
          <RevokeEverything />
        </header>
        {arrived ? <Tools /> : <Skeleton rows={3} label="Reading the grants" />}
        <ApprovedServers />
        <TrustedFolders />
      </div>
    </div>
  );
}
