import { useEffect, useRef, type KeyboardEventHandler, type PointerEventHandler, type ReactNode } from 'react';
import styles from './Sheet.module.css';
import { classNames } from './class-names';

interface SheetProps {
  labelledBy: string;
  describedBy?: string | undefined;
  alert?: boolean;
  /** Another sheet waits behind this one. */
  stacked?: boolean;
  /** Escape, and anything else that closes it without an answer. */
  onRefuse(): void;
  /** The sheet stands on the screen. */
  onShown?: (() => void) | undefined;
  onKeyDownCapture?: KeyboardEventHandler | undefined;
  onPointerDownCapture?: PointerEventHandler | undefined;
  children: ReactNode;
}

/**
 * Hangs from the title row over the main pane, in the browser's top layer, where nothing of the page can cover it.
 * All else is inert while it is open; the gate chip stays in sight above it.
 */
export function Sheet({
  labelledBy,
  describedBy,
  alert = false,
  stacked = false,
  onRefuse,
  onShown,
  onKeyDownCapture,
  onPointerDownCapture,
  children,
}: SheetProps) {
  const layer = useRef<HTMLDialogElement>(null);
  const latest = useRef({ onRefuse, onShown });
  useEffect(() => {
    latest.current = { onRefuse, onShown };
  });
  useEffect(() => {
    const dialog = layer.current;
    if (!dialog) return undefined;
    const before = document.activeElement;
    const refuse = () => {
      if (!dialog.open) latest.current.onRefuse();
    };
    dialog.showModal();
    // The browser would pick the first thing that takes focus; the refusing button is the one (A5).
    dialog.querySelector<HTMLElement>('[data-first-focus]')?.focus();
    dialog.addEventListener('close', refuse);
    const frame = requestAnimationFrame(() => latest.current.onShown?.());
    return () => {
      cancelAnimationFrame(frame);
      dialog.removeEventListener('close', refuse);
      dialog.close();
      const back = before instanceof HTMLElement && before.isConnected ? before : document.getElementById('main');
      back?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={layer}
      className={styles.layer}
      role={alert ? 'alertdialog' : 'dialog'}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      onCancel={(event) => {
        event.preventDefault();
        onRefuse();
      }}
      onKeyDownCapture={onKeyDownCapture}
      onPointerDownCapture={onPointerDownCapture}
    >
      <div className={classNames(styles.sheet, stacked && styles.sheetStacked)}>{children}</div>
    </dialog>
  );
}

export function SheetHead({ children }: { children: ReactNode }) {
  return <header className={styles.sheetHead}>{children}</header>;
}

export function SheetKicker({ children }: { children: ReactNode }) {
  return <div className={styles.sheetKicker}>{children}</div>;
}

export function SheetTitle({ id, mono = false, children }: { id: string; mono?: boolean; children: ReactNode }) {
  return (
    <h2 id={id} className={styles.sheetTitle}>
      {mono ? <span className={styles.monoTitle}>{children}</span> : children}
    </h2>
  );
}

export function SheetFacts({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <div id={id} className={styles.sheetFacts}>
      {children}
    </div>
  );
}

export function SheetBody({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.sheetBody} role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}

export function SheetFoot({ children }: { children: ReactNode }) {
  return <footer className={styles.sheetFoot}>{children}</footer>;
}

/** The refusing answer first, the allowing ones at the far end. */
export function SheetActions({ refuse, children }: { refuse: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.sheetActions}>
      {refuse}
      <span className={styles.push}>{children}</span>
    </div>
  );
}

export function SheetAsides({ children }: { children: ReactNode }) {
  return <div className={styles.sheetAsides}>{children}</div>;
}
