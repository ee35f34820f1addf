import { failed, ok, type Result } from '../base/result';
import { entriesIn, MAX_ENTRIES } from './config-import';
import { missingInput } from './import-preview';
import type { DraftValue, DraftVariable, ServerDraft } from './server.schema';
import { readTolerantJson } from './tolerant-json';
import { readEntries } from './typed-entry';

/** The files of a workspace that can list servers, under its folder (T3). */
export const WORKSPACE_FILES = ['.portcullis/mcp.json', '.mcp.json', '.vscode/mcp.json'] as const;
export const MAX_WORKSPACE_FILE_BYTES = 256 * 1024;

/** One entry of a workspace file under the rules of every way in. `key` tells it from the others of its file. */
export interface WorkspaceEntry {
  key: string;
  draft: Result<ServerDraft, string>;
}

/** Reads the entries of one workspace file. Programs run in the folder unless the entry says where; no argument is hidden. */
export function readWorkspaceFile(text: string, folder: string): Result<WorkspaceEntry[], string> {
  const root = readTolerantJson(text);
  if (!root.ok) return failed(`It cannot be read as JSON. ${root.problem}`);
  const many = entriesIn(root.value).length;
  if (many === 0) return ok([]);
  if (many > MAX_ENTRIES) return failed(`It holds more than ${MAX_ENTRIES} entries, so none of them is listed.`);
  const read = readEntries(text);
  if (!read.ok) return read;
  const nth = new Map<string, number>();
  return ok(
    read.value.map(({ name, draft }) => {
      const base = (name || (draft.ok ? draft.value.name : 'entry')).slice(0, 280);
      const count = (nth.get(base) ?? 0) + 1;
      nth.set(base, count);
      return { key: count === 1 ? base : `${base} (${count})`, draft: draft.ok ? inFolder(draft.value, folder) : draft };
    }),
  );
}

function inFolder(draft: ServerDraft, folder: string): Result<ServerDraft, string> {
  const missing = missingInput(draft);
  if (missing !== null) return failed(missing);
  const { connection } = draft;
  if (connection.kind === 'http') return ok(draft);
  // A line that a repository wrote is shown whole, so nothing of it can be a secret (T1).
  if (connection.args.some(({ kind }) => kind === 'new-secret')) {
    return failed(
      'One of its arguments looks like a secret, and no argument is hidden in a review. Put ${NAME} there, and the value into that variable of this computer.',
    );
  }
  const fill = (text: string): string => text.replaceAll('${workspaceFolder}', folder);
  const value = <V extends DraftValue | DraftVariable>(given: V): V =>
    given.kind === 'literal' ? { ...given, value: fill(given.value) } : given;
  const { cwd } = connection;
  return ok({
    ...draft,
    connection: {
      ...connection,
      command: fill(connection.command),
      args: connection.args.map(value),
      env: connection.env.map((variable) => ({ ...variable, value: value(variable.value) })),
      cwd: cwd === undefined ? folder : fromFolder(fill(cwd), folder),
    },
  });
}

/** What begins at a root, or with a variable, stands for itself. */
const fromFolder = (path: string, folder: string): string =>
  /^(?:[/\\]|[A-Za-z]:[/\\]|\$\{)/.test(path) ? path : `${folder}/${path}`;
