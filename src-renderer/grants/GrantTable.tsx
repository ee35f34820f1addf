import type { GrantRow } from '../../src-shared/approvals/grant.schema';
import { visibleToString } from '../../src-shared/base/visible-text';
import { goTo } from '../app/navigation-store';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { classNames } from '../ui/class-names';
import { Visible } from '../ui/Code';
import { formatMoment } from '../ui/format';
import { Problem } from '../ui/Note';
import { State } from '../ui/State';
import table from '../ui/Table.module.css';
import text from '../ui/Text.module.css';
import { reachWords, usesWords } from './grant-words';
import styles from './Grants.module.css';

function GrantLine({ grant, now }: { grant: GrantRow; now: number }) {
  const act = useAct();
  const name = visibleToString(grant.toolName);
  const { ended, lastUsedAt } = grant;
  return (
    <tr className={classNames(ended !== null && styles.ended)}>
      <td>
        <code className={styles.tool}>
          <Visible text={grant.toolName} />
        </code>
        <span className={styles.bound}>
          <code>
            <Visible text={grant.boundTo} />
          </code>
        </span>
        <span className={styles.bound}>
          definition <code>{grant.definition}</code>
        </span>
        <Problem text={act.problem} />
      </td>
      <td>
        <State role={ended !== null ? 'off' : grant.leaves ? 'leave' : 'stay'}>{grant.serverName}</State>
      </td>
      <td>{reachWords(grant)}</td>
      <td className={table.tight}>{formatMoment(grant.madeAt, now)}</td>
      <td className={table.number}>
        {usesWords(grant.uses)}
        {lastUsedAt !== null && <span className={styles.last}>{formatMoment(lastUsedAt, now)}</span>}
      </td>
      <td className={classNames(table.tight, styles.acts)}>
        {ended === 'tool-changed' || ended === 'launch-changed' ? (
          <Button small aria-label={`Review ${name}`} onClick={() => goTo({ screen: 'server', id: grant.serverId })}>
            Review
          </Button>
        ) : null}
        <Button
          small
          disabled={act.busy}
          aria-label={`${ended === null ? 'Revoke' : 'Clear away'} ${name}, ${reachWords(grant)}`}
          onClick={() => void act.run('grants.revoke', { id: grant.id })}
        >
          {ended === null ? 'Revoke' : 'Clear away'}
        </Button>
      </td>
    </tr>
  );
}

/** Each tool that runs without asking, with what that is bound to. */
export function GrantTable({ rows, now }: { rows: readonly GrantRow[]; now: number }) {
  return (
    <div className={table.tableBox} tabIndex={0} role="region" aria-label="Tools you have allowed">
      <table className={classNames(table.table, styles.grants)} aria-label="Tools you have allowed">
        <thead>
          <tr>
            <th scope="col">Tool, and what it is bound to</th>
            <th scope="col">Server</th>
            <th scope="col">For</th>
            <th scope="col">Since</th>
            <th scope="col" className={table.number}>
              Used
            </th>
            <th scope="col">
              <span className={text.hidden}>Revoke</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((grant) => (
            <GrantLine key={grant.id} grant={grant} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
