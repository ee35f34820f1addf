import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { AttachableRow } from '../../src-shared/attachments/attachment.schema';
import { Button } from '../ui/Button';
import { Field, Input } from '../ui/Field';
import styles from './Attachments.module.css';

type Given = { readonly [name: string]: string };

/** Asks for what a prompt or a template needs before it can be attached. */
export function AttachmentForm({
  row,
  onGiven,
  onDropped,
}: {
  row: AttachableRow;
  onGiven: (given: Given) => void;
  onDropped: () => void;
}) {
  const [given, setGiven] = useState<Given>({});
  const [tried, setTried] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('input')?.focus(), []);
  const isMissing = (name: string, required: boolean): boolean => required && !given[name];
  const attach = () => {
    setTried(true);
    if (row.fields.some(({ name, required }) => isMissing(name, required))) return;
    onGiven(given);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const inField = event.target instanceof HTMLInputElement;
    if (event.key === 'Escape') onDropped();
    else if (event.key === 'Enter' && inField) attach();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={box} className={styles.panel} role="group" aria-labelledby="attachment-asks" onKeyDown={onKeyDown}>
      <h3 id="attachment-asks" className={styles.heading}>
        <span dir="auto">{row.name}</span> <bdi className={styles.server}>{row.serverName}</bdi>
      </h3>
      {row.fields.map(({ name, label, description, required }) => (
        <Field
          key={name}
          label={label}
          type={required ? undefined : 'optional'}
          help={description}
          error={tried && isMissing(name, required) ? `Fill in ${label}, or leave this out.` : null}
        >
          {(control) => (
            <Input
              {...control}
              value={given[name] ?? ''}
              onChange={(event) => setGiven({ ...given, [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <div className={styles.acts}>
        <Button small onClick={onDropped}>
          Leave out
        </Button>
        <Button small look="strong" onClick={attach}>
          Attach
        </Button>
      </div>
    </div>
  );
}
