import { useEffect, useRef, useState } from 'react';
import type { ServerLogLine, ServerRow } from '../../src-shared/servers/server.schema';
import { useAnswer } from '../host/use-act';
import { Button } from '../ui/Button';
import { classNames } from '../ui/class-names';
import { countOf, formatClockWithSeconds, formatDateAndClock } from '../ui/format';
import { Icon } from '../ui/Icon';
import { Problem } from '../ui/Note';
import { Skeleton } from '../ui/Skeleton';
import table from '../ui/Table.module.css';
import { logAsText, logFromWords } from './server-words';
import styles from './ServerPage.module.css';

/** While the tab is in sight, the log is asked for this often. */
const READ_EVERY_MS = 3000;

function CopyLog({ name, lines }: { name: string; lines: readonly ServerLogLine[] }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(logAsText(lines));
    setCopied(true);
  };
  return (
    <>
      <span role="status">{copied && 'Copied.'}</span>
      <Button small aria-label={`Copy the log of ${name}`} onClick={() => void copy()}>
        <Icon name="copy" />
        Copy
      </Button>
    </>
  );
}

/** What the server wrote beside its answers, and what happened to it. Kept fresh while it is looked at. */
export function LogTab({ server }: { server: Pick<ServerRow, 'id' | 'name'> }) {
  const [nth, setNth] = useState(0);
  const answer = useAnswer('servers.log', `${server.id} ${nth}`, { id: server.id });
  const [shown, setShown] = useState<readonly ServerLogLine[] | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  // The lines before stay in sight until the next ones are there; the same lines once more change nothing.
  if (answer.state === 'ready' && logAsText(answer.value.lines) !== (shown && logAsText(shown))) setShown(answer.value.lines);
  useEffect(() => {
    const timer = setInterval(() => setNth((count) => count + 1), READ_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (shown && box.current && follows.current) box.current.scrollTop = box.current.scrollHeight;
  }, [shown]);
  return (
    <>
      <div className={styles.toolbar}>
        <span className={styles.count}>
          {shown && (shown.length === 0 ? 'It has written nothing yet.' : countOf(shown.length, 'line'))}
        </span>
        {shown && shown.length > 0 && <CopyLog name={server.name} lines={shown} />}
        <Button small onClick={() => setNth(nth + 1)}>
          Read again
        </Button>
      </div>
      {answer.state === 'loading' && !shown && <Skeleton label={`Reading the log of ${server.name}`} />}
      {answer.state === 'failed' && <Problem text={answer.problem} />}
      {shown && shown.length > 0 && (
        <div
          ref={box}
          className={classNames(table.tableBox, styles.logBox)}
          role="region"
          aria-label={`Log of ${server.name}`}
          tabIndex={0}
          onScroll={({ currentTarget: at }) => {
            follows.current = at.scrollHeight - at.clientHeight - at.scrollTop < 32;
          }}
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
              {shown.map((line, index) => (
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
