import { randomUUID } from 'node:crypto';
import { failed, ok } from '../../src-shared/base/result';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import { planImport } from '../../src-shared/servers/import-preview';
import type { ServerDraft } from '../../src-shared/servers/server.schema';
import { readEntries } from '../../src-shared/servers/typed-entry';
import { readChosenFile } from '../storage/chosen-file';
import type { ServerStore } from './server-store';

export interface ImportCallParts {
  store: Pick<ServerStore, 'add' | 'takenNamespaces'>;
  /** Lets the user pick one file; null when they pick none. */
  pickFile(): Promise<string | null>;
}

interface Reading {
  readingId: string;
  file: string;
  drafts: (ServerDraft | null)[];
}

/** Takes servers from another app's file: read here, shown without its secrets, and added off (S1, S8, S9). */
export function importCalls({ store, pickFile }: ImportCallParts): Pick<CallHandlers, 'servers.readImport' | 'servers.import'> {
  const refused = (message: string) => failed({ code: 'refused' as const, message });
  // Only what was last shown can be added.
  let reading: Reading | null = null;

  return {
    'servers.readImport': async () => {
      const file = await pickFile();
      if (file === null) return ok({ preview: null });
      const text = await readChosenFile(file);
      if (!text.ok) return refused(text.problem);
      const entries = readEntries(text.value);
      if (!entries.ok) return refused(entries.problem);
      const { rows, drafts } = planImport(entries.value, store.takenNamespaces());
      reading = { readingId: randomUUID(), file, drafts };
      return ok({ preview: { readingId: reading.readingId, file, rows } });
    },

    'servers.import': async ({ readingId, ticked }) => {
      if (reading?.readingId !== readingId) return refused('What was read of this file is gone. Choose the file again.');
      const { file, drafts } = reading;
      reading = null;
      const problems: string[] = [];
      let added = 0;
      for (const index of new Set(ticked)) {
        const draft = drafts[index];
        if (!draft) continue;
        const outcome = store.add(draft, { kind: 'imported', file });
        if (outcome.ok) added++;
        else problems.push(`“${draft.name}” was not added. ${outcome.problem}`);
      }
      return ok({ added, problems });
    },
  };
}
