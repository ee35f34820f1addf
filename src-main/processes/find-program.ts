import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { digestIfWritable } from './file-digest';

export interface FoundProgram {
  /** Links resolved: this file is executed. */
  realPath: string;
  /** Before links were resolved. Shims and virtual environments look at it, so it becomes the program's own name for itself. */
  foundPath: string;
  foundAs: 'path' | 'absolute' | 'relative';
  /** SHA-256 of the content when the user can change the file, else null. */
  digest: string | null;
}

export interface ProgramProblem {
  /** Says what was looked for, where, and what to do. */
  message: string;
  /** The folders of PATH in the order they were tried; empty when PATH played no part. */
  searched: string[];
}

export interface SearchPlaces {
  /** The PATH the program itself will get, and no other. */
  path: string;
  cwd: string;
  home: string;
}

type Verdict = 'program' | 'not-executable' | 'folder' | 'missing' | 'not-reachable';

/** Finds the one file a command stands for, the way `exec` would, and never through a shell (W5, W7). */
export async function findProgram(command: string, places: SearchPlaces): Promise<Result<FoundProgram, ProgramProblem>> {
  const refuse = (message: string, searched: string[] = []) => failed({ message, searched });
  if (command.trim() === '') return refuse('The command is empty. Enter the name or the full path of a program.');
  if (command.includes('\0')) return refuse('The command contains a character that no program name can have. Enter it again.');
  const folder = await verdictOn(places.cwd);
  if (folder !== 'folder') return refuse(`The working folder ${places.cwd} does not exist. Create it, or choose another one.`);

  const named = command.startsWith('~/') ? join(places.home, command.slice(2)) : command;
  const hasFolder = named.includes('/') || (process.platform === 'win32' && named.includes('\\'));
  if (!hasFolder) return searchPath(command, places);

  const foundPath = resolve(places.cwd, named);
  for (const candidate of spellings(foundPath)) {
    const verdict = await verdictOn(candidate);
    if (verdict === 'program') return found(candidate, isAbsolute(named) ? 'absolute' : 'relative');
    if (verdict !== 'missing') return refuse(describe(candidate, verdict));
  }
  return refuse(describe(foundPath, 'missing'));
}

async function searchPath(command: string, { path, cwd }: SearchPlaces): Promise<Result<FoundProgram, ProgramProblem>> {
  // An empty entry means the working folder, as exec reads it.
  const searched = path === '' ? [] : path.split(delimiter).map((folder) => resolve(cwd, folder));
  let passedOver: string | null = null;
  for (const folder of searched) {
    for (const candidate of spellings(join(folder, command))) {
      const verdict = await verdictOn(candidate);
      if (verdict === 'program') return found(candidate, 'path');
      if (verdict === 'not-executable') passedOver ??= candidate;
    }
  }
  const where = searched.length === 0 ? 'PATH is empty, so there was nowhere to look.' : `Looked in ${searched.join(', ')}.`;
  const hint = passedOver === null ? '' : ` ${describe(passedOver, 'not-executable')}`;
  return failed({
    message: `No program named ${command} was found. ${where}${hint} Enter the full path of the program.`,
    searched,
  });
}

async function found(foundPath: string, foundAs: FoundProgram['foundAs']): Promise<Result<FoundProgram, ProgramProblem>> {
  try {
    const realPath = await realpath(foundPath);
    return ok({ realPath, foundPath, foundAs, digest: await digestIfWritable(realPath) });
  } catch {
    return failed({ message: describe(foundPath, 'missing'), searched: [] });
  }
}

/** A batch file needs a shell to run, and nothing here goes through one. */
function spellings(path: string): string[] {
  if (process.platform !== 'win32' || /\.(?:exe|com)$/i.test(path)) return [path];
  return [`${path}.exe`, `${path}.com`];
}

async function verdictOn(path: string): Promise<Verdict> {
  try {
    const facts = await stat(path);
    if (facts.isDirectory()) return 'folder';
    if (!facts.isFile()) return 'not-executable';
  } catch (error) {
    return isMissing(error) ? 'missing' : 'not-reachable';
  }
  return access(path, constants.X_OK).then(
    () => 'program' as const,
    () => 'not-executable' as const,
  );
}

function describe(path: string, verdict: Exclude<Verdict, 'program'>): string {
  switch (verdict) {
    case 'folder':
      return `${path} is a folder. Enter the path of the program in it.`;
    case 'not-executable':
      return `${path} is not marked as a program that can run. Mark it as executable, or enter the program that runs it.`;
    case 'not-reachable':
      return `${path} cannot be opened by you. Change who can open it, or enter another program.`;
    case 'missing':
      return `${path} does not exist. Check the path of the program.`;
  }
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
