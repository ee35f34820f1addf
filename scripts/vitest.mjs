// Runs one vitest project and ends with the number of tests that passed and failed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportCounts } from './counts.mjs';
import { runTool } from './ready.mjs';
import { main, root, say } from './steps.mjs';

await main(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-vitest-'));
  const file = join(folder, 'report.json');
  try {
    const [project, ...rest] = process.argv.slice(2);
    const shown = project === 'hostile' ? join(root, 'scripts/case-reporter.mjs') : 'default';
    const reporters = [`--reporter=${shown}`, '--reporter=json', `--outputFile.json=${file}`];
    // The star takes in the tests that need a process of their own.
    const code = await runTool('vitest/vitest.mjs', ['run', '--project', `${project}*`, ...reporters, ...rest]);
    const counts = countsIn(file);
    reportCounts(counts);
    if (counts.passed + counts.failed === 0) say(`No ${project} test ran.`);
    return code !== 0 || counts.failed > 0 || counts.passed === 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function countsIn(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    // A file that could not even be loaded holds no test, and still counts as one failure.
    const unloaded = report.testResults.filter(
      (result) => result.status === 'failed' && result.assertionResults.length === 0,
    ).length;
    return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
