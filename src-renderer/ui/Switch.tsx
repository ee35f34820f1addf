import styles from './Switch.module.css';
import { classNames } from './class-names';

interface SwitchProps {
  label: string;
  on: boolean;
  /** Fills with the colour of what it opens. */
  leaves: boolean;
  busy?: boolean;
  disabled?: boolean;
  onChange(on: boolean): void;
}

export function Switch({ label, on, leaves, busy = false, disabled = false, onChange }: SwitchProps) {
  return (
    <input
      type="checkbox"
      role="switch"
      className={classNames(styles.switch, leaves && styles.switchLeave)}
      aria-label={label}
      aria-busy={busy || undefined}
      checked={on}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
