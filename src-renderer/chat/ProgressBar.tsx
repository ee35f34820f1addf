import styles from './ProgressBar.module.css';
import type { CallProgress } from './conversation-reducer';

/** How far a call says it is: a share of the whole where its server tells one, else only that it goes on. */
export function ProgressBar({ tool, progress }: { tool: string; progress: CallProgress }) {
  const { fraction, message } = progress;
  return (
    <div className={styles.progress}>
      <progress
        aria-label={`Progress of ${tool}`}
        className={fraction === null ? styles.open : undefined}
        max={1}
        {...(fraction === null ? {} : { value: fraction })}
      />
      <span className={styles.share}>{fraction === null ? '' : `${Math.floor(fraction * 100)} %`}</span>
      {message !== '' && (
        <span className={styles.message} dir="auto">
          {message}
        </span>
      )}
    </div>
  );
}
