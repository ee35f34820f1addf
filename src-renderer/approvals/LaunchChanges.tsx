import type { LaunchApproval } from '../../src-shared/approvals/approval.schema';
import { DiffTable } from '../ui/Diff';
import { countOf, formatDateAndClock } from '../ui/format';
import { Note } from '../ui/Note';
import styles from './Launch.module.css';

/** What was approved beside what stands there now (T2). */
export function LaunchChanges({ request, changedSince }: { request: LaunchApproval; changedSince: number }) {
  const { changes } = request;
  const what = request.plan.kind === 'stdio' ? 'The command' : 'The address, its headers or its transport';
  const when = formatDateAndClock(changedSince);
  return (
    <>
      <Note role="leave">
        {what} changed since you approved it{changes ? '.' : ` on ${when}.`}
        {changes?.changed === 0 &&
          ' Every line reads as it did then: the program file, a script it names, or a saved secret is another one.'}
      </Note>
      {changes && changes.changed > 0 && (
        <section className={styles.changes} aria-label="What changed">
          <h3>
            What changed <small>{countOf(changes.changed, 'part')}</small>
          </h3>
          <DiffTable label="Approved and now" before={when} rows={changes.rows} />
        </section>
      )}
    </>
  );
}
