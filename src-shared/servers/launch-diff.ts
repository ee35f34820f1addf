import type { LaunchPlan } from '../approvals/approval.schema';
import { diffLists, diffTexts, unchanged, wholeChanged, type DiffBudget } from '../base/text-diff';
import { visibleToString } from '../base/visible-text';
import type { LaunchDiff, LaunchDiffRow } from './launch-diff.schema';

/** A longer plan is approved all the same, and not kept for comparison. */
const MAX_KEPT_CHARS = 64 * 1024;
const MAX_CELLS = 2_000_000;
/** What is the same on both sides is listed only as far as it is the launch itself. */
const ALWAYS_SHOWN = new Set(['program', 'arguments', 'address']);

/** What is kept of an approved launch: what was on the screen. Null when that is too long (T2). */
export const planToKeep = (plan: LaunchPlan): LaunchPlan | null => (JSON.stringify(plan).length > MAX_KEPT_CHARS ? null : plan);

/** Lines of one kind: arguments by their order, the others by their names. */
interface Group {
  name: string;
  ordered: boolean;
  lines: { part: string; text: string }[];
}

/** What was approved and what would run now, line by line (T2). No secret is in either. */
export function diffLaunches(before: LaunchPlan, after: LaunchPlan): LaunchDiff {
  const budget: DiffBudget = { cells: MAX_CELLS };
  const [old, now] = [groupsOf(before), groupsOf(after)];
  const names = [...now.keys(), ...[...old.keys()].filter((name) => !now.has(name))];
  const rows = names.flatMap((name) => {
    const [left, right] = [old.get(name)?.lines ?? [], now.get(name)?.lines ?? []];
    const ordered = now.get(name)?.ordered ?? old.get(name)?.ordered;
    const made = ordered ? byOrder(left, right, budget) : byName(left, right, budget);
    return ALWAYS_SHOWN.has(name) ? made : made.filter(({ changed }) => changed);
  });
  return { rows, changed: rows.filter(({ changed }) => changed).length };
}

function groupsOf(plan: LaunchPlan): Map<string, Group> {
  const one = (name: string, part: string, text: string): Group => ({ name, ordered: false, lines: [{ part, text }] });
  const groups: Group[] =
    plan.kind === 'stdio'
      ? [
          one('program', 'program', visibleToString(plan.realPath)),
          {
            name: 'arguments',
            ordered: true,
            lines: plan.args.map((arg, at) => ({ part: `argument ${at + 1}`, text: shown(arg) })),
          },
          one('command', 'command as typed', visibleToString(plan.command)),
          one('folder', 'folder', visibleToString(plan.cwd)),
          {
            name: 'environment',
            ordered: false,
            lines: plan.env.map(({ name, value }) => ({ part: visibleToString(name), text: shown(value) })),
          },
        ]
      : [
          one('address', 'address', visibleToString(plan.address)),
          {
            name: 'headers',
            ordered: false,
            lines: plan.headers.map(({ name, value }) => ({ part: `header ${name}`, text: shown(value) })),
          },
          // Which transport was chosen, and who listens there, stands in remarks alone.
          { name: 'remarks', ordered: false, lines: plan.flags.map(({ text }) => ({ part: `remark “${text}”`, text })) },
        ];
  const filledIn = (plan.variables ?? []).map(({ name, from, usedIn, value }) => ({
    part: `${visibleToString(name)}, into ${usedIn}`,
    text: value.kind === 'shown' ? visibleToString(value.value) : FROM[from],
  }));
  return new Map([...groups, { name: 'filled in', ordered: false, lines: filledIn }].map((group) => [group.name, group]));
}

const FROM = {
  'this-computer': 'from this computer',
  default: 'the default in the entry',
  keychain: 'a secret, from the keychain',
} as const;

type ShownValue = Extract<LaunchPlan, { kind: 'stdio' }>['args'][number];

function shown(value: ShownValue): string {
  if (value.kind === 'shown') return visibleToString(value.value);
  return value.kind === 'secret' ? FROM.keychain : 'not shown, from this computer';
}

type Lines = readonly { part: string; text: string }[];

function byName(before: Lines, after: Lines, budget: DiffBudget): LaunchDiffRow[] {
  const [old, now] = [toMap(before), toMap(after)];
  const parts = [...now.keys(), ...[...old.keys()].filter((part) => !now.has(part))];
  return parts.map((part) => rowOf(part, old.get(part), now.get(part), budget));
}

const toMap = (lines: Lines): Map<string, string> => new Map(lines.map(({ part, text }) => [part, text]));

/** An argument that moved because another came before it is not a change. One that was replaced stands beside its successor. */
function byOrder(before: Lines, after: Lines, budget: DiffBudget): LaunchDiffRow[] {
  const steps = diffLists(
    before.map(({ text }) => text),
    after.map(({ text }) => text),
    budget,
  );
  const rows: LaunchDiffRow[] = [];
  let waiting: string[] = [];
  let [nowAt, oldAt] = [0, 0];
  const flush = (): void => {
    for (const text of waiting) rows.push(rowOf(`argument ${(oldAt += 1)} of then`, text, undefined, budget));
    waiting = [];
  };
  for (const { kind, value } of steps) {
    if (kind === 'removed') {
      waiting.push(value);
      continue;
    }
    if (kind === 'same') flush();
    nowAt += 1;
    const old = kind === 'same' ? value : waiting.shift();
    if (old !== undefined) oldAt += 1;
    rows.push(rowOf(`argument ${nowAt}`, old, value, budget));
  }
  flush();
  return rows;
}

function rowOf(part: string, old: string | undefined, now: string | undefined, budget: DiffBudget): LaunchDiffRow {
  if (old !== undefined && now !== undefined) {
    if (old === now) return { part, before: unchanged(old), after: unchanged(now), changed: false };
    return { part, ...diffTexts(old, now, budget), changed: true };
  }
  return {
    part,
    before: old === undefined ? null : wholeChanged(old),
    after: now === undefined ? null : wholeChanged(now),
    changed: true,
  };
}
