import { useId, useState, type KeyboardEvent } from 'react';
import type { AttachableRow } from '../../src-shared/attachments/attachment.schema';
import { useView } from '../host/mirror-store';
import { queryAt, rowsFor, SHOWN_ROWS, withoutQuery, type PickerSign } from './picker-query';

export interface Picker {
  listId: string;
  optionId(index: number): string;
  /** Null while there is nothing to choose. */
  list: { sign: PickerSign; rows: AttachableRow[]; more: number; active: number } | null;
  pick(row: AttachableRow): void;
  setCaret(at: number): void;
  /** True when the key was for the list. */
  takesKey(event: KeyboardEvent): boolean;
}

/** The list behind `@` and `/`: opened by what stands under the caret, closed by Escape until that changes. */
export function usePicker(words: string, onWords: (words: string) => void, onPicked: (row: AttachableRow) => void): Picker {
  const id = useId();
  const all = useView('attachables', (rows) => rows);
  const [caret, setCaret] = useState(0);
  const [closed, setClosed] = useState('');
  const [active, setActive] = useState(0);
  const query = queryAt(words, caret);
  const key = query ? `${query.from} ${query.sign}${query.text}` : '';
  const found = query && key !== closed ? rowsFor(query, all) : [];
  const rows = found.slice(0, SHOWN_ROWS);
  // A sign nobody asked anything with yet is answered also when there is nothing; a word that fits nothing is a word.
  const isOpen = query !== null && key !== closed && (rows.length > 0 || query.text === '');
  const at = Math.min(active, Math.max(0, rows.length - 1));

  const pick = (row: AttachableRow): void => {
    if (query) onWords(withoutQuery(words, query));
    setActive(0);
    onPicked(row);
  };
  return {
    listId: `${id}-list`,
    optionId: (index) => `${id}-option-${index}`,
    list: isOpen ? { sign: query.sign, rows, more: found.length - rows.length, active: at } : null,
    pick,
    setCaret: (place) => {
      setCaret(place);
      if (place !== caret) setActive(0);
    },
    takesKey: (event) => {
      if (!isOpen || event.nativeEvent.isComposing) return false;
      const row = rows[at];
      if (event.key === 'ArrowDown') setActive((at + 1) % Math.max(1, rows.length));
      else if (event.key === 'ArrowUp') setActive((at + rows.length - 1) % Math.max(1, rows.length));
      else if (event.key === 'Escape') setClosed(key);
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && row) pick(row);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}
