import { useId, useState } from 'react';
import type { ServerRow } from '../../src-shared/servers/server.schema';
import type { ToolRow } from '../../src-shared/tools/tool.schema';
import { useAct } from '../host/use-act';
import { Button, LinkButton } from '../ui/Button';
import { Checkbox } from '../ui/Checkbox';
import { countOf } from '../ui/format';
import list from '../ui/List.module.css';
import { Problem } from '../ui/Note';
import { State } from '../ui/State';
import { InstructionsText } from './Instructions';
import { reviewWords, tokenWords } from './review-words';
import styles from './Review.module.css';
import { decidedTools, isTicked, NO_TICKS, tickedTools, waitsForReview, whyNotTicked, withTick } from './tool-ticks';
import { ToolDefinition } from './ToolDefinition';

/** So many changes are unfolded by themselves. */
const UNFOLDED = 10;

interface ReviewedToolProps {
  tool: ToolRow;
  ticked: boolean;
  open: boolean;
  onTick(ticked: boolean): void;
  onOpen(open: boolean): void;
}

function ReviewedTool({ tool, ticked, open, onTick, onOpen }: ReviewedToolProps) {
  const id = useId();
  return (
    <li>
      <div className={list.row}>
        <Checkbox
          aria-label={`Offer ${tool.rawName}`}
          checked={ticked}
          disabled={whyNotTicked(tool) !== null}
          onChange={(event) => {
            // Nobody ticks what is not in sight.
            if (event.target.checked) onOpen(true);
            onTick(event.target.checked);
          }}
        />
        <div className={list.rowMain}>
          <code className={styles.name}>{tool.rawName}</code>
          <span className={list.rowFact}>
            <State role="wait">{tool.state === 'new' ? 'new' : 'changed'}</State>
            {tool.tokens !== undefined && <span>{tokenWords(tool.tokens)}</span>}
          </span>
        </div>
        <div className={list.rowEnd}>
          <LinkButton
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            aria-label={`${open ? 'Hide' : 'Show'} ${tool.rawName} as it is now`}
            onClick={() => onOpen(!open)}
          >
            {open ? 'Hide' : 'Show'}
          </LinkButton>
        </div>
      </div>
      {open && (
        <div className={styles.shown}>
          <ToolDefinition tool={tool} id={id} />
        </div>
      )}
    </li>
  );
}

/** What its server changed since it was reviewed, settled in one act: what is ticked is offered, the rest stays off (R4). */
export function ReviewChanges({ server, tools }: { server: ServerRow; tools: readonly ToolRow[] }) {
  const id = useId();
  const act = useAct();
  const [ticks, setTicks] = useState(NO_TICKS);
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map());
  const waiting = tools.filter(waitsForReview);
  const gone = tools.filter(({ state }) => state === 'gone');
  const { state, digest } = server.about.instructions;
  const newWords = state === 'new' || state === 'changed';
  if (waiting.length === 0 && gone.length === 0 && !newWords) return null;
  const ticked = tickedTools(ticks, waiting).length;
  const settle = (decided: ReturnType<typeof decidedTools>) =>
    void act.run('tools.review', {
      serverId: server.id,
      tools: decided,
      ...(newWords && digest !== null && { instructions: digest }),
    });
  return (
    <section className={styles.review} aria-labelledby={id}>
      <div className={styles.head}>
        <h3 id={id}>Needs review: {reviewWords(server.about)}</h3>
        {waiting.length > 0 && <span>off until you have looked</span>}
      </div>
      {waiting.length > 0 && (
        <ul className={list.group} aria-label="Changed and new tools">
          {waiting.map((tool, index) => (
            <ReviewedTool
              key={tool.rawName}
              tool={tool}
              ticked={isTicked(ticks, tool)}
              open={folds.get(tool.rawName) ?? (tool.state === 'changed' && index < UNFOLDED)}
              onTick={(on) => setTicks(withTick(ticks, tool, on))}
              onOpen={(open) => setFolds(new Map([...folds, [tool.rawName, open]]))}
            />
          ))}
        </ul>
      )}
      {newWords && (
        <section className={styles.instructions} aria-label="Changed instructions">
          <h4>{state === 'changed' ? 'Its instructions changed' : 'Its instructions'}</h4>
          <InstructionsText server={server} />
        </section>
      )}
      {gone.length > 0 && (
        <p>
          Not listed any more:{' '}
          {gone.map(({ rawName }, index) => (
            <span key={rawName}>
              {index > 0 && ', '}
              <code>{rawName}</code>
            </span>
          ))}
          . When {gone.length === 1 ? 'it comes' : 'they come'} back, {gone.length === 1 ? 'it is' : 'they are'} new.
        </p>
      )}
      <Problem text={act.problem} />
      <div className={styles.answers}>
        {waiting.length > 0 ? (
          <>
            <Button look="strong" disabled={act.busy} onClick={() => settle(decidedTools(NO_TICKS, waiting))}>
              Keep {waiting.length === 1 ? 'it' : 'them'} off
            </Button>
            <Button
              className={styles.push}
              disabled={act.busy || ticked === 0}
              onClick={() => settle(decidedTools(ticks, waiting))}
            >
              {ticked === waiting.length || ticked === 0
                ? `Offer ${countOf(Math.max(ticked, 1), 'tool')}`
                : `Offer ${countOf(ticked, 'tool')}, keep the rest off`}
            </Button>
          </>
        ) : (
          <Button disabled={act.busy} onClick={() => settle([])}>
            {newWords ? 'Take the instructions as reviewed' : 'Forget what is gone'}
          </Button>
        )}
      </div>
    </section>
  );
}
