// R1: planning what is offered, for far more tools than a person has.
import { join } from 'node:path';
import { runForJson } from './child.mjs';
import { median, report, spread } from './figures.mjs';

const PROCESSES = 5;
const EXPECTED = 10_000;
const TARGET_MS = 20;

export async function measureRegistryPlan(scripts) {
  const runs = [];
  for (let count = 0; count < PROCESSES; count += 1) runs.push(await runForJson(join(scripts, 'registry-plan.mjs'), null));
  const wrong = runs.find(({ offered }) => offered !== EXPECTED);
  if (wrong) throw new Error(`${wrong.offered} tools were offered instead of ${EXPECTED}`);
  const first = spread(runs.map((run) => run.first));
  const warm = spread(runs.map((run) => median(run.warm)));
  const target = { unit: 'ms', target: `< ${TARGET_MS}` };
  report({
    figure: 'registry-plan.first',
    ...first,
    ...target,
    met: first.value < TARGET_MS,
    note: '100 servers with 100 tools, first plan of a process',
  });
  report({
    figure: 'registry-plan.warm',
    ...warm,
    ...target,
    met: warm.value < TARGET_MS,
    note: `medians of ${runs[0].warm.length} plans`,
  });
}
