import type { ReactNode } from 'react';
import { describeClaims } from '../../src-shared/approvals/approval-rule';
import type { DefinitionDiff } from '../../src-shared/tools/definition-diff.schema';
import type { ToolRow } from '../../src-shared/tools/tool.schema';
import { useAnswer } from '../host/use-act';
import { Code } from '../ui/Code';
import { DiffLines } from '../ui/Diff';
import { countOf } from '../ui/format';
import { Problem } from '../ui/Note';
import { Skeleton } from '../ui/Skeleton';
import styles from './ServerPage.module.css';

/** What is another one since it was reviewed, part by part (R4). */
function ToolChanges({ name, diff }: { name: string; diff: DefinitionDiff }) {
  return (
    <div className={styles.changes}>
      <p>The server changed this since you reviewed it:</p>
      <DiffLines label={`What changed in ${name}`} parts={diff.changes} />
      {diff.more > 0 && <p>{countOf(diff.more, 'more change stands', 'more changes stand')} in the whole definition below.</p>}
    </div>
  );
}

interface ToolDefinitionProps {
  tool: ToolRow;
  id: string;
  /** Given only once the whole definition is in sight. */
  answers?: ReactNode;
}

/** The whole definition as its server lists it now, with what the server claims in sentences. */
export function ToolDefinition({ tool, id, answers }: ToolDefinitionProps) {
  const { serverId, rawName, digest, state } = tool;
  // A definition that changes is asked for again, and is never shown under the digest of the one before.
  const answer = useAnswer('tools.describe', digest && `${digest} ${state}`, { serverId, rawName });
  return (
    <div id={id} className={styles.definition}>
      {tool.description !== '' && (
        <p className={styles.description} dir="auto">
          {tool.description}
        </p>
      )}
      <ul className={styles.claims}>
        {describeClaims(tool.claims).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {tool.published !== null && (
        <p>
          Published as <code>{tool.published}</code>
        </p>
      )}
      {digest === null && <p>{tool.why}</p>}
      {digest !== null && answer.state === 'loading' && <Skeleton label={`Reading the definition of ${rawName}`} />}
      {answer.state === 'failed' && <Problem text={answer.problem} />}
      {digest !== null && answer.state === 'ready' && (
        <>
          {answer.value.diff && <ToolChanges name={rawName} diff={answer.value.diff} />}
          <Code label={`Definition of ${rawName}`} tall>
            {answer.value.definitionText}
          </Code>
          {answers}
        </>
      )}
    </div>
  );
}
