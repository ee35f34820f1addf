import { Fragment, useId, useState, type FormEvent } from 'react';
import { toVisibleText } from '../../src-shared/base/visible-text';
import type { ImportPreview, ImportRow } from '../../src-shared/servers/import.schema';
import { goTo } from '../app/navigation-store';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { Checkbox } from '../ui/Checkbox';
import { Code, Visible } from '../ui/Code';
import { countOf } from '../ui/format';
import list from '../ui/List.module.css';
import { Note, Problem } from '../ui/Note';
import page from '../ui/Page.module.css';
import form from './ServerForm.module.css';
import styles from './Servers.module.css';

interface RowProps {
  row: ImportRow;
  ticked: boolean;
  disabled: boolean;
  onTick(ticked: boolean): void;
}

function RowView({ row, ticked, disabled, onTick }: RowProps) {
  const id = useId();
  return (
    <li className={styles.importRow}>
      <Checkbox
        id={id}
        checked={ticked}
        disabled={disabled || row.problem !== null}
        aria-describedby={`${id}-said`}
        onChange={(event) => onTick(event.target.checked)}
      />
      <div>
        <label htmlFor={id} className={styles.importName}>
          <bdi>
            <Visible text={toVisibleText(row.name)} />
          </bdi>
        </label>
        {row.lines.length > 0 && (
          <Code label={`What ${row.name} is`}>
            {row.lines.map((line, nth) => (
              <Fragment key={nth}>
                {nth > 0 && '\n'}
                <Visible text={toVisibleText(line)} />
              </Fragment>
            ))}
          </Code>
        )}
        <div id={`${id}-said`}>
          {row.problem === null ? <p>Its short name will be {row.namespace}.</p> : <p>It cannot be added. {row.problem}</p>}
          {row.notes.map((note) => (
            <p key={note}>
              <Visible text={toVisibleText(note)} />
            </p>
          ))}
        </div>
      </div>
    </li>
  );
}

/** What another app's file holds, literally; the ticked ones are added, off (S1, S9). */
export function ImportPage({ preview }: { preview: ImportPreview }) {
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const [result, setResult] = useState<{ added: number; problems: string[] } | null>(null);
  const act = useAct();
  const tick = (nth: number, on: boolean) => {
    const next = new Set(ticked);
    if (on) next.add(nth);
    else next.delete(nth);
    setTicked(next);
  };
  const add = async () => {
    const outcome = await act.run('servers.import', { readingId: preview.readingId, ticked: [...ticked] });
    if (!outcome.ok) return;
    if (outcome.value.problems.length === 0) goTo({ screen: 'servers' });
    else setResult(outcome.value);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!act.busy && ticked.size > 0) void add();
  };
  return (
    <form className={form.withFoot} aria-label="Import servers" onSubmit={submit}>
      <div className={styles.scroll}>
        <div className={page.page}>
          <p className={styles.wraps}>
            {countOf(preview.rows.length, 'entry', 'entries')} in <bdi>{preview.file}</bdi>. The file was only read. Values that
            look like secrets are kept as secrets.
          </p>
          <ul className={list.group} aria-label="Entries of the file">
            {preview.rows.map((row, nth) => (
              <RowView key={nth} row={row} ticked={ticked.has(nth)} disabled={result !== null} onTick={(on) => tick(nth, on)} />
            ))}
          </ul>
          <Problem text={act.problem} />
          {result !== null && (
            <div role="alert" className={form.notes}>
              <p>{countOf(result.added, 'server')} added, off.</p>
              {result.problems.map((problem) => (
                <Note key={problem} role="stop">
                  {problem}
                </Note>
              ))}
            </div>
          )}
        </div>
      </div>
      <div className={form.foot}>
        <div className={form.footBar}>
          <span>What you add is off. You review it before it runs or is contacted.</span>
          <Button className={form.push} onClick={() => goTo({ screen: 'servers' })}>
            {result === null ? 'Don’t add' : 'Back to the servers'}
          </Button>
          <Button type="submit" look="strong" disabled={act.busy || ticked.size === 0 || result !== null}>
            Add {countOf(ticked.size, 'server')} (off)
          </Button>
        </div>
      </div>
    </form>
  );
}
