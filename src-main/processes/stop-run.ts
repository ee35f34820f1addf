import { spawn } from 'node:child_process';
import { carriersOf, groupRuns, signalGroup } from './process-group';

/** How long a program has after its input was closed, and again after TERM. */
const GRACE_MS = 2_000;
const STRAGGLER_GRACE_MS = 500;
const POLL_MS = 25;
/** Stragglers that start stragglers are chased this often. */
const ROUNDS = 5;

export interface Run {
  group: number;
  marker: string;
  /** Settles when the first process of the group has exited. */
  ended: Promise<void>;
  /** Cuts every wait short. */
  hurry: AbortSignal;
}

/** Ends a run whose input has been closed: a wait, TERM, a wait, KILL, then what carries its marker elsewhere. */
export async function endRun(run: Run): Promise<void> {
  if (process.platform === 'win32') return endTree(run);
  if (!run.hurry.aborted && (await goneWithin(run, GRACE_MS))) return endStragglers(run);
  if (!run.hurry.aborted) {
    signalGroup(run.group, 'SIGTERM');
    if (await goneWithin(run, GRACE_MS)) return endStragglers(run);
  }
  signalGroup(run.group, 'SIGKILL');
  await goneWithin({ ...run, hurry: new AbortController().signal }, GRACE_MS);
  await endStragglers(run);
}

async function endStragglers(run: Run): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const stragglers = await carriersOf(run.marker);
    if (stragglers.length === 0) return;
    const polite = round === 0 && !run.hurry.aborted;
    for (const pid of stragglers) signalOne(pid, polite ? 'SIGTERM' : 'SIGKILL');
    const until = performance.now() + STRAGGLER_GRACE_MS;
    while (performance.now() < until && stragglers.some((pid) => signalOne(pid, 0))) await pause(POLL_MS, run.hurry);
  }
}

/** The group can outlive its first process: a wrapper exits and leaves the real server behind. */
async function goneWithin(run: Run, ms: number): Promise<boolean> {
  const until = performance.now() + ms;
  if (!(await settled(run.ended, ms, run.hurry))) return false;
  while (await groupRuns(run.group)) {
    if (run.hurry.aborted || performance.now() >= until) return false;
    await pause(POLL_MS, run.hurry);
  }
  return true;
}

async function endTree(run: Run): Promise<void> {
  const ended = run.hurry.aborted ? false : await settled(run.ended, GRACE_MS, run.hurry);
  if (ended) return;
  const killer = spawn('taskkill', ['/pid', String(run.group), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
  await new Promise<void>((resolve) => {
    killer.once('error', () => resolve());
    killer.once('exit', () => resolve());
  });
  await settled(run.ended, GRACE_MS);
}

/** True when `promise` settles within `ms`. Leaves no timer behind, so it keeps nothing awake. */
export function settled(promise: Promise<unknown>, ms: number, hurry?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (value: boolean) => {
      clearTimeout(timer);
      hurry?.removeEventListener('abort', late);
      resolve(value);
    };
    const late = () => answer(false);
    const timer = setTimeout(late, ms);
    hurry?.addEventListener('abort', late, { once: true });
    void promise.then(() => answer(true));
    if (hurry?.aborted) late();
  });
}

const pause = (ms: number, hurry: AbortSignal): Promise<boolean> => settled(new Promise(() => undefined), ms, hurry);

function signalOne(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
