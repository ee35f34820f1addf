import { useState } from 'react';
import type { ServerRow } from '../../src-shared/servers/server.schema';
import { costOf } from '../../src-shared/tools/token-cost';
import { useView } from '../host/mirror-store';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { Checkbox } from '../ui/Checkbox';
import { Problem } from '../ui/Note';
import { Skeleton } from '../ui/Skeleton';
import { InstructionsText } from './Instructions';
import { tokenWords } from './review-words';
import { turnOnWords } from './server-words';
import styles from './ServerPage.module.css';
import { isTicked, NO_TICKS, tickedTools, whyNotTicked, withAllTicks, withTick } from './tool-ticks';
import { CLAIM_FOOT, ToolLine, ToolTable, useUnfolded } from './ToolTable';

/** The look at the tools of a server that is about to be turned on. No box is ticked by anyone but the user (R4). */
export function LookAtTools({ server, phase }: { server: ServerRow; phase: 'starting' | 'ready' }) {
  const act = useAct();
  const tools = useView('tools', (all) => all).filter(({ serverId }) => serverId === server.id);
  const [ticks, setTicks] = useState(NO_TICKS);
  const [isOpen, setOpen] = useUnfolded();
  const chosen = tickedTools(ticks, tools);
  const tickable = tools.filter((tool) => whyNotTicked(tool) === null).length;
  const all = tickable > 0 && chosen.length === tickable;
  const { instructions } = server.about;
  const turnOn = () =>
    void act.run('servers.turnOn', {
      id: server.id,
      tools: chosen,
      ...(instructions.digest !== null && { instructions: instructions.digest }),
    });
  const cost = costOf(tools.filter((tool) => isTicked(ticks, tool)));
  const keepOff = () => void act.run('servers.turnOff', { id: server.id });
  return (
    <section className={styles.look} aria-labelledby="look-title">
      <div className={styles.lookHead}>
        <h3 id="look-title">Look at its tools</h3>
        <p>
          {server.connection?.kind === 'http' ? `It is contacted at ${server.where}` : 'It runs'} so that you can see its tools.
          It offers none of them yet. Tick the ones a chat may use; each call still asks.
        </p>
      </div>
      {phase === 'starting' && <Skeleton label="Waiting for the list of tools" />}
      {phase === 'ready' && tools.length === 0 && <p>It lists no tools. You can turn it on all the same, or keep it off.</p>}
      {tools.length > 0 && (
        <ToolTable
          label={`Tools of ${server.name}`}
          showState={false}
          first={
            <label className={styles.all}>
              <Checkbox
                aria-label="All tools"
                checked={all}
                disabled={tickable === 0}
                ref={(box) => {
                  if (box) box.indeterminate = !all && chosen.length > 0;
                }}
                onChange={(event) => setTicks(event.target.checked ? withAllTicks(tools) : NO_TICKS)}
              />
              All
            </label>
          }
        >
          {tools.map((tool) => (
            <ToolLine
              key={tool.rawName}
              tool={tool}
              showState={false}
              remark={whyNotTicked(tool) ?? (tool.state === 'changed' ? 'Changed since you reviewed it.' : null)}
              open={isOpen(tool.rawName)}
              onOpen={(open) => setOpen(tool.rawName, open)}
              control={
                <Checkbox
                  aria-label={`Offer ${tool.rawName}`}
                  checked={isTicked(ticks, tool)}
                  disabled={whyNotTicked(tool) !== null}
                  onChange={(event) => setTicks(withTick(ticks, tool, event.target.checked))}
                />
              }
            />
          ))}
        </ToolTable>
      )}
      {tools.length > 0 && <p className={styles.foot}>{CLAIM_FOOT}</p>}
      {instructions.digest !== null && (
        <details className={styles.fold}>
          <summary>What it says to models of itself. Models are not told it unless you turn that on.</summary>
          <InstructionsText server={server} />
        </details>
      )}
      {chosen.length > 0 && cost.complete && (
        <p className={styles.foot} role="status">
          The ticked ones cost {tokenWords(cost.tokens)} each turn. What is off costs none.
        </p>
      )}
      <Problem text={act.problem} />
      <div className={styles.answers}>
        <Button disabled={act.busy} onClick={keepOff}>
          Keep off
        </Button>
        <Button look="strong" className={styles.push} disabled={act.busy || phase === 'starting'} onClick={turnOn}>
          {turnOnWords(chosen.length)}
        </Button>
      </div>
    </section>
  );
}
