import { useState } from 'react';
import type { ServerRow } from '../../src-shared/servers/server.schema';
import { isUp } from '../app/gate-summary';
import { goTo } from '../app/navigation-store';
import type { Act } from '../host/use-act';
import { Button } from '../ui/Button';
import { formatDateAndClock, formatMoment } from '../ui/format';
import { Menu, type MenuItem } from '../ui/Menu';
import { LooksLike } from '../ui/LooksLike';
import { Problem } from '../ui/Note';
import { State } from '../ui/State';
import { Switch } from '../ui/Switch';
import { useNow } from '../ui/use-now';
import { ConnectionFacts } from './ConnectionFacts';
import { editServer } from './editing-store';
import { PassportClaims } from './PassportClaims';
import { tokenWords } from './review-words';
import { RemoveServer } from './RemoveServer';
import { sourceWords, stateWords, whereWords } from './server-words';
import styles from './ServerPage.module.css';
import { switchServer } from './switch-server';

function Facts({ server }: { server: ServerRow }) {
  const now = useNow();
  const { connection, namespace, approvedAt, runningSince, pid } = server;
  return (
    <dl className={styles.passportFacts}>
      <div>
        <dt>Short name</dt>
        <dd>{namespace === null ? 'none yet' : <code>{namespace}</code>}</dd>
      </div>
      <div>
        <dt>Approved</dt>
        <dd>{approvedAt === null ? 'not yet' : formatDateAndClock(approvedAt)}</dd>
      </div>
      <div>
        <dt>Added by</dt>
        <dd dir="auto">
          {sourceWords(server.source)}, {formatMoment(server.addedAt, now)}
        </dd>
      </div>
      {connection?.kind === 'stdio' && (
        <div>
          <dt>Running</dt>
          <dd>
            {runningSince === null ? 'no' : `since ${formatMoment(runningSince, now)}${pid === null ? '' : `, process ${pid}`}`}
          </dd>
        </div>
      )}
      {connection?.kind === 'http' && (
        <div>
          <dt>Contacts</dt>
          <dd>
            <bdi dir="ltr">{server.where}</bdi>
          </dd>
        </div>
      )}
      {connection && (
        <div>
          <dt>Last contact</dt>
          <dd>{server.about.lastContactAt === null ? 'never' : formatMoment(server.about.lastContactAt, now)}</dd>
        </div>
      )}
      {connection && (
        <div>
          <dt>Costs</dt>
          <dd>{costWords(server)}</dd>
        </div>
      )}
      {connection?.kind === 'stdio' && server.where !== connection.command && (
        <div className={styles.wide}>
          <dt>Program</dt>
          <dd>
            <code>{server.where}</code>
          </dd>
        </div>
      )}
      {connection && <ConnectionFacts connection={connection} />}
      {connection?.kind === 'stdio' && (
        <div className={styles.wide}>
          <dt>Network</dt>
          <dd>Not isolated: this program runs with your rights and can use the network by itself.</dd>
        </div>
      )}
      <PassportClaims about={server.about} />
    </dl>
  );
}

/** What its offered tools cost a model. Off tools cost nothing (R7). */
function costWords({ status, toolsOffered, about }: ServerRow): string {
  if (status.kind !== 'on' || toolsOffered === 0) return 'nothing, for it offers no tools';
  return about.tokens === undefined ? 'not counted yet' : `${tokenWords(about.tokens)} each turn`;
}

const canBeReviewed = ({ status, enabled }: ServerRow): boolean =>
  status.kind === 'off' || status.kind === 'needs-review' || (status.kind === 'failed' && !enabled);

/** Who a server is: its switch, where it goes, what it runs, and who brought it. */
export function Passport({ server, act }: { server: ServerRow; act: Act }) {
  const [removing, setRemoving] = useState(false);
  const up = isUp(server);
  const { words, ...look } = stateWords(server);
  const { kind } = server.status;
  const items: MenuItem[] = [
    ...(server.connection ? [{ words: 'Rename or edit', icon: 'pencil', act: () => editServer(server.id) } as const] : []),
    { words: 'Remove…', icon: 'close', stop: true, act: () => setRemoving(true) },
  ];
  return (
    <section className={styles.passport} aria-labelledby="server-name">
      <div className={styles.passportHead}>
        <Switch
          label={server.name}
          on={up}
          leaves={server.leaves}
          busy={act.busy || kind === 'starting' || kind === 'looking'}
          disabled={kind === 'refused' || kind === 'needs-name'}
          onChange={(on) => void switchServer(act, server.id, on)}
        />
        <div>
          <h2 id="server-name">
            <bdi>{server.name}</bdi>
          </h2>
          {/* A sentence of a failure or a refusal stands below, once. */}
          <span role="status">
            <State {...look}>{kind === 'failed' || kind === 'refused' ? kind : words}</State>
          </span>
        </div>
        {server.connection && (
          <State
            role={!up ? 'plain' : server.leaves ? 'leave' : 'stay'}
            icon={server.leaves ? 'leave' : 'house'}
            className={styles.where}
          >
            {whereWords(server)}
          </State>
        )}
        {canBeReviewed(server) && (
          <Button look="strong" disabled={act.busy} onClick={() => void switchServer(act, server.id, true)}>
            Review and turn on
          </Button>
        )}
        <Menu label={`Acts on ${server.name}`} items={items} />
      </div>
      <LooksLike marks={server.about.looksLike} />
      <Problem text={act.problem} />
      <Facts server={server} />
      {removing && (
        <RemoveServer
          server={server}
          onKeep={() => setRemoving(false)}
          onRemoved={() => {
            setRemoving(false);
            goTo({ screen: 'servers' });
          }}
        />
      )}
    </section>
  );
}
