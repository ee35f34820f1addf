import type { ComponentProps } from 'react';
import styles from './Checkbox.module.css';

export function Checkbox(props: Omit<ComponentProps<'input'>, 'type' | 'className'>) {
  return <input {...props} type="checkbox" className={styles.checkbox} />;
}
