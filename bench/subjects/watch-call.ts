import { readFileSync, writeFileSync } from 'node:fs';

/** What one call cost this process. */
export interface CallCost {
  ms: number;
  /** Highest resident size during the call beyond the size before it. */
  growthBytes: number;
  /** Longest time in which nothing else of this process ran. */
  stallMs: number;
}

const TICK_MS = 2;
/** Tells the kernel to begin a new highest resident size (see proc(5)). */
const FORGET_PEAK = '5';

/** Runs a call and watches memory and event loop meanwhile. */
export async function watchCall<T>(call: () => Promise<T>): Promise<CallCost & { value: T }> {
  let stallMs = 0;
  let last = 0;
  const tick = (): void => {
    const now = performance.now();
    stallMs = Math.max(stallMs, now - last - TICK_MS);
    last = now;
  };
  // What the start of this process left lying about would otherwise be collected, or not, during the call.
  globalThis.gc?.();
  writeFileSync('/proc/self/clear_refs', FORGET_PEAK);
  const before = peakBytes();
  const ticking = setInterval(tick, TICK_MS);
  const startedAt = performance.now();
  last = startedAt;
  try {
    const value = await call();
    const ms = performance.now() - startedAt;
    tick();
    return { value, ms, stallMs, growthBytes: peakBytes() - before };
  } finally {
    clearInterval(ticking);
  }
}

function peakBytes(): number {
  const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  if (!line) throw new Error('This system does not tell the highest resident size of a process.');
  return Number(line[1]) * 1024;
}
