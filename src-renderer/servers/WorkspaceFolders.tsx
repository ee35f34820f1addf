import { useState } from 'react';
import { toVisibleText } from '../../src-shared/base/visible-text';
import type { WorkspaceRow } from '../../src-shared/servers/workspace.schema';
import { useArrived, useView } from '../host/mirror-store';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { Visible } from '../ui/Code';
import { Confirm } from '../ui/Confirm';
import { countOf } from '../ui/format';
import list from '../ui/List.module.css';
import { Problem } from '../ui/Note';
import page from '../ui/Page.module.css';
import { State } from '../ui/State';
import styles from './Servers.module.css';
import { askTrust } from './trusting-store';

function FolderRow({ row }: { row: WorkspaceRow }) {
  const act = useAct();
  const [closing, setClosing] = useState(false);
  const { folder, trusted, files } = row;
  const servers = files.reduce((sum, file) => sum + file.servers, 0);
  const close = async () => {
    const outcome = await act.run('workspaces.close', { folder });
    if (outcome.ok) setClosing(false);
  };
  return (
    <li>
      <div className={list.row}>
        <div className={list.rowMain}>
          <span className={styles.folderName}>
            <Visible text={toVisibleText(folder)} />
          </span>
          <span className={list.rowFact}>
            {files.length === 0 && <span>lists no server</span>}
            {files.map(
              ({ file, servers: count, problem }) =>
                problem === null && (
                  <span key={file}>
                    {countOf(count, 'server')} in {file}
                  </span>
                ),
            )}
          </span>
          {files.map(
            ({ file, problem }) =>
              problem !== null && (
                <span key={file} className={list.rowFact}>
                  <State role="stop" className={styles.wraps}>
                    {file}: {problem}
                  </State>
                </span>
              ),
          )}
        </div>
        <div className={list.rowEnd}>
          <State role={trusted ? 'stay' : 'off'} icon={trusted ? 'check' : 'dot'}>
            {trusted ? 'trusted' : 'not trusted'}
          </State>
          {trusted ? (
            <Button
              small
              disabled={act.busy}
              aria-label={`Revoke the trust in ${folder}`}
              onClick={() => void act.run('workspaces.revoke', { folder })}
            >
              Revoke
            </Button>
          ) : (
            servers > 0 && (
              <Button small aria-label={`Trust ${folder}`} onClick={() => askTrust(folder, null)}>
                Trust…
              </Button>
            )
          )}
          <Button small disabled={act.busy} aria-label={`Close ${folder}`} onClick={() => setClosing(true)}>
            Close…
          </Button>
        </div>
      </div>
      {act.problem !== null && !closing && (
        <div className={styles.under}>
          <Problem text={act.problem} />
        </div>
      )}
      {closing && (
        <Confirm
          title="Close this folder?"
          keep="Keep it open"
          act="Close"
          busy={act.busy}
          problem={act.problem}
          onKeep={() => setClosing(false)}
          onAct={() => void close()}
        >
          <p>
            {servers === 0
              ? 'It is no longer looked at. Nothing in it changes.'
              : 'Its servers are stopped, and their approvals, tools, logs and secrets are deleted from this computer. Nothing in the folder changes.'}
          </p>
        </Confirm>
      )}
    </li>
  );
}

/** The folders that are open, what their files list, and whether they are trusted to (T3, T4). */
export function WorkspaceFolders() {
  const act = useAct();
  const arrived = useArrived('workspaces');
  const rows = useView('workspaces', (all) => all);
  if (!arrived) return null;
  return (
    <section className={page.section} aria-labelledby="workspace-folders">
      <div className={page.sectionHead}>
        <h3 id="workspace-folders">Workspace folders</h3>
        <Button small disabled={act.busy} onClick={() => void act.run('workspaces.open', {})}>
          Open a folder…
        </Button>
      </div>
      {rows.length === 0 ? (
        <div className={list.group}>
          <div className={styles.empty}>
            <p>
              No folder is open. A project can list servers of its own in .portcullis/mcp.json, .mcp.json or .vscode/mcp.json.
              None of them starts until you say so.
            </p>
          </div>
        </div>
      ) : (
        <ul className={list.group} aria-labelledby="workspace-folders">
          {rows.map((row) => (
            <FolderRow key={row.folder} row={row} />
          ))}
        </ul>
      )}
      <Problem text={act.problem} />
    </section>
  );
}
