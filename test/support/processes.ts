import { readFileSync, readdirSync } from 'node:fs';

/** True while a process runs; one that is dead and not yet collected does not count. */
export function isRunning(pid: number): boolean {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(line.slice(line.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/** Waits until `holds` is true, and says how long that took. */
export async function eventually(holds: () => boolean, withinMs = 8_000): Promise<number> {
  const startedAt = performance.now();
  while (!holds()) {
    if (performance.now() - startedAt > withinMs) throw new Error(`Still not so after ${withinMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return performance.now() - startedAt;
}

/** Every program that was started with this home folder and still runs; none where there is no `/proc`. */
export function programsAtHome(home: string): number[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => isRunning(pid) && environmentOf(pid).includes(`HOME=${home}`));
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
