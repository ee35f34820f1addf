import styles from './Skeleton.module.css';
import text from './Text.module.css';

/** Stands where rows will be. It shows after 150 ms, so that what arrives at once does not flicker. */
export function Skeleton({ rows = 3, label }: { rows?: number; label: string }) {
  return (
    <div className={styles.late} role="status">
      <span className={text.hidden}>{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className={styles.skeleton} />
      ))}
    </div>
  );
}
