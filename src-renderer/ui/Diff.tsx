import type { DiffText } from '../../src-shared/base/diff-text.schema';
import styles from './Diff.module.css';

/** One side of a comparison: what stands on it alone is set in bold, and what would be invisible is spelled out. */
function Side({ text }: { text: DiffText }) {
  return text.map((segment, index) => {
    const look = segment.kind === 'text' ? undefined : styles[segment.kind];
    return segment.changed ? (
      <b key={index} className={look}>
        {segment.text}
      </b>
    ) : (
      <span key={index} className={look}>
        {segment.text}
      </span>
    );
  });
}

interface DiffPart {
  part: string;
  before: DiffText | null;
  after: DiffText | null;
}

function Line({ part, text, sign }: { part: string; text: DiffText; sign: 'was' | 'is' }) {
  return (
    <li className={styles[sign]}>
      <span className={styles.sign} aria-hidden="true">
        {sign === 'was' ? '−' : '+'}
      </span>
      <span className={styles.part}>
        <span className={styles.hidden}>{sign === 'was' ? 'before, ' : 'now, '}</span>
        {part}
      </span>
      <span className={styles.text}>
        {text.length === 0 ? <span className={styles.blank}>empty</span> : <Side text={text} />}
      </span>
    </li>
  );
}

/** What changed, line under line: before, then now. */
export function DiffLines({ label, parts }: { label: string; parts: readonly DiffPart[] }) {
  return (
    <ol className={styles.lines} aria-label={label}>
      {parts.map(({ part, before, after }, index) => [
        before && <Line key={`${index} was`} part={part} text={before} sign="was" />,
        after && <Line key={`${index} is`} part={part} text={after} sign="is" />,
      ])}
    </ol>
  );
}

function Cell({ text, changed, sign }: { text: DiffText | null; changed: boolean; sign: 'was' | 'is' }) {
  if (text === null) {
    return (
      <td>
        <span className={styles.hidden}>nothing</span>
      </td>
    );
  }
  return (
    <td className={changed ? styles[sign] : undefined}>
      <span className={styles.cell}>
        <span className={styles.sign} aria-hidden="true">
          {changed ? (sign === 'was' ? '−' : '+') : ''}
        </span>
        <span className={styles.text}>
          {changed && <span className={styles.hidden}>changed: </span>}
          <Side text={text} />
        </span>
      </span>
    </td>
  );
}

/** What was and what is, side by side. */
export function DiffTable({
  label,
  before,
  rows,
}: {
  label: string;
  /** When the left side was approved. */
  before: string;
  rows: readonly (DiffPart & { changed: boolean })[];
}) {
  return (
    <table className={styles.compare} aria-label={label}>
      <colgroup>
        <col className={styles.colPart} />
        <col />
        <col />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">
            You approved <span>{before}</span>
          </th>
          <th scope="col">Now</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ part, before: was, after, changed }, index) => (
          <tr key={index}>
            <th scope="row">{part}</th>
            <Cell text={was} changed={changed} sign="was" />
            <Cell text={after} changed={changed} sign="is" />
          </tr>
        ))}
      </tbody>
    </table>
  );
}
