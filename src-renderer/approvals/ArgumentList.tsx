import { useState } from 'react';
import type { ToolApproval } from '../../src-shared/approvals/approval.schema';
import { visibleToString } from '../../src-shared/base/visible-text';
import { Code, Visible } from '../ui/Code';
import { formatBytes } from '../ui/format';
import { Segmented } from '../ui/Segmented';
import styles from './Approval.module.css';

type Reading = 'fields' | 'text';

const READINGS = [
  ['fields', 'Arguments'],
  ['text', 'As one text'],
] as const;

/** All of the arguments, by name or as the one text that is sent. Nothing is cut: long ones scroll (A5). */
export function ArgumentList({ request }: { request: ToolApproval }) {
  const [reading, setReading] = useState<Reading>('fields');
  return (
    <div className={styles.arguments}>
      <div className={styles.readings}>
        <Segmented label="How the arguments are shown" value={reading} options={READINGS} onChange={setReading} />
        <span>{formatBytes(request.argumentsBytes)} in all</span>
      </div>
      {reading === 'text' && (
        <Code label="All arguments as one text" tall className={styles.value}>
          <Visible text={request.argumentsText} />
        </Code>
      )}
      {reading === 'fields' && request.arguments.length === 0 && <p>It is called without arguments.</p>}
      {reading === 'fields' &&
        request.arguments.map((argument, index) => (
          <div key={index} className={styles.argument}>
            <div className={styles.argumentName}>
              <b>
                <Visible text={argument.name} />
              </b>
              {argument.bytes > 500 ? `${argument.type}, ${formatBytes(argument.bytes)}, whole` : argument.type}
            </div>
            <Code label={`Argument ${visibleToString(argument.name)}`} tall className={styles.value}>
              <Visible text={argument.value} />
            </Code>
          </div>
        ))}
    </div>
  );
}
