import type { Where } from './app-server';

/** What each side of one comparison is asked to do. */
export interface OddInput {
  where: Where;
  way: string;
  timeoutMs: number;
  warmUp: { calls: number; restMs: number };
}

/** Makes the same plain call again and again, then rests. */
export async function warmUpBy({ calls, restMs }: OddInput['warmUp'], call: () => Promise<unknown>): Promise<void> {
  for (let count = 0; count < calls; count += 1) await call();
  await new Promise((resolve) => setTimeout(resolve, restMs));
}
