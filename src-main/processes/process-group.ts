import { readdir, readFile } from 'node:fs/promises';

/** Every program gets this variable with a random value of its own, so that a child which left the group is still found. */
export const RUN_MARKER = 'PORTCULLIS_RUN';

/** Sends a signal to a whole group. False when the group is gone. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** True while anything in the group still runs. A dead process nobody has collected does not count. */
export async function groupRuns(group: number): Promise<boolean> {
  if (!signalGroup(group, 0)) return false;
  if (process.platform !== 'linux') return true;
  for (const pid of await everyPid()) {
    const facts = await statOf(pid);
    if (facts?.group === group && !facts.dead) return true;
  }
  return false;
}

/**
 * Processes that carry the marker, wherever they went. Only Linux shows the environment of others.
 * A child started with an emptied environment is not found: only isolation holds that one.
 */
export async function carriersOf(marker: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const sought = Buffer.from(`${RUN_MARKER}=${marker}`);
  const carriers: number[] = [];
  for (const pid of await everyPid()) {
    if (pid === process.pid) continue;
    const environment = await readFile(`/proc/${pid}/environ`).catch(() => null);
    if (environment?.includes(sought) && !(await statOf(pid))?.dead) carriers.push(pid);
  }
  return carriers;
}

async function everyPid(): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  return names.map(Number).filter((pid) => Number.isInteger(pid) && pid > 1);
}

async function statOf(pid: number): Promise<{ group: number; dead: boolean } | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null);
  if (line === null) return null;
  // The program's name stands in parentheses and can contain anything, more parentheses too.
  const [state = '', , group = ''] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return { group: Number(group), dead: state === 'Z' || state === 'X' };
}
