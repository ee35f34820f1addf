import type { ReactNode } from 'react';
import type { VisibleText } from '../../src-shared/approvals/approval.schema';
import styles from './Code.module.css';
import { classNames } from './class-names';

/** A block of text exactly as it runs or is sent: left to right, scrolling, never cut. */
export function Code({
  children,
  label,
  tall = false,
  className,
}: {
  children: ReactNode;
  label?: string;
  tall?: boolean;
  className?: string | undefined;
}) {
  return (
    <pre
      className={classNames(styles.code, tall ? styles.tall : styles.short, className)}
      tabIndex={0}
      role={label ? 'region' : undefined}
      aria-label={label}
    >
      {children}
    </pre>
  );
}

export function InlineCode({ children }: { children: ReactNode }) {
  return <code className={styles.codeInline}>{children}</code>;
}

/** Text in which characters that would be invisible or lie stand as marked escapes (A5, T1). */
export function Visible({ text }: { text: VisibleText }) {
  return text.map((segment, index) => {
    const look = segment.kind === 'text' ? undefined : segment.kind === 'escape' ? styles.escape : styles.blank;
    return segment.marked || segment.source !== undefined ? (
      <mark key={index} data-source={segment.source} className={classNames(segment.marked ? styles.marked : styles.flow, look)}>
        {segment.text}
      </mark>
    ) : (
      <span key={index} className={look}>
        {segment.text}
      </span>
    );
  });
}
