import { useEffect, useMemo, useRef } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import { useView } from '../host/mirror-store';
import type { OpenConversation } from './conversation-reducer';
import styles from './Transcript.module.css';
import { toTurns, withWriting } from './transcript-turns';
import { TurnView } from './TurnView';

/** Near enough to the end to follow what is being written. */
const FOLLOW_PX = 64;

/** The conversation, oldest first. Only what is in sight stands on the page, so 5,000 messages open at once. */
export function Transcript({ id, conversation }: { id: ConversationId; conversation: OpenConversation }) {
  const waiting = useView('approvals', (all) => all);
  const { entries, writing } = conversation;
  const settled = useMemo(
    () =>
      toTurns(
        entries,
        waiting.filter((request) => request.kind === 'tool-call' && request.conversationId === id),
      ),
    [entries, waiting, id],
  );
  const turns = useMemo(() => withWriting(settled, writing), [settled, writing]);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const follows = useRef(true);
  useEffect(() => {
    if (follows.current && turns.length > 0) list.current?.scrollToIndex(turns.length - 1, { align: 'end' });
  }, [turns]);

  return (
    <div ref={scroller} className={styles.scroller} role="log" aria-label="Conversation" aria-live="off" tabIndex={0}>
      <Virtualizer
        ref={list}
        scrollRef={scroller}
        onScroll={(offset) => {
          const handle = list.current;
          if (handle) follows.current = handle.scrollSize - handle.viewportSize - offset < FOLLOW_PX;
        }}
      >
        {turns.map((turn, index) => (
          <div key={turn.key} className={styles.place}>
            <TurnView turn={turn} conversationId={id} last={index === turns.length - 1} />
          </div>
        ))}
      </Virtualizer>
    </div>
  );
}
