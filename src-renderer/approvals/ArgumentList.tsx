import { useRef, useState } from 'react';
import type { ShownArgument, ToolApproval } from '../../src-shared/approvals/approval.schema';
import { visibleToString } from '../../src-shared/base/visible-text';
import { Button } from '../ui/Button';
import { Code, Visible } from '../ui/Code';
import { formatBytes } from '../ui/format';
import { Segmented } from '../ui/Segmented';
import styles from './Approval.module.css';
import { ArgumentEditor } from './ArgumentEditor';
import { FlowNotes } from './FlowNotes';

type Reading = 'fields' | 'text';

const READINGS = [
  ['fields', 'Arguments'],
  ['text', 'As one text'],
] as const;

/** Which argument is being changed: its place, `all` for the one text, or null. */
export type EditedPlace = number | 'all' | null;

interface ArgumentListProps {
  request: ToolApproval;
  editing: EditedPlace;
  onEdit(place: EditedPlace): void;
}

/** All of the arguments, by name or as the one text that is sent. Nothing is cut: long ones scroll (A5). */
export function ArgumentList({ request, editing, onEdit }: ArgumentListProps) {
  const [reading, setReading] = useState<Reading>('fields');
  const list = useRef<HTMLDivElement>(null);
  const keep = () => {
    onEdit(null);
    // The button is back by then.
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-edits="${editing}"]`)?.focus());
  };
  const show = (place: number, source: number) => {
    if (editing !== null) return;
    setReading('fields');
    // The arguments are drawn by name by then.
    requestAnimationFrame(() => {
      const mark = list.current?.querySelector<HTMLElement>(`[data-place="${place}"] mark[data-source="${source}"]`);
      mark?.scrollIntoView({ block: 'center' });
      mark?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
    });
  };
  const editButton = (place: number | 'all', name: string) => (
    <Button
      small
      look="quiet"
      data-edits={place}
      disabled={editing !== null}
      aria-label={`Edit ${name}`}
      onClick={() => onEdit(place)}
    >
      Edit
    </Button>
  );
  return (
    <div ref={list} className={styles.arguments}>
      <FlowNotes request={request} onShow={show} />
      <div className={styles.readings}>
        <Segmented
          label="How the arguments are shown"
          value={reading}
          options={READINGS}
          onChange={(next) => {
            if (editing === null) setReading(next);
          }}
        />
        <span>{formatBytes(request.argumentsBytes)} in all</span>
        {reading === 'text' && editButton('all', 'all arguments')}
      </div>
      {reading === 'text' && editing === 'all' && (
        <ArgumentEditor request={request} argument={null} name="all arguments" onKeep={keep} />
      )}
      {reading === 'text' && editing !== 'all' && (
        <Code label="All arguments as one text" tall className={styles.value}>
          <Visible text={request.argumentsText} />
        </Code>
      )}
      {reading === 'fields' && request.arguments.length === 0 && <p>It is called without arguments.</p>}
      {reading === 'fields' &&
        request.arguments.map((argument, place) => {
          const name = visibleToString(argument.name);
          return (
            <div key={place} data-place={place} className={styles.argument}>
              <ArgumentName argument={argument} />
              {editing === place ? (
                <ArgumentEditor request={request} argument={place} name={name} onKeep={keep} />
              ) : (
                <Code label={`Argument ${name}`} tall className={styles.value}>
                  <Visible text={argument.value} />
                </Code>
              )}
              {editing !== place && editButton(place, name)}
            </div>
          );
        })}
    </div>
  );
}

function ArgumentName({ argument }: { argument: ShownArgument }) {
  return (
    <div className={styles.argumentName}>
      <b>
        <Visible text={argument.name} />
      </b>
      {argument.bytes > 500 ? `${argument.type}, ${formatBytes(argument.bytes)}, whole` : argument.type}
    </div>
  );
}
