import { useEffect, useRef, useState } from 'react';
import type { ServerRow } from '../../src-shared/servers/server.schema';
import { useAnswer } from '../host/use-act';
import { Button } from '../ui/Button';
import { classNames } from '../ui/class-names';
import { countOf, formatClockWithSeconds, formatDateAndClock } from '../ui/format';
import { Problem } from '../ui/Note';
import { Skeleton } from '../ui/Skeleton';
import table from '../ui/Table.module.css';
import { logFromWords } from './server-words';
import styles from './ServerPage.module.css';

/** What the server wrote beside its answers, and what happened to it. Asked for when opened, and again on demand. */
export function LogTab({ server }: { server: Pick<ServerRow, 'id' | 'name'> }) {
  const [nth, setNth] = useState(0);
  const answer = useAnswer('servers.log', `${server.id} ${nth}`, { id: server.id });
  const box = useRef<HTMLDivElement>(null);
  const lines = answer.state === 'ready' ? answer.value.lines : null;
  useEffect(() => {
    if (lines && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines]);
  return (
    <>
      <div className={styles.toolbar}>
        <span className={styles.count} role="status">
          {lines && (lines.length === 0 ? 'It has written nothing yet.' : countOf(lines.length, 'line'))}
        </span>
        <Button small onClick={() => setNth(nth + 1)}>
          Read again
        </Button>
      </div>
      {answer.state === 'loading' && <Skeleton label={`Reading the log of ${server.name}`} />}
      {answer.state === 'failed' && <Problem text={answer.problem} />}
      {lines && lines.length > 0 && (
        <div
          ref={box}
          className={classNames(table.tableBox, styles.logBox)}
          role="region"
          aria-label={`Log of ${server.name}`}
          tabIndex={0}
        >
          <table className={classNames(table.table, styles.log)} aria-label={`Log of ${server.name}`}>
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">From</th>
                <th scope="col">Line</th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line, index) => (
                <tr key={index}>
                  <td title={formatDateAndClock(line.at)}>{formatClockWithSeconds(line.at)}</td>
                  <td>{logFromWords(line.from)}</td>
                  <td>
                    <code>{line.text}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
