import { goTo } from '../app/navigation-store';
import { useView } from '../host/mirror-store';
import { Button } from '../ui/Button';
import { countOf } from '../ui/format';
import styles from './FirstRun.module.css';

/** A chat without words yet: what it can do, and the one next step. */
export function EmptyChat() {
  const tools = useView('tools', (all) => all.filter((tool) => tool.state === 'on').length);
  const modelOn = useView('models', (all) => all.some((model) => model.on));
  return (
    <div className={styles.first}>
      <div className={styles.firstWords}>
        <h2 className={styles.title}>{modelOn ? 'Write the first message.' : 'No model is on.'}</h2>
        <p>
          {tools === 0 ? 'No tool is on.' : `${countOf(tools, 'tool is', 'tools are')} on.`} Each call shows you what it would
          send before it runs.
        </p>
      </div>
      {tools === 0 ? (
        <Button onClick={() => goTo({ screen: 'servers' })}>See your servers</Button>
      ) : (
        <Button onClick={() => goTo({ screen: 'run-a-tool' })}>Run a tool yourself</Button>
      )}
    </div>
  );
}
