import { useId } from 'react';
import type { ToolRow } from '../../src-shared/tools/tool.schema';
import { useAct } from '../host/use-act';
import { Checkbox } from '../ui/Checkbox';
import { Problem } from '../ui/Note';
import styles from './ReadsOnlyMark.module.css';

/** The user's own word on a reviewed tool, with what it changes (A6). */
export function ReadsOnlyMark({ tool }: { tool: ToolRow }) {
  const id = useId();
  const act = useAct();
  const { serverId, rawName, digest, state } = tool;
  if (digest === null || (state !== 'on' && state !== 'off')) return null;
  const set = (readsOnly: boolean) => void act.run('tools.setReadsOnly', { serverId, rawName, readsOnly, digest });
  return (
    <div className={styles.mark}>
      <label>
        <Checkbox
          checked={tool.readsOnly === true}
          disabled={act.busy}
          aria-describedby={id}
          onChange={(event) => set(event.target.checked)}
        />
        I say that {rawName} only reads
      </label>
      <p id={id}>
        Then it does not ask again each time text from another tool, or something attached, comes into a chat. It asks as before
        for everything else. The mark goes when the server changes this definition.
      </p>
      <Problem text={act.problem} />
    </div>
  );
}
