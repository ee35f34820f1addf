import { Fragment } from 'react';
import { toVisibleText } from '../../src-shared/base/visible-text';
import type { Connection, StoredVariable } from '../../src-shared/servers/server.schema';
import { Visible } from '../ui/Code';
import { Icon } from '../ui/Icon';
import styles from './ServerPage.module.css';

/** Text of an entry, with what would be invisible or lying shown as an escape (T1). */
function Shown({ text }: { text: string }) {
  return <Visible text={toVisibleText(text)} />;
}

function Secret() {
  return (
    <span className={styles.secret}>
      <Icon name="key" /> a secret, from the keychain
    </span>
  );
}

function Value({ value }: { value: StoredVariable }) {
  if (value.kind === 'inherit') return <span>passed on from this computer</span>;
  return value.kind === 'secret' ? <Secret /> : value.value === '' ? <i>empty</i> : <Shown text={value.value} />;
}

function Names({
  rows,
  values,
  none,
}: {
  rows: readonly { name: string; value: StoredVariable }[];
  values: boolean;
  none: string;
}) {
  if (rows.length === 0) return none;
  return (
    <ul className={styles.names}>
      {rows.map(({ name, value }) => (
        <li key={name}>
          <code>
            <Shown text={name} />
          </code>
          {values ? (
            <code>
              <Value value={value} />
            </code>
          ) : (
            <>
              {value.kind === 'secret' && (
                <span className={styles.secret}>
                  <Icon name="key" /> secret
                </span>
              )}
              {value.kind === 'inherit' && <span>passed on from this computer</span>}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What runs, or what is contacted: every part on its own line. `values` shows what variables and headers hold, too. */
export function ConnectionFacts({ connection, values = false }: { connection: Connection; values?: boolean }) {
  if (connection.kind === 'http') {
    return (
      <>
        <div className={styles.wide}>
          <dt>Address</dt>
          <dd>
            <code>
              <Shown text={connection.endpoint} />
            </code>
          </dd>
        </div>
        <div className={styles.wide}>
          <dt>Headers</dt>
          <dd>
            <Names rows={connection.headers} values={values} none="none of your own" />
          </dd>
        </div>
      </>
    );
  }
  return (
    <>
      <div className={styles.wide}>
        <dt>Command</dt>
        <dd>
          <code className={styles.commandLines}>
            <b>
              <Shown text={connection.command} />
            </b>
            {connection.args.map((arg, index) => (
              <Fragment key={index}>
                <br />
                <Value value={arg} />
              </Fragment>
            ))}
          </code>
        </dd>
      </div>
      <div className={styles.wide}>
        <dt>Folder</dt>
        <dd>
          {connection.cwd === undefined ? (
            'your home folder'
          ) : (
            <code>
              <Shown text={connection.cwd} />
            </code>
          )}
        </dd>
      </div>
      <div className={styles.wide}>
        <dt>Environment</dt>
        <dd>
          <Names rows={connection.env} values={values} none="no variables of your own" />
        </dd>
      </div>
    </>
  );
}
