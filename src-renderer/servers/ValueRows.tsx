import { useId } from 'react';
import { Button, LinkButton } from '../ui/Button';
import { Checkbox } from '../ui/Checkbox';
import { Input } from '../ui/Field';
import { Icon } from '../ui/Icon';
import { EMPTY_VALUE, mayBeSecret, type EditedValue, type ServerEdit } from './server-edit';
import styles from './ServerForm.module.css';

interface ValueRowsProps {
  kind: ServerEdit['kind'];
  /** What the list is called, and what one row is. */
  title: string;
  one: string;
  named: boolean;
  values: readonly EditedValue[];
  onChange(values: readonly EditedValue[]): void;
}

function ValueRow({
  kind,
  label,
  named,
  value,
  onChange,
  onRemove,
}: {
  kind: ServerEdit['kind'];
  label: string;
  named: boolean;
  value: EditedValue;
  onChange(value: EditedValue): void;
  onRemove(): void;
}) {
  const id = useId();
  const hideable = mayBeSecret(kind, value.name);
  const hidden = value.secret && hideable;
  const of = value.name || label;
  return (
    <li className={styles.valueRow}>
      <div className={styles.valueFields}>
        {named && (
          <Input
            mono
            className={styles.valueName}
            aria-label={`Name of ${label}`}
            placeholder="NAME"
            maxLength={256}
            value={value.name}
            onChange={(event) => onChange({ ...value, name: event.target.value })}
          />
        )}
        {value.inherits ? (
          <span className={styles.aside}>the value it has on this computer</span>
        ) : (
          <Input
            mono
            type={hidden ? 'password' : 'text'}
            aria-label={named ? `Value of ${of}` : label}
            placeholder={hidden && value.saved !== null ? 'saved; type to replace it' : ''}
            value={value.text}
            onChange={(event) => onChange({ ...value, text: event.target.value })}
          />
        )}
        <Button look="quiet" icon aria-label={`Remove ${of}`} onClick={onRemove}>
          <Icon name="close" />
        </Button>
      </div>
      {named && kind === 'stdio' && (
        <label className={styles.secretBox} htmlFor={`${id}-inherits`}>
          <Checkbox
            id={`${id}-inherits`}
            aria-label={`${of}: passed on from this computer, no value saved`}
            checked={value.inherits === true}
            onChange={(event) => onChange({ ...value, text: '', secret: false, inherits: event.target.checked })}
          />
          <span>passed on from this computer, no value saved</span>
        </label>
      )}
      {value.inherits ? null : hideable ? (
        <label className={styles.secretBox} htmlFor={id}>
          <Checkbox
            id={id}
            aria-label={`${of}: secret, kept in the keychain`}
            checked={value.secret}
            onChange={(event) => onChange({ ...value, secret: event.target.checked })}
          />
          <span>secret, kept in the keychain</span>
        </label>
      ) : (
        <p className={styles.aside}>{value.name} changes what runs, so its value stays in sight.</p>
      )}
    </li>
  );
}

/** Arguments, variables or headers, one to a row. The order of arguments is the order in which they are given. */
export function ValueRows({ kind, title, one, named, values, onChange }: ValueRowsProps) {
  const id = useId();
  const replace = (at: number, value: EditedValue) => onChange(values.map((other, index) => (index === at ? value : other)));
  return (
    <div className={styles.values} role="group" aria-labelledby={id}>
      <span id={id} className={styles.valuesTitle}>
        {title}
      </span>
      {values.length > 0 && (
        <ol className={styles.valueList}>
          {values.map((value, index) => (
            <ValueRow
              key={index}
              kind={kind}
              label={`${one} ${index + 1}`}
              named={named}
              value={value}
              onChange={(changed) => replace(index, changed)}
              onRemove={() => onChange(values.filter((_, other) => other !== index))}
            />
          ))}
        </ol>
      )}
      <LinkButton className={styles.addRow} onClick={() => onChange([...values, EMPTY_VALUE])}>
        Add {/^[aeiou]/i.test(one) ? 'an' : 'a'} {one}
      </LinkButton>
    </div>
  );
}
