import { useId, type ComponentProps, type ReactNode } from 'react';
import styles from './Field.module.css';
import { Icon, type IconName } from './Icon';
import { classNames } from './class-names';

interface FieldProps {
  label: string;
  /** What kind of value, in words, beside the label. */
  type?: string | undefined;
  help?: ReactNode;
  error?: string | null | undefined;
  children: (control: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }) => ReactNode;
}

/** A label, a control, and what is wrong with what stands in it. */
export function Field({ label, type, help, error, children }: FieldProps) {
  const id = useId();
  const described = [help ? `${id}-help` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <span className={styles.head}>
        <label className={styles.fieldLabel} htmlFor={id}>
          {label}
        </label>
        {type && <span className={styles.fieldType}>{type}</span>}
      </span>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {help && (
        <p id={`${id}-help`} className={styles.fieldHelp}>
          {help}
        </p>
      )}
    </div>
  );
}

export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className={styles.fieldError}>
      <Icon name="warning" />
      <span>{children}</span>
    </p>
  );
}

export function Input({ mono = false, className, ...rest }: ComponentProps<'input'> & { mono?: boolean }) {
  return (
    <input
      autoComplete="off"
      spellCheck={false}
      dir={mono ? 'ltr' : 'auto'}
      {...rest}
      className={classNames(styles.input, mono && styles.inputMono, className)}
    />
  );
}

export function TextArea({ mono = false, className, ...rest }: ComponentProps<'textarea'> & { mono?: boolean }) {
  return (
    <textarea
      spellCheck={false}
      dir={mono ? 'ltr' : 'auto'}
      {...rest}
      className={classNames(styles.input, styles.area, mono && styles.inputMono, className)}
    />
  );
}

export function Select({ quiet = false, className, ...rest }: ComponentProps<'select'> & { quiet?: boolean }) {
  return (
    <span className={classNames(styles.select, quiet && styles.selectQuiet, className)}>
      <select {...rest} className={styles.input} />
      <Icon name="chevron-down" />
    </span>
  );
}

export function Search({ icon = 'search', ...rest }: Omit<ComponentProps<'input'>, 'type'> & { icon?: IconName }) {
  return (
    <div className={styles.search}>
      <Icon name={icon} />
      <Input type="search" {...rest} />
    </div>
  );
}
