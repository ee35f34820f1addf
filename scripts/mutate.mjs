// npm run mutate: changes the rules of src-shared in every small way Stryker knows, and counts how many of the changes their tests notice.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { main, root, run, say } from './steps.mjs';

const LEAST = 95;
const REPORT = join(root, 'node_modules/.cache/stryker/mutants.json');

await main(async () => {
  rmSync(REPORT, { force: true });
  const stryker = join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const code = await run(process.execPath, [stryker, 'run', 'stryker.config.mjs', ...process.argv.slice(2)]);
  if (!existsSync(REPORT)) {
    say('Nothing was counted: the run ended before its report.');
    return code || 1;
  }
  const mutants = Object.values(JSON.parse(readFileSync(REPORT, 'utf8')).files).flatMap((file) => file.mutants);
  const count = (...kinds) => mutants.filter(({ status }) => kinds.includes(status)).length;
  const noticed = count('Killed', 'Timeout');
  const judged = noticed + count('Survived', 'NoCoverage');
  if (judged === 0) {
    say('Nothing was counted: no mutant was judged.');
    return 1;
  }
  const left = count('Ignored');
  say(`${noticed} of ${judged} mutants noticed, ${left} left out`);
  if (left > mutants.length * 0.02) say('More than 2 % of the mutants are left out.');
  // Cut, not rounded: 94.999 is under 95.
  const score = Math.floor((noticed / judged) * 10_000) / 100;
  process.stdout.write(`mutation score ${score.toFixed(2)}\n`);
  return code !== 0 || score < LEAST || left > mutants.length * 0.02 ? 1 : 0;
});
