import { useState } from 'react';
import type { EgressView, LedgerRow, Route } from '../../src-shared/egress/egress.schema';
import { useView } from '../host/mirror-store';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { classNames } from '../ui/class-names';
import { Confirm } from '../ui/Confirm';
import { formatBytes, formatDuration } from '../ui/format';
import list from '../ui/List.module.css';
import { Note } from '../ui/Note';
import page from '../ui/Page.module.css';
import { State } from '../ui/State';
import table from '../ui/Table.module.css';
import { erasedSentence, ledgerSize, ledgerTime, outcomeWords, routeNameOf } from './ledger-words';
import styles from './Privacy.module.css';

function Entry({ row, routes, now }: { row: LedgerRow; routes: readonly Route[]; now: number }) {
  // What nobody can tell any more counts as having left.
  const leaves = routes.find((route) => route.id === row.routeId)?.leaves ?? true;
  const { words, ...look } = outcomeWords(row, leaves);
  return (
    <tr>
      <td className={styles.when}>
        <time dateTime={new Date(row.at).toISOString()}>{ledgerTime(row.at, now)}</time>
      </td>
      <td className={styles.way} dir="auto">
        {routeNameOf(row.routeId, routes)}
      </td>
      <td className={styles.host} dir="ltr" title={row.address ?? undefined}>
        {row.host}
      </td>
      <td className={table.tight}>{row.method}</td>
      <td className={table.tight}>
        <State {...look}>{words}</State>
      </td>
      <td className={table.number}>{formatBytes(row.bytesOut)}</td>
      <td className={table.number}>{formatBytes(row.bytesIn)}</td>
      <td className={table.number}>{row.ms === null || row.outcome === 'refused' ? '–' : formatDuration(row.ms)}</td>
    </tr>
  );
}

function Entries({ egress, now }: { egress: EgressView; now: number }) {
  if (egress.ledger.length === 0) {
    return (
      <div className={list.group}>
        <p className={styles.groupEmpty}>
          Nothing yet. Each request is written here before it goes, with its host, its time and its size.
        </p>
      </div>
    );
  }
  return (
    <div className={table.tableBox} tabIndex={0} role="region" aria-label="Ledger">
      <table className={classNames(table.table, styles.ledger)}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Route</th>
            <th scope="col">Host</th>
            <th scope="col">Method</th>
            <th scope="col">Outcome</th>
            <th scope="col" className={table.number}>
              Out
            </th>
            <th scope="col" className={table.number}>
              In
            </th>
            <th scope="col" className={table.number}>
              Took
            </th>
          </tr>
        </thead>
        <tbody>
          {egress.ledger.map((row) => (
            <Entry key={row.attempt} row={row} routes={egress.routes} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Every request, as the ledger tells it, and the one act on it. */
export function Ledger({ now }: { now: number }) {
  const egress = useView('egress', (view) => view);
  const act = useAct();
  const [asking, setAsking] = useState(false);
  const [erased, setErased] = useState<number | null>(null);
  const erase = async () => {
    const outcome = await act.run('egress.erase', {});
    if (!outcome.ok) return;
    setErased(outcome.value.erased);
    setAsking(false);
  };
  return (
    <section className={page.section} aria-labelledby="privacy-ledger">
      <div className={page.sectionHead}>
        <h3 id="privacy-ledger">What was sent</h3>
        <small>{ledgerSize(egress.ledgerCount, egress.ledger.length, egress.erasedCount)}</small>
        <Button
          small
          look="stop"
          className={classNames(page.push, styles.screenOnly)}
          disabled={egress.ledgerCount === 0}
          onClick={() => {
            act.clear();
            setAsking(true);
          }}
        >
          Erase…
        </Button>
      </div>
      <p role="status" className={page.sectionFoot}>
        {erased !== null && erasedSentence(erased)}
      </p>
      {egress.chainProblem !== null && <Note role="leave">{egress.chainProblem}</Note>}
      <Entries egress={egress} now={now} />
      {asking && (
        <Confirm
          title="Erase the ledger?"
          keep="Keep it"
          act="Erase"
          busy={act.busy}
          problem={act.problem}
          onKeep={() => setAsking(false)}
          onAct={() => void erase()}
        >
          <p>
            The list of what was sent is deleted from this computer and cannot be brought back, and the counts over 30 days start
            again. The new ledger says how many entries were erased. Requests still under way stay in it.
          </p>
        </Confirm>
      )}
    </section>
  );
}
