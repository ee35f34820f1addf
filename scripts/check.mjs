// npm run check: types, lint, format, unused exports and unit tests, in under a minute.
import { join } from 'node:path';
import { reportCounts } from './counts.mjs';
import { ensurePackages, requireNode, runTool } from './ready.mjs';
import { capture, main, root, say, secondsSince } from './steps.mjs';
import { typecheck } from './typecheck.mjs';

const tool = (script, ...args) => capture(process.execPath, [join(root, 'node_modules', script), ...args]);
const cache = (name) => join('node_modules/.cache', name);

const lint = {
  lint: () => tool('eslint/bin/eslint.js', '.', '--max-warnings', '0', '--cache', '--cache-location', cache('eslint/')),
};

/** Two cores, so what takes longest has one for itself. */
const others = {
  format: () =>
    tool(
      'prettier/bin/prettier.cjs',
      '--check',
      '--log-level',
      'warn',
      '--cache',
      '--cache-location',
      cache('prettier-check.json'),
      '.',
    ),
  unused: () => tool('knip/bin/knip.js', '--production', '--no-progress'),
};

await main(async () => {
  requireNode();
  await ensurePackages();
  const startedAt = performance.now();
  const wrong = await inTwoLanes();
  const unitStartedAt = performance.now();
  const code = await runTool('../scripts/vitest.mjs', ['unit']);
  say(`unit: ${code === 0 ? 'ok' : 'failed'}, ${secondsSince(unitStartedAt)} s`);
  say(`check: ${secondsSince(startedAt)} s`);
  if (wrong > 0) {
    say(`${wrong} of the checks beside the unit tests failed; each counts as one failure.`);
    reportCounts({ passed: 0, failed: wrong });
  }
  return wrong > 0 || code !== 0 ? 1 : 0;
});

async function inTwoLanes() {
  const rest = async () => [await typecheck(1), await runSteps(others)];
  const [wrongLint, [wrongTypes, wrongOthers]] = await Promise.all([runSteps(lint), rest()]);
  return wrongLint + wrongTypes + wrongOthers;
}

async function runSteps(steps) {
  let failed = 0;
  for (const [name, step] of Object.entries(steps)) {
    const startedAt = performance.now();
    const { code, output } = await step();
    if (code !== 0) failed += 1;
    process.stdout.write(`${output}${name}: ${code === 0 ? 'ok' : 'failed'}, ${secondsSince(startedAt)} s\n`);
  }
  return failed;
}
