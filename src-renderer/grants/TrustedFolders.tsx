import { visibleToString, toVisibleText } from '../../src-shared/base/visible-text';
import { useView } from '../host/mirror-store';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import list from '../ui/List.module.css';
import { Problem } from '../ui/Note';
import page from '../ui/Page.module.css';
import { State } from '../ui/State';
import styles from './Grants.module.css';

function Folder({ folder }: { folder: string }) {
  const act = useAct();
  return (
    <li className={list.row}>
      <div className={list.rowMain}>
        <State role="stay" icon="folder" className={styles.launch}>
          <code>{visibleToString(toVisibleText(folder))}</code>
        </State>
        <Problem text={act.problem} />
      </div>
      <div className={list.rowEnd}>
        <Button
          small
          disabled={act.busy}
          aria-label={`Revoke the trust in ${folder}`}
          onClick={() => void act.run('workspaces.revoke', { folder })}
        >
          Revoke
        </Button>
      </div>
    </li>
  );
}

/** Every folder whose files are trusted to list servers (T3, T4). */
export function TrustedFolders() {
  const trusted = useView('workspaces', (rows) => rows).filter((row) => row.trusted);
  return (
    <section className={page.section} aria-labelledby="grants-folders">
      <div className={page.sectionHead}>
        <h3 id="grants-folders">Workspace folders</h3>
      </div>
      {trusted.length === 0 ? (
        <div className={list.group}>
          <p className={styles.none}>
            No folder is trusted to bring servers. When you open one that does, Portcullis asks first.
          </p>
        </div>
      ) : (
        <ul className={list.group}>
          {trusted.map(({ folder }) => (
            <Folder key={folder} folder={folder} />
          ))}
        </ul>
      )}
    </section>
  );
}
