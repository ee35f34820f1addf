// npm run test:fuzz [runs] [seed]: random bytes to each framer, random tool lists to the catalog rule.
import { randomInt } from 'node:crypto';
import { ensurePackages, requireNode, runTool } from './ready.mjs';
import { main, say, Stop } from './steps.mjs';

const RUNS = 100_000;

await main(async () => {
  requireNode();
  await ensurePackages();
  const [runs = String(RUNS), seed = String(randomInt(2 ** 30))] = process.argv.slice(2);
  if (![runs, seed].every((number) => /^\d{1,10}$/.test(number)))
    throw new Stop('Give the number of runs and the seed as whole numbers, such as: npm run test:fuzz -- 100000 42');
  say(`Seed ${seed}. The same again: npm run test:fuzz -- ${runs} ${seed}`);
  const env = { ...process.env, PORTCULLIS_FUZZ_RUNS: runs, PORTCULLIS_FUZZ_SEED: seed };
  return runTool('../scripts/vitest.mjs', ['unit', 'framer-fuzz', 'catalog-fuzz', '--disable-console-intercept'], { env });
});
