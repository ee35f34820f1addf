import { useId } from 'react';
import type { ServerRow } from '../../src-shared/servers/server.schema';
import { useAnswer, useAct } from '../host/use-act';
import { Code } from '../ui/Code';
import { DiffLines } from '../ui/Diff';
import { Problem } from '../ui/Note';
import { Skeleton } from '../ui/Skeleton';
import { Switch } from '../ui/Switch';
import styles from './Review.module.css';

/** They are shown where they are reviewed, and nowhere else meanwhile. */
export const instructionsWait = ({ about: { instructions } }: ServerRow): boolean =>
  instructions.state === 'new' || instructions.state === 'changed';

/** What a server says to models of itself: whole, and beside what was reviewed of it (R4). */
export function InstructionsText({ server }: { server: ServerRow }) {
  const { digest, state } = server.about.instructions;
  const answer = useAnswer('servers.instructions', digest && `${digest} ${state}`, { id: server.id });
  if (digest === null) return null;
  if (answer.state === 'loading') return <Skeleton label={`Reading the instructions of ${server.name}`} />;
  if (answer.state === 'failed') return <Problem text={answer.problem} />;
  const { diff, text } = answer.value;
  return (
    <>
      {diff && (
        <DiffLines label={`What changed in the instructions of ${server.name}`} parts={[{ part: 'instructions', ...diff }]} />
      )}
      <Code label={`Instructions of ${server.name}`}>{text}</Code>
    </>
  );
}

/** The same with the user's switch. Models are told nothing of it until that is on (R5). */
export function Instructions({ server }: { server: ServerRow }) {
  const id = useId();
  const act = useAct();
  const { digest, told, state } = server.about.instructions;
  if (digest === null) return null;
  return (
    <section className={styles.instructions} aria-labelledby={id}>
      <h3 id={id}>What it says to models of itself</h3>
      <InstructionsText server={server} />
      <div className={styles.tell}>
        <Switch
          label={`Tell models the instructions of ${server.name}`}
          on={told}
          leaves={false}
          busy={act.busy}
          onChange={(on) => void act.run('servers.tellInstructions', { id: server.id, digest, told: on })}
        />
        <p>
          {told ? 'Models are told this' : 'Models are not told this'}
          {told && state === 'changed' && ', as it was when you reviewed it'}. They read it as the words of this server, one line
          of at most 1,024 characters, while the server is on.
        </p>
      </div>
      <Problem text={act.problem} />
    </section>
  );
}
