import { randomUUID } from 'node:crypto';
import { failed, ok, type Result } from '../../src-shared/base/result';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import { planImport } from '../../src-shared/servers/import-preview';
import type { ImportPreview } from '../../src-shared/servers/import.schema';
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
export function importCalls({
  store,
  pickFile,
}: ImportCallParts): Pick<CallHandlers, `servers.${'readImport' | 'readDropped' | 'import'}`> {
  const refused = (message: string) => failed({ code: 'refused' as const, message });
  // Only what was last shown can be added.
  let reading: Reading | null = null;

  function readText(file: string, text: string): Result<ImportPreview, string> {
    const entries = readEntries(text);
    if (!entries.ok) return entries;
    const { rows, drafts } = planImport(entries.value, store.takenNamespaces());
    reading = { readingId: randomUUID(), file, drafts };
    return ok({ readingId: reading.readingId, file, rows });
  }

  return {
    'servers.readImport': async () => {
      const file = await pickFile();
      if (file === null) return ok({ preview: null });
      const text = await readChosenFile(file);
      const read = text.ok ? readText(file, text.value) : text;
      return read.ok ? ok({ preview: read.value }) : refused(read.problem);
    },

    // The window reads what is dropped on it: a path that came with a drop would be somebody else's choice of file.
    'servers.readDropped': async ({ file, text }) => {
      const read = readText(file, text);
      return read.ok ? ok({ preview: read.value }) : refused(read.problem);
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
