import { DropdownMenu } from 'radix-ui';
import { Button } from './Button';
import { Icon, type IconName } from './Icon';
import styles from './Menu.module.css';
import { classNames } from './class-names';

export interface MenuItem {
  words: string;
  icon?: IconName;
  stop?: boolean;
  act(): void;
}

/** The few acts on one thing, behind three dots. */
export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  return (
    // Not modal: the modal kind writes a style element, which the content policy of the window forbids.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button look="quiet" small icon aria-label={label}>
          <Icon name="kebab" />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={styles.menu} align="end" sideOffset={4} collisionPadding={8}>
          {items.map((item) => (
            <DropdownMenu.Item key={item.words} className={classNames(styles.item, item.stop && styles.stop)} onSelect={item.act}>
              {item.icon && <Icon name={item.icon} />}
              {item.words}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
