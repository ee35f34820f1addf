import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon';
import styles from './Note.module.css';
import { classNames } from './class-names';

type NoteRole = 'off' | 'leave' | 'wait' | 'stop' | 'stay';

const GROUND: Record<NoteRole, string | undefined> = {
  off: undefined,
  leave: styles.noteLeave,
  wait: styles.noteWait,
  stop: styles.noteStop,
  stay: styles.noteStay,
};

const ICON: Record<NoteRole, IconName> = { off: 'clock', leave: 'warning', wait: 'gate-up', stop: 'warning', stay: 'house' };

/** One sentence that matters, and what to do. */
export function Note({
  role,
  icon,
  children,
  action,
}: {
  role: NoteRole;
  icon?: IconName;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={classNames(styles.note, GROUND[role])}>
      <Icon name={icon ?? ICON[role]} />
      <div className={styles.noteBody}>{children}</div>
      {action}
    </div>
  );
}

/** What main said went wrong, near what caused it, read out once. */
export function Problem({ text, action }: { text: string | null; action?: ReactNode }) {
  if (text === null) return null;
  return (
    <div role="alert">
      <Note role="stop" action={action}>
        {text}
      </Note>
    </div>
  );
}
