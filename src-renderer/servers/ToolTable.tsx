import { useId, useState, type ReactNode } from 'react';
import type { ToolRow } from '../../src-shared/tools/tool.schema';
import { Chip } from '../ui/Chip';
import { classNames } from '../ui/class-names';
import { LinkButton } from '../ui/Button';
import { State } from '../ui/State';
import table from '../ui/Table.module.css';
import { claimChips, toolStateWords, toolText } from './server-words';
import styles from './ServerPage.module.css';
import { ToolDefinition } from './ToolDefinition';

function Claims({ tool }: { tool: ToolRow }) {
  const chips = claimChips(tool.claims);
  if (chips.length === 0) return <span className={styles.nothing}>nothing</span>;
  return (
    <span className={styles.chips}>
      {chips.map(({ look, words }) =>
        look === 'warn' ? (
          <Chip key={words} look="warn" icon="warning">
            {words}
          </Chip>
        ) : (
          <Chip key={words}>{words}</Chip>
        ),
      )}
    </span>
  );
}

interface ToolLineProps {
  tool: ToolRow;
  /** The box or the switch. */
  control: ReactNode;
  /** Why the control cannot be used, or what waits. */
  remark: ReactNode;
  /** Left out where all rows are in one state. */
  showState: boolean;
  /** Opens the definition from outside the row. */
  open: boolean;
  onOpen(open: boolean): void;
  answers?: ReactNode;
  /** What happens when it is called, for one that is offered. */
  policy?: ReactNode;
}

/** One tool, and its definition folded below it. */
export function ToolLine({ tool, control, remark, showState, open, onOpen, answers, policy }: ToolLineProps) {
  const id = useId();
  const text = toolText(tool);
  const state = showState ? toolStateWords(tool.state) : null;
  return (
    <>
      <tr className={classNames(showState && tool.state !== 'on' && styles.toolOff, open && styles.toolOpen)}>
        <td>
          <span className={styles.control}>{control}</span>
        </td>
        <td>
          <code className={styles.toolName} title={tool.rawName}>
            {tool.rawName}
          </code>
          <span className={styles.toolText} dir="auto" title={tool.description}>
            {text.title !== '' && <b>{text.title}</b>}
            {text.rest}
          </span>
          {tool.looksLike !== undefined && (
            <Chip look="leave" icon="warning">
              {tool.looksLike}
            </Chip>
          )}
          {tool.readsOnly && <Chip icon="check">only reads, you say</Chip>}
          {remark !== null && <div className={styles.remark}>{remark}</div>}
        </td>
        <td>
          <Claims tool={tool} />
        </td>
        {showState && <td>{state ? <State role={state.role}>{state.words}</State> : policy}</td>}
        <td className={styles.tokens}>{tool.tokens === undefined ? <span className={styles.nothing}>…</span> : tool.tokens}</td>
        <td>
          <LinkButton
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            aria-label={`${open ? 'Hide' : 'Show'} definition of ${tool.rawName}`}
            onClick={() => onOpen(!open)}
          >
            {open ? 'Hide definition' : 'Show definition'}
          </LinkButton>
        </td>
      </tr>
      {open && (
        <tr className={styles.definitionRow}>
          <td colSpan={showState ? 6 : 5}>
            <ToolDefinition tool={tool} id={id} answers={answers} />
          </td>
        </tr>
      )}
    </>
  );
}

/** Which definitions are unfolded. */
export function useUnfolded(): [has: (rawName: string) => boolean, set: (rawName: string, open: boolean) => void] {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const set = (rawName: string, open: boolean) =>
    setUnfolded((names) => {
      const next = new Set(names);
      if (open) next.add(rawName);
      else next.delete(rawName);
      return next;
    });
  return [(rawName) => unfolded.has(rawName), set];
}

export function ToolTable({
  label,
  first,
  showState,
  children,
}: {
  label: string;
  /** What heads the column of boxes or switches. */
  first: ReactNode;
  showState: boolean;
  children: ReactNode;
}) {
  return (
    <div className={table.tableBox} role="region" aria-label={label} tabIndex={0}>
      <table className={classNames(table.table, styles.tools)} aria-label={label}>
        <colgroup>
          <col className={styles.cSwitch} />
          <col />
          <col className={styles.cFlags} />
          {showState && <col className={styles.cState} />}
          <col className={styles.cTokens} />
          <col className={styles.cMore} />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            <th scope="col">Tool</th>
            <th scope="col">The server says</th>
            {showState && <th scope="col">When called</th>}
            <th scope="col" className={styles.tokens} title="About how many tokens telling a model of it costs each turn">
              Tokens
            </th>
            <th scope="col">Definition</th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export const CLAIM_FOOT = '“The server says” is a claim. It makes Portcullis stricter, never more lenient.';
