import { useState } from 'react';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { CallInput } from '../../src-shared/ipc/contract';
import { openConversation } from '../app/navigation-store';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { formatBytes, formatDuration } from '../ui/format';
import { Icon } from '../ui/Icon';
import { Problem } from '../ui/Note';
import { State } from '../ui/State';
import { askAgain } from './ask-again';
import { useConversations } from './conversation-store';
import { notRunWords } from './not-run-words';
import { ProgressBar } from './ProgressBar';
import { ToolDetails } from './ToolDetails';
import { stayWords } from '../ui/gate-words';
import styles from './ToolLine.module.css';
import type { ToolLineItem } from './transcript-turns';

function Name({ line }: { line: ToolLineItem }) {
  return (
    <span className={styles.toolName}>
      <bdi className={styles.server}>{line.call.serverName}</bdi> · <code>{line.call.toolName}</code>
    </span>
  );
}

function Running({ line, conversationId }: { line: ToolLineItem; conversationId: ConversationId }) {
  const act = useAct();
  const progress = useConversations(({ open }) => open[conversationId]?.progress[line.call.callId]);
  return (
    <div>
      <div className={styles.toolLineWait}>
        <Icon name="clock" />
        <Name line={line} />
        <State role="plain">running…</State>
        <Button
          small
          disabled={act.busy}
          aria-label={`Stop ${line.call.toolName}`}
          onClick={() => void act.run('tools.cancel', { conversationId, callId: line.call.callId })}
        >
          Stop
        </Button>
      </div>
      {progress && <ProgressBar tool={line.call.toolName} progress={progress} />}
      <Problem text={act.problem} />
    </div>
  );
}

/** A silence was no answer, so the same question can be put once more (A2). */
function AskAgain({ line, again }: { line: ToolLineItem; again: CallInput<'tools.run'> }) {
  const act = useAct();
  return (
    <div className={styles.again}>
      <Button
        small
        disabled={act.busy}
        aria-label={`Ask again to run ${line.call.toolName}`}
        onClick={() => void act.run('tools.run', again)}
      >
        Ask again
      </Button>
      <Problem text={act.problem} />
    </div>
  );
}

/** One call: where it stands while it waits or runs, and all about it afterwards. */
export function ToolLine({ line, conversationId }: { line: ToolLineItem; conversationId: ConversationId }) {
  const [open, setOpen] = useState(false);
  const { call, outcome, waiting } = line;
  if (waiting) {
    return (
      <div className={styles.toolLineAsks}>
        <Icon name="gate-up" />
        <Name line={line} />
        <State role="wait" icon={null}>
          waiting for you
        </State>
        <Button small onClick={() => openConversation(conversationId)}>
          Review
        </Button>
      </div>
    );
  }
  if (!outcome) return <Running line={line} conversationId={conversationId} />;
  const notRun = outcome.kind === 'not-run';
  const again = askAgain(call, outcome, conversationId);
  const details = (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={notRun ? styles.toolLineStop : styles.toolLine}>
        <Icon name={notRun ? 'gate-down' : 'chevron-right'} />
        <Name line={line} />
        {outcome.editedArguments !== undefined && (
          <State role="plain" icon="pencil">
            changed by you
          </State>
        )}
        {notRun && (
          <State role="stop" icon={null}>
            {notRunWords(outcome)}
          </State>
        )}
        {!notRun && (
          <>
            {outcome.kind === 'failed' ? (
              <State role="stop" icon="warning">
                failed
              </State>
            ) : (
              <span className={styles.size}>{formatBytes(outcome.bytesIn)}</span>
            )}
            <State role={call.leaves ? 'leave' : 'stay'}>{call.leaves ? `left to ${call.where}` : stayWords(call.where)}</State>
            <span className={styles.time}>{formatDuration(outcome.ms)}</span>
          </>
        )}
      </summary>
      {open && <ToolDetails call={call} outcome={outcome} conversationId={conversationId} />}
    </details>
  );
  if (!again) return details;
  return (
    <div>
      {details}
      <AskAgain line={line} again={again} />
    </div>
  );
}
