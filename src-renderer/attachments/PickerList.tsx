import { useEffect } from 'react';
import { countOf } from '../ui/format';
import styles from './Attachments.module.css';
import type { Picker } from './use-picker';

const NOTHING = {
  '@': 'No server that is on has resources to attach.',
  '/': 'No server that is on has prompts.',
} as const;
const LABEL = { '@': 'Resources', '/': 'Prompts' } as const;

/** The choices above the composer. The caret stays in the message; arrows move through the list. */
export function PickerList({ picker }: { picker: Picker }) {
  const { list, listId, optionId } = picker;
  const activeId = list ? optionId(list.active) : null;
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  if (!list) return null;
  const { sign, rows, more, active } = list;
  return (
    <div className={styles.panel}>
      <p className={styles.count} role="status">
        {rows.length === 0 ? NOTHING[sign] : countOf(rows.length + more, sign === '@' ? 'resource' : 'prompt')}
      </p>
      {rows.length > 0 && (
        <ul id={listId} role="listbox" aria-label={LABEL[sign]} className={styles.list}>
          {rows.map((row, index) => (
            <li
              key={`${row.serverId} ${row.kind} ${row.ref}`}
              id={optionId(index)}
              role="option"
              aria-selected={index === active}
              className={styles.option}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => picker.pick(row)}
            >
              <span className={styles.name} dir="auto">
                {row.name}
              </span>
              <bdi className={styles.server}>{row.serverName}</bdi>
              {row.description !== '' && (
                <span className={styles.description} dir="auto">
                  {row.description}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p className={styles.count}>{countOf(more, 'more')}. Type to narrow them.</p>}
    </div>
  );
}
