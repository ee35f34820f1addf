import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import type { Attached } from './attached-store';
import styles from './Attachments.module.css';

/** What goes along with the message; nothing is asked of a server before it is sent. */
export function AttachedChips({ attached, onRemove }: { attached: readonly Attached[]; onRemove: (index: number) => void }) {
  if (attached.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Attached to this message">
      {attached.map(({ row }, index) => (
        <li key={index} className={styles.chip}>
          <Icon name={row.kind === 'prompt' ? 'chat' : 'folder'} />
          <span className={styles.name} dir="auto">
            {row.name}
          </span>
          <bdi className={styles.server}>{row.serverName}</bdi>
          <Button look="quiet" small icon aria-label={`Take out ${row.name}`} onClick={() => onRemove(index)}>
            <Icon name="close" />
          </Button>
        </li>
      ))}
    </ul>
  );
}
