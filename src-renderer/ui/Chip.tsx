import type { ReactNode } from 'react';
import styles from './Chip.module.css';
import { Icon, type IconName } from './Icon';
import { classNames } from './class-names';

type ChipLook = 'plain' | 'wait' | 'leave' | 'off' | 'warn';

const LOOK: Record<ChipLook, string | undefined> = {
  plain: undefined,
  wait: styles.chipWait,
  leave: styles.chipLeave,
  off: styles.chipOff,
  warn: styles.chipWarn,
};

/** A claim or a fact, set apart. */
export function Chip({ look = 'plain', icon, children }: { look?: ChipLook; icon?: IconName; children: ReactNode }) {
  return (
    <span className={classNames(styles.chip, LOOK[look])}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  );
}
