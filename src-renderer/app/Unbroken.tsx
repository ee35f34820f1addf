import { Component, type ReactNode } from 'react';
import { Button } from '../ui/Button';
import { Problem } from '../ui/Note';
import styles from './Shell.module.css';

/** Keeps a screen that cannot be drawn from taking the window along: the gate and the sheets stay in sight (A2). */
export class Unbroken extends Component<{ of: string; children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  /** Another page is drawn afresh. One that works keeps what it holds. */
  override componentDidUpdate(before: { of: string }): void {
    if (this.state.broken && before.of !== this.props.of) this.setState({ broken: false });
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    const again = <Button onClick={() => this.setState({ broken: false })}>Draw it again</Button>;
    return (
      <div className={styles.broken}>
        <Problem
          text="This page could not be drawn. Nothing was sent or run by that. Draw it again, or go elsewhere."
          action={again}
        />
      </div>
    );
  }
}
