import { readFileSync } from 'node:fs';

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
