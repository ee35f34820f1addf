import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';

const SHARE_OF_UNIT_TESTS = 500;
const SEED_OF_UNIT_TESTS = 20_260_728;
/** Small enough that the test runner hears from us in between. */
const BATCH = 1_000;
/** No random input of these sizes costs a sound reader more than a few milliseconds. */
const SLOWEST_RUN_MS = 2_000;

const runs = Number(process.env['PORTCULLIS_FUZZ_RUNS'] ?? SHARE_OF_UNIT_TESTS);
const seed = Number(process.env['PORTCULLIS_FUZZ_SEED'] ?? SEED_OF_UNIT_TESTS);

/** Room for the number of runs asked for, on a slow machine. */
export const FUZZ_TIMEOUT_MS = 30_000 + runs * 20;

/** Gives `check` random inputs: a small share in the unit tests, as many as asked for in `npm run test:fuzz`. */
export async function fuzz<T>(what: string, inputs: fc.Arbitrary<T>, check: (input: T) => Promise<void> | void): Promise<void> {
  const startedAt = performance.now();
  let slowest = 0;
  const timed = fc.asyncProperty(inputs, async (input) => {
    const from = performance.now();
    await check(input);
    slowest = Math.max(slowest, performance.now() - from);
  });
  for (let done = 0; done < runs; done += BATCH) {
    await fc.assert(timed, { seed: seed + done, numRuns: Math.min(BATCH, runs - done) });
    await turn();
  }
  if (slowest > SLOWEST_RUN_MS) throw new Error(`One of ${what} took ${Math.round(slowest)} ms.`);
  if (process.env['PORTCULLIS_FUZZ_RUNS'] === undefined) return;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${runs} ${what}, seed ${seed}, ${seconds} s, slowest ${slowest.toFixed(1)} ms\n`);
}
