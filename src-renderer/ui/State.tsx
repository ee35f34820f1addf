import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon';
import styles from './State.module.css';
import { classNames } from './class-names';
import { stayWords } from './gate-words';

export type GateRole = 'stay' | 'leave' | 'wait' | 'stop' | 'off' | 'plain';

const COLOUR: Record<GateRole, string | undefined> = {
  stay: styles.stateStay,
  leave: styles.stateLeave,
  wait: styles.stateWait,
  stop: styles.stateStop,
  off: styles.stateOff,
  plain: undefined,
};

export const GATE_ICON: Record<Exclude<GateRole, 'plain'>, IconName> = {
  stay: 'house',
  leave: 'leave',
  wait: 'gate-up',
  stop: 'gate-down',
  off: 'dot',
};

/** A state of the gate: drawing and words, in its colour. Colour never stands alone. */
export function State({
  role,
  icon,
  children,
  className,
}: {
  role: GateRole;
  icon?: IconName | null | undefined;
  children: ReactNode;
  className?: string | undefined;
}) {
  const drawing = icon === undefined && role !== 'plain' ? GATE_ICON[role] : icon;
  return (
    <span className={classNames(styles.state, COLOUR[role], className)}>
      {drawing && <Icon name={drawing} />}
      <span className={styles.words}>{children}</span>
    </span>
  );
}

/** Where something goes, in the words and colour of the gate. */
export function WhereState({
  leaves,
  where,
  on = true,
  className,
}: {
  leaves: boolean;
  where: string;
  on?: boolean;
  className?: string | undefined;
}) {
  const words = leaves ? `leaves to ${where}` : stayWords(where);
  return (
    <State role={on ? (leaves ? 'leave' : 'stay') : 'plain'} icon={leaves ? 'leave' : 'house'} className={className}>
      {words}
    </State>
  );
}
