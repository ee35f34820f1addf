import { useState } from 'react';
import type { Attachment } from '../../src-shared/attachments/attachment.schema';
import { toVisibleText } from '../../src-shared/base/visible-text';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import { Code, Visible } from '../ui/Code';
import { countOf, formatBytes } from '../ui/format';
import { Icon } from '../ui/Icon';
import { Segmented } from '../ui/Segmented';
import { State } from '../ui/State';
import { stayWords } from '../ui/gate-words';
import { WholeOutput } from './ToolDetails';
import styles from './ToolLine.module.css';

const READINGS = [
  ['text', 'Text'],
  ['model', 'As a model reads it'],
] as const;
const READINGS_WITH_WHAT_WAS_SENT = [...READINGS, ['sent', 'As the server sent it']] as const;

function Opened({ attachment, conversationId }: { attachment: Attachment; conversationId: ConversationId }) {
  const [reading, setReading] = useState<'text' | 'model' | 'sent'>('text');
  const { outcome, serverName, where, leaves } = attachment;
  return (
    <div className={styles.toolOpen}>
      <div className={styles.toolPart}>
        <div className={styles.toolPartHead}>
          <Segmented
            label="How it is shown"
            value={reading}
            options={outcome.rawHandle ? READINGS_WITH_WHAT_WAS_SENT : READINGS}
            onChange={setReading}
          />
          {outcome.removedCharacters > 0 && <span>{countOf(outcome.removedCharacters, 'hidden character')} removed</span>}
        </div>
        {reading === 'sent' && outcome.rawHandle ? (
          <WholeOutput conversationId={conversationId} handle={outcome.rawHandle} what="text as it was sent" />
        ) : (
          <Code label={attachment.name} tall>
            {reading === 'model' ? <Visible text={toVisibleText(outcome.forModel)} /> : outcome.forPerson}
          </Code>
        )}
      </div>
      {outcome.outputHandle && <WholeOutput conversationId={conversationId} handle={outcome.outputHandle} what="text" />}
      <p className={styles.others}>
        Asked of {serverName}, {leaves ? `at ${where}` : `on this computer: ${where}`}: {formatBytes(outcome.bytesOut)} out,{' '}
        {formatBytes(outcome.bytesIn)} back.
      </p>
    </div>
  );
}

function Line({ attachment, conversationId }: { attachment: Attachment; conversationId: ConversationId }) {
  const [open, setOpen] = useState(false);
  const { kind, name, serverName, where, leaves, outcome } = attachment;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.toolLine}>
        <Icon name="chevron-right" />
        <span className={styles.toolName}>
          <bdi className={styles.server}>{serverName}</bdi> · {kind} <bdi>{name}</bdi>
        </span>
        <span className={styles.size}>{formatBytes(outcome.bytesIn)}</span>
        <State role={leaves ? 'leave' : 'stay'}>{leaves ? `left to ${where}` : stayWords(where)}</State>
        <span />
      </summary>
      {open && <Opened attachment={attachment} conversationId={conversationId} />}
    </details>
  );
}

/** What was attached to a message; each opens to show the very text the model was given. */
export function MessageAttachments({
  attachments,
  conversationId,
}: {
  attachments: readonly Attachment[];
  conversationId: ConversationId;
}) {
  return (
    <div className={styles.toolLines}>
      {attachments.map((attachment, index) => (
        <Line key={index} attachment={attachment} conversationId={conversationId} />
      ))}
    </div>
  );
}
