import mark from '../app/portcullis.svg';
import { goTo } from '../app/navigation-store';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import list from '../ui/List.module.css';
import { Problem } from '../ui/Note';
import { State } from '../ui/State';
import { classNames } from '../ui/class-names';
import styles from './FirstRun.module.css';

/** Says what this is in three sentences, and offers the first steps. Nothing here starts anything by itself. */
export function FirstRun() {
  const act = useAct();
  const openSample = async () => {
    const outcome = await act.run('servers.addSample', {});
    if (outcome.ok && outcome.value.id) goTo({ screen: 'server', id: outcome.value.id });
  };
  return (
    <div className={styles.first}>
      <div className={styles.firstWords}>
        <img className={styles.firstMark} src={mark} alt="" />
        <h2 className={styles.headline}>The gate is down.</h2>
        <p>
          Nothing leaves this computer, and nothing runs on it, until you turn it on. Tools come from MCP servers that you add,
          review and turn on yourself. What was sent, and where, always stands under Privacy.
        </p>
      </div>
      <div className={classNames(list.group, styles.steps)}>
        <div className={classNames(styles.step, styles.stepFirst)}>
          <Icon name="folder" large />
          <span>
            <b>Try it on a folder</b>
            <small>Adds the file server that comes with the app, off. No account, no network.</small>
          </span>
          <Button look="strong" disabled={act.busy} onClick={() => void openSample()}>
            Open a folder…
          </Button>
        </div>
        <button type="button" className={styles.step} onClick={() => goTo({ screen: 'add-server', text: '' })}>
          <Icon name="plug" large />
          <span>
            <b>Add an MCP server</b>
            <small>By address, command line, or JSON from another app. It arrives off.</small>
          </span>
          <Icon name="chevron-right" />
        </button>
        <button type="button" className={styles.step} onClick={() => goTo({ screen: 'models', adding: true })}>
          <Icon name="chat" large />
          <span>
            <b>Add a model</b>
            <small>One on this computer stays here. One at a provider is a route that you open.</small>
          </span>
          <Icon name="chevron-right" />
        </button>
      </div>
      <Problem text={act.problem} />
      <p className={styles.firstFacts}>
        <State role="plain" icon="plug">
          0 servers on
        </State>
        <State role="stay">nothing leaves</State>
        <State role="plain" icon="gate-up">
          nothing is waiting for you
        </State>
      </p>
    </div>
  );
}
