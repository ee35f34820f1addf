import { planImport } from '../../src-shared/servers/import-preview';
import { readEntries } from '../../src-shared/servers/typed-entry';
import { readChosenFile } from '../storage/chosen-file';
import type { ServerStore } from './server-store';
import { sourceOfEntry } from './workspace-entries';

type Store = Pick<ServerStore, 'rewrite' | 'add' | 'takenNamespaces'>;

/** Takes out what was listed for one run alone; also at the next start, when that run ended without a word. */
export function dropRunEntries(store: Pick<Store, 'rewrite'>): void {
  store.rewrite((entries) => entries.flatMap(({ raw }) => (sourceOfEntry(raw)?.kind === 'this-run' ? [] : [raw])));
}

/** Lists the entries of the file that the app was started with, off, for this run. Each problem is one sentence (S9). */
export async function addRunEntries(store: Store, file: string): Promise<string[]> {
  const text = await readChosenFile(file);
  const entries = text.ok ? readEntries(text.value) : text;
  if (!entries.ok) return [`${file}, which this run was started with, lists no server. ${entries.problem}`];
  const { rows, drafts } = planImport(entries.value, store.takenNamespaces());
  return rows.flatMap(({ name, problem }, nth) => {
    const draft = drafts[nth];
    const added = draft ? store.add(draft, { kind: 'this-run', file }) : null;
    if (added?.ok) return [];
    return [`“${name}” of ${file} is not listed. ${added === null ? (problem ?? '') : added.problem}`];
  });
}
