import { memo } from 'react';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import { formatBytes } from '../ui/format';
import { Icon } from '../ui/Icon';
import { Note } from '../ui/Note';
import { Markdown } from './Markdown';
import { MessageAttachments } from './MessageAttachments';
import { ToolLine } from './ToolLine';
import lines from './ToolLine.module.css';
import styles from './Transcript.module.css';
import type { Turn } from './transcript-turns';

const WHO: Record<Turn['who'], string> = { you: 'You', assistant: 'Portcullis', 'by-hand': 'You ran' };

function listed(hosts: Turn['left']): string {
  const parts = hosts.map(({ host, bytes }) => `${formatBytes(bytes)} to ${host}`);
  const last = parts.pop() ?? '';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}

/** What the app sent out for this turn (G6). Says what the app sent, not what a program run here did by itself. */
function LeftLine({ turn }: { turn: Turn }) {
  const out = turn.left.length > 0;
  const stayed = turn.stayed.length > 0 ? ` On this computer: ${listed(turn.stayed)}.` : '';
  return (
    <p className={out ? lines.leftLineOut : lines.leftLineNone}>
      <Icon name={out ? 'leave' : 'house'} />
      <span>
        {out ? `What left this computer: ${listed(turn.left)}.` : 'Portcullis sent nothing out of this computer.'}
        {stayed}
      </span>
    </p>
  );
}

/** One stretch by one speaker. */
export const TurnView = memo(function TurnView({
  turn,
  conversationId,
  last,
}: {
  turn: Turn;
  conversationId: ConversationId;
  last: boolean;
}) {
  return (
    <article className={styles.turn} aria-label={WHO[turn.who]}>
      <h2 className={styles.turnWho}>{WHO[turn.who]}</h2>
      <div className={styles.turnWhat}>
        {turn.blocks.map((block) =>
          block.kind === 'attachments' ? (
            <MessageAttachments key={block.key} attachments={block.attachments} conversationId={conversationId} />
          ) : block.kind === 'tools' ? (
            <div key={block.key} className={lines.toolLines}>
              {block.lines.map((line) => (
                <ToolLine key={line.call.callId} line={line} conversationId={conversationId} />
              ))}
            </div>
          ) : (
            <div key={block.key} className={styles.words}>
              {turn.who === 'you' ? (
                <p className={styles.typed} dir="auto">
                  {block.text}
                </p>
              ) : (
                <Markdown text={block.text} settled={block.settled} />
              )}
              {block.problem && <Note role="stop">{block.problem}</Note>}
            </div>
          ),
        )}
        {turn.who !== 'you' && (turn.settled || !last || turn.left.length > 0) && <LeftLine turn={turn} />}
      </div>
    </article>
  );
});
