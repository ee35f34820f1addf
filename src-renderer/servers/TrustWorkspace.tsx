import { goTo } from '../app/navigation-store';
import { useAct } from '../host/use-act';
import { Confirm } from '../ui/Confirm';
import { Visible } from '../ui/Code';
import { toVisibleText } from '../../src-shared/base/visible-text';
import { reviewServer } from './switch-server';
import { stopAsking, useTrusting } from './trusting-store';
import styles from './Servers.module.css';

/** Asks whether a folder can bring servers at all; each of them is reviewed by itself after that (T3). */
export function TrustWorkspace() {
  const act = useAct();
  const { folder, then } = useTrusting();
  if (folder === null) return null;
  const keep = () => {
    act.clear();
    stopAsking();
  };
  const trust = async () => {
    const outcome = await act.run('workspaces.trust', { folder });
    if (!outcome.ok) return;
    stopAsking();
    // What keeps it from being reviewed is told on its page once it is asked there.
    if (then !== null && !(await reviewServer(act, then))) goTo({ screen: 'server', id: then });
  };
  return (
    <Confirm
      title="Trust this folder to bring servers?"
      keep="Don’t trust it"
      act="Trust the folder"
      busy={act.busy}
      problem={act.problem}
      onKeep={keep}
      onAct={() => void trust()}
    >
      <p className={styles.wraps}>
        <code>
          <Visible text={toVisibleText(folder)} />
        </code>
      </p>
      <p>
        Whoever wrote the files in this folder also wrote what its servers run. Trusting it starts nothing: each server still
        shows its literal command, or its whole address, and waits for your yes. When a file changes that, the server stops and
        asks again.
      </p>
      <p>It holds for this folder alone, until you take it back under Settings, MCP servers.</p>
    </Confirm>
  );
}
