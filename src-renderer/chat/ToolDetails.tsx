import { useState } from 'react';
import { toVisibleText } from '../../src-shared/base/visible-text';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { ResultPart, ToolOutcome } from '../../src-shared/tools/tool.schema';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { Code, Visible } from '../ui/Code';
import { countOf, formatBytes, formatDuration } from '../ui/format';
import { Icon } from '../ui/Icon';
import { Problem } from '../ui/Note';
import { Segmented } from '../ui/Segmented';
import styles from './ToolLine.module.css';
import type { ToolCallEntry } from './transcript-turns';

type Reading = 'result' | 'raw' | 'sent';

const READINGS = [
  ['result', 'Result'],
  ['raw', 'Raw'],
] as const;
const READINGS_WITH_WHAT_WAS_SENT = [...READINGS, ['sent', 'As the server sent it']] as const;

/** Parts that are not text are told in words; nothing is dropped in silence (O5). */
function partWords(part: ResultPart): string | null {
  switch (part.kind) {
    case 'text':
    case 'structured':
      return null;
    case 'image':
      return `an image (${part.mimeType}, ${formatBytes(part.bytes)})`;
    case 'audio':
      return `a sound (${part.mimeType}, ${formatBytes(part.bytes)})`;
    case 'blob':
      return `a file ${part.name} (${part.mimeType}, ${formatBytes(part.bytes)})`;
    case 'link':
      return `an address, not opened: ${part.name} ${part.uri}`;
    case 'unknown':
      return `something this app does not know, called ${part.claimed}`;
  }
}

/** The rest of a text that was cut, page by page. */
export function WholeOutput({ conversationId, handle, what }: { conversationId: ConversationId; handle: string; what: string }) {
  const act = useAct();
  const [read, setRead] = useState<{ text: string; next: number | null } | null>(null);
  const more = async () => {
    const outcome = await act.run('chat.readOutput', { id: conversationId, handle, offset: read?.next ?? 0 });
    if (outcome.ok) setRead({ text: (read?.text ?? '') + outcome.value.text, next: outcome.value.nextOffset });
  };
  return (
    <div className={styles.toolPart}>
      {read && (
        <Code label={`The whole ${what}`} tall>
          <Visible text={toVisibleText(read.text)} />
        </Code>
      )}
      {(!read || read.next !== null) && (
        <div>
          <Button small disabled={act.busy} onClick={() => void more()}>
            {read ? 'Show more' : `Show the whole ${what}`}
          </Button>
        </div>
      )}
      <Problem text={act.problem} />
    </div>
  );
}

function Arguments({ what, text }: { what: string; text: string }) {
  return (
    <div className={styles.toolPart}>
      <div className={styles.toolPartHead}>
        <span>{what}</span>
        <Button
          look="quiet"
          small
          icon
          aria-label={`Copy ${what.charAt(0).toLowerCase()}${what.slice(1)}`}
          onClick={() => void navigator.clipboard.writeText(text)}
        >
          <Icon name="copy" />
        </Button>
      </div>
      <Code label={what}>
        <Visible text={toVisibleText(text)} />
      </Code>
    </div>
  );
}

/** A tool line folded open: the exact arguments, the result, where it went, and who let it run. */
export function ToolDetails({
  call,
  outcome,
  conversationId,
}: {
  call: ToolCallEntry;
  outcome: ToolOutcome;
  conversationId: ConversationId;
}) {
  const [reading, setReading] = useState<Reading>('result');
  const others = outcome.parts.map(partWords).filter((words) => words !== null);
  const ran = outcome.kind !== 'not-run';
  return (
    <div className={styles.toolOpen}>
      {outcome.editedArguments === undefined ? (
        <Arguments what="Arguments" text={call.argumentsText} />
      ) : (
        <>
          <Arguments what="Arguments, as you changed them" text={outcome.editedArguments} />
          <Arguments what="Arguments, as they were asked for" text={call.argumentsText} />
        </>
      )}
      <div className={styles.toolPart}>
        <div className={styles.toolPartHead}>
          <Segmented
            label="How the result is shown"
            value={reading}
            options={outcome.rawHandle ? READINGS_WITH_WHAT_WAS_SENT : READINGS}
            onChange={setReading}
          />
          {outcome.removedCharacters > 0 && <span>{countOf(outcome.removedCharacters, 'hidden character')} removed</span>}
        </div>
        {reading === 'sent' && outcome.rawHandle ? (
          <WholeOutput conversationId={conversationId} handle={outcome.rawHandle} what="text as it was sent" />
        ) : (
          <Code label={reading === 'raw' ? 'Result as a model reads it' : 'Result'} tall>
            {reading === 'raw' ? <Visible text={toVisibleText(outcome.forModel)} /> : outcome.forPerson}
          </Code>
        )}
        {outcome.parts.map((part, place) =>
          part.kind === 'image' && part.data !== undefined ? (
            <img
              // Parts of a settled result never move.
              key={place}
              className={styles.image}
              alt={`Image from ${part.name ?? call.toolName}, not described by its server`}
              src={`data:${part.mimeType};base64,${part.data}`}
              decoding="async"
            />
          ) : null,
        )}
        {outcome.notes?.map((note) => (
          <p key={note} className={styles.others}>
            {note}
          </p>
        ))}
        {others.length > 0 && <p className={styles.others}>It also holds {others.join('; ')}.</p>}
      </div>
      {outcome.outputHandle && <WholeOutput conversationId={conversationId} handle={outcome.outputHandle} what="result" />}
      <dl className={styles.facts}>
        <dt>Went to</dt>
        <dd>
          {!ran && 'nowhere: it was not run'}
          {ran && (call.leaves ? `${call.serverName}, at ${call.where}` : `${call.serverName}, on this computer: ${call.where}`)}
        </dd>
        {ran && (
          <>
            <dt>Sent</dt>
            <dd>
              {formatBytes(outcome.bytesOut)} out, {formatBytes(outcome.bytesIn)} back, in {formatDuration(outcome.ms)}
            </dd>
          </>
        )}
        {outcome.allowedBy !== '' && (
          <>
            <dt>{ran ? 'Allowed by' : 'Decided by'}</dt>
            <dd>{outcome.allowedBy}</dd>
          </>
        )}
        {outcome.asked && outcome.asked.length > 0 && (
          <>
            <dt>Asked back</dt>
            <dd>{outcome.asked.join(' ')}</dd>
          </>
        )}
        <dt>Called as</dt>
        <dd>
          <code>{call.name}</code>
        </dd>
      </dl>
    </div>
  );
}
