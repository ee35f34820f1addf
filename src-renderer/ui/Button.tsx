import type { ComponentProps } from 'react';
import styles from './Button.module.css';
import { classNames } from './class-names';

export interface ButtonLook {
  look?: 'plain' | 'strong' | 'quiet' | 'stop';
  small?: boolean;
  /** Square, for a drawing alone; such a button needs an `aria-label`. */
  icon?: boolean;
}

export const buttonClass = ({ look = 'plain', small = false, icon = false }: ButtonLook): string =>
  classNames(
    styles.button,
    look === 'strong' && styles.buttonStrong,
    look === 'quiet' && styles.buttonQuiet,
    look === 'stop' && styles.buttonStop,
    small && styles.buttonSmall,
    icon && styles.buttonIcon,
  );

/** A button is a verb. `aria-disabled` keeps it reachable and says nothing happens yet. */
export function Button({ look, small, icon, className, ...rest }: ComponentProps<'button'> & ButtonLook) {
  const asked: ButtonLook = { ...(look && { look }), ...(small && { small }), ...(icon && { icon }) };
  return <button type="button" {...rest} className={classNames(buttonClass(asked), className)} />;
}

export function LinkButton({ className, ...rest }: ComponentProps<'button'>) {
  return <button type="button" {...rest} className={classNames(styles.link, className)} />;
}
