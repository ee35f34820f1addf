// A1: a call that nobody is asked about, with far more grants than a person has.
import { join } from 'node:path';
import { runForJson } from './child.mjs';
import { report, spread } from './figures.mjs';

const PROCESSES = 5;
const GRANTS = 1_000;
const TARGET_MS = 1;

export async function measureGrantCall(scripts) {
  const gate = await tailsOf(scripts, 'memory');
  report({
    figure: 'grant-call.gate.p99',
    ...gate,
    unit: 'ms',
    target: `< ${TARGET_MS}`,
    met: gate.value < TARGET_MS,
    note: `processor time from the call to the moment it would be sent, ${GRANTS} sealed grants in the file, once warm`,
  });
  report({
    figure: 'grant-call.logged.p99',
    ...(await tailsOf(scripts, 'disk')),
    unit: 'ms',
    note: 'the same, with the call written to the log of its chat first',
  });
}

async function tailsOf(scripts, log) {
  const runs = [];
  for (let count = 0; count < PROCESSES; count += 1) runs.push(await runForJson(join(scripts, 'grant-call.mjs'), log));
  const wrong = runs.find(({ grants, asked }) => grants !== GRANTS || asked !== 0);
  if (wrong)
    throw new Error(`${wrong.grants} grants were stored instead of ${GRANTS}, and ${wrong.asked} calls were asked about`);
  return spread(runs.map(({ p99 }) => p99));
}
