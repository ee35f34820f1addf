import type { ImportRow } from './import.schema';
import { suggestNamespace } from './namespace-rule';
import type { DraftVariable, ServerDraft } from './server.schema';
import type { ReadEntry } from './typed-entry';

/** What can be added of a file, and how each of its entries is shown. */
export interface ImportPlan {
  rows: ImportRow[];
  /** In the order of the rows; null where one cannot be added. */
  drafts: (ServerDraft | null)[];
}

/** Each entry in turn: the short name of one is taken for those after it (N1). */
export function planImport(entries: readonly ReadEntry[], taken: readonly string[]): ImportPlan {
  const used = [...taken];
  const plan: ImportPlan = { rows: [], drafts: [] };
  for (const { name, draft, notes } of entries) {
    const problem = draft.ok ? missingInput(draft.value) : draft.problem;
    if (!draft.ok || problem !== null) {
      const lines = draft.ok ? linesOf(draft.value) : [];
      plan.rows.push({ name: name || 'An entry without a name', namespace: '', lines, notes, problem });
      plan.drafts.push(null);
      continue;
    }
    const namespace = suggestNamespace(draft.value.name, used);
    used.push(namespace);
    plan.rows.push({ name: draft.value.name, namespace, lines: linesOf(draft.value), notes, problem: null });
    plan.drafts.push({ ...draft.value, namespace });
  }
  return plan;
}

/** What an entry asks for with `${input:key}` and its file does not hold; null when nothing is missing. */
export function missingInput({ connection }: ServerDraft): string | null {
  const missing = (connection.inputs ?? []).filter(({ value }) => value.kind === 'literal' && value.value === '');
  if (missing.length === 0) return null;
  const keys = missing.map(({ key }) => key).join(', ');
  return `It asks for ${keys}, which the file does not hold. Paste the entry into Add a server and enter it there.`;
}

function linesOf({ connection }: ServerDraft): string[] {
  if (connection.kind === 'http') {
    const headers = connection.headers.map(({ name, value }) => `${name}: ${shown(value)}`);
    return [connection.endpoint, ...headers];
  }
  const line = [connection.command, ...connection.args.map(shown)].map(quoted).join(' ');
  const env = connection.env.map(({ name, value }) => `${name}=${shown(value)}`);
  const folder = connection.cwd === undefined ? [] : [`in ${connection.cwd}`];
  return [line, ...env, ...folder];
}

const shown = (value: DraftVariable): string => (value.kind === 'literal' ? value.value : '(secret)');
const quoted = (word: string): string => (/\s/.test(word) || word === '' ? `"${word}"` : word);
