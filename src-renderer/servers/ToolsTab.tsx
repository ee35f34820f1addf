import { useState } from 'react';
import type { ServerRow } from '../../src-shared/servers/server.schema';
import { costOf } from '../../src-shared/tools/token-cost';
import type { ToolRow } from '../../src-shared/tools/tool.schema';
import { isUp } from '../app/gate-summary';
import { useView } from '../host/mirror-store';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { Search } from '../ui/Field';
import { Problem } from '../ui/Note';
import { Switch } from '../ui/Switch';
import text from '../ui/Text.module.css';
import styles from './ServerPage.module.css';
import { Instructions, instructionsWait } from './Instructions';
import { ReadsOnlyMark } from './ReadsOnlyMark';
import { tokenWords } from './review-words';
import { ReviewChanges } from './ReviewChanges';
import { toolRemark, waitsForReview, whyNotTicked } from './tool-ticks';
import { ToolPolicy } from './ToolPolicy';
import { CLAIM_FOOT, ToolLine, ToolTable, useUnfolded } from './ToolTable';

interface ToolSwitchLineProps {
  tool: ToolRow;
  server: ServerRow;
  open: boolean;
  onOpen(open: boolean): void;
}

/** A tool with its switch. One that is new or changed is offered only from below its whole definition (R4). */
function ToolSwitchLine({ tool, server, open, onOpen }: ToolSwitchLineProps) {
  const act = useAct();
  const up = isUp(server);
  const setOffered = async (offered: boolean) => {
    const { serverId, rawName, digest } = tool;
    if (digest === null) return;
    const outcome = await act.run('tools.setOffered', { serverId, rawName, offered, digest });
    if (outcome.ok && offered) onOpen(false);
  };
  return (
    <ToolLine
      tool={tool}
      showState
      remark={act.problem === null ? toolRemark(tool) : <Problem text={act.problem} />}
      open={open}
      onOpen={onOpen}
      policy={<ToolPolicy tool={tool} />}
      control={
        <Switch
          label={tool.rawName}
          on={tool.state === 'on'}
          leaves={server.leaves}
          busy={act.busy}
          disabled={!up || whyNotTicked(tool) !== null}
          onChange={(on) => (on && waitsForReview(tool) ? onOpen(true) : void setOffered(on))}
        />
      }
      answers={
        !waitsForReview(tool) ? (
          <ReadsOnlyMark tool={tool} />
        ) : (
          up && (
            <div className={styles.answers}>
              <Button disabled={act.busy} onClick={() => onOpen(false)}>
                Keep off
              </Button>
              <Button look="strong" className={styles.push} disabled={act.busy} onClick={() => void setOffered(true)}>
                Offer {tool.rawName}
              </Button>
            </div>
          )
        )
      }
    />
  );
}

/** Which of its tools a chat may use. */
export function ToolsTab({ server }: { server: ServerRow }) {
  const tools = useView('tools', (all) => all).filter(({ serverId }) => serverId === server.id);
  const [find, setFind] = useState('');
  const [isOpen, setOpen] = useUnfolded();
  if (tools.length === 0) {
    return (
      <p className={text.soft}>
        {server.status.kind === 'on'
          ? 'It has listed no tools yet.'
          : 'Its tools are listed once you have reviewed it and looked at them.'}
      </p>
    );
  }
  const wanted = find.trim().toLowerCase();
  const shown = tools.filter(({ rawName, title, description }) =>
    `${rawName}\n${title}\n${description}`.toLowerCase().includes(wanted),
  );
  const offered = tools.filter(({ state }) => state === 'on').length;
  const cost = costOf(tools.filter(({ state }) => state === 'on'));
  return (
    <>
      {isUp(server) && <ReviewChanges server={server} tools={tools} />}
      <div className={styles.toolbar}>
        <Search
          aria-label="Find a tool"
          placeholder="Find a tool"
          value={find}
          onChange={(event) => setFind(event.target.value)}
        />
        <span className={styles.count} role="status">
          {offered} of {tools.length} offered
          {cost.complete && offered > 0 && `, ${tokenWords(cost.tokens)} each turn`}
          {wanted !== '' && `, ${shown.length} shown`}
        </span>
      </div>
      {shown.length === 0 ? (
        <p>No tool here has “{find.trim()}” in its name or description.</p>
      ) : (
        <ToolTable label={`Tools of ${server.name}`} showState first={<span className={text.hidden}>Offered</span>}>
          {shown.map((tool) => (
            <ToolSwitchLine
              key={tool.rawName}
              tool={tool}
              server={server}
              open={isOpen(tool.rawName)}
              onOpen={(open) => setOpen(tool.rawName, open)}
            />
          ))}
        </ToolTable>
      )}
      <p className={styles.foot}>{CLAIM_FOOT}</p>
      {!(isUp(server) && instructionsWait(server)) && <Instructions server={server} />}
    </>
  );
}
