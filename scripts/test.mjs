// npm test: everything, as an ordinary user, with one sum at the end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCounts } from './counts.mjs';
import { allowSandbox, electronRuntime } from './electron-runtime.mjs';
import { runAsOrdinaryUser } from './ordinary-user.mjs';
import { prepareForTests } from './prepare-machine.mjs';
import { ensurePackages, requireNode } from './ready.mjs';
import { isRoot, main, root, run, say, secondsSince } from './steps.mjs';

const parts = [
  { name: 'check', script: 'scripts/check.mjs', args: [] },
  { name: 'integration', script: 'scripts/vitest.mjs', args: ['integration'] },
  { name: 'hostile', script: 'scripts/vitest.mjs', args: ['hostile'] },
  { name: 'e2e', script: 'scripts/e2e.mjs', args: [] },
];

await main(async () => {
  requireNode();
  const startedAt = performance.now();
  await prepareForTests();
  await ensurePackages();
  const runtime = await electronRuntime();
  allowSandbox(runtime);
  if (isRoot) {
    say(`prepare: ${secondsSince(startedAt)} s`);
    say('Running the tests as an ordinary user, because permissions and the sandbox mean nothing to root.');
    return runAsOrdinaryUser('scripts/test.mjs', []);
  }
  return runParts(runtime);
});

async function runParts(runtime) {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-counts-'));
  const sum = { passed: 0, failed: 0 };
  const times = [];
  try {
    for (const { name, script, args } of parts) {
      const startedAt = performance.now();
      const file = join(folder, name);
      const code = await run(process.execPath, [join(root, script), ...args], {
        env: { ...process.env, PORTCULLIS_COUNTS: file },
      });
      const counts = readCounts(file) ?? { passed: 0, failed: 0 };
      if (counts.passed + counts.failed === 0) say(`${name} ran no test, which counts as one failure.`);
      sum.passed += counts.passed;
      // A part that ended badly without naming a failed test has failed all the same.
      sum.failed += counts.failed === 0 && (code !== 0 || counts.passed === 0) ? 1 : counts.failed;
      times.push(`${name} ${secondsSince(startedAt)} s${code === 0 ? '' : ' (failed)'}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  say(`\n${runtime.sentence}\n${times.join(', ')}`);
  process.stdout.write(`${sum.passed} passed, ${sum.failed} failed\n`);
  return sum.failed > 0 ? 1 : 0;
}
