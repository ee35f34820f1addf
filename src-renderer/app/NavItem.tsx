import type { ReactNode } from 'react';
import { Icon, type IconName } from '../ui/Icon';
import styles from './Sidebar.module.css';

interface NavItemProps {
  icon?: IconName;
  words: string;
  aside?: ReactNode;
  current?: boolean;
  onGo(): void;
}

export function NavItem({ icon, words, aside, current = false, onGo }: NavItemProps) {
  return (
    <button type="button" className={styles.navItem} aria-current={current ? 'page' : undefined} title={words} onClick={onGo}>
      {icon && <Icon name={icon} />}
      <span dir="auto">{words}</span>
      {aside}
    </button>
  );
}
