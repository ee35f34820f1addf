// npm run mutate:named: breaks each security rule on purpose and demands that a named test turns red.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mutations } from './named-mutations.mjs';
import { reportCounts } from './counts.mjs';
import { capture, main, root, say } from './steps.mjs';

// A copy is broken, never the clone: an interrupted run leaves no broken source behind.
const COPIED = ['src-shared', 'src-main', 'src-renderer', 'test', 'scripts'];
const COPIED_FILES = [
  'package.json',
  'vitest.config.ts',
  'tsconfig.base.json',
  'architecture.mjs',
  'eslint.config.mjs',
  'electron.vite.config.ts',
];

const folder = mkdtempSync(join(tmpdir(), 'portcullis-mutations-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

await main(async () => {
  const wanted = process.argv[2];
  const chosen = mutations.filter(({ name }) => !wanted || name.includes(wanted));
  const counts = { passed: 0, failed: 0 };
  for (const name of [...COPIED, ...COPIED_FILES]) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  for (const mutation of chosen) {
    const problem = await tryOne(mutation, join(folder, 'report.json'));
    if (problem) say(`not caught: ${mutation.name}: ${problem}`);
    counts[problem ? 'failed' : 'passed'] += 1;
  }
  reportCounts(counts);
  return counts.failed > 0 || counts.passed === 0 ? 1 : 0;
});

/** Applies one mutation, runs its test, puts the source back. Gives what is wrong, or null when a test turned red. */
async function tryOne({ name, file, find, replace, test, project = 'unit' }, report) {
  const path = join(folder, file);
  const source = readFileSync(path, 'utf8');
  const found = source.split(find).length - 1;
  if (found !== 1) return `the text to change stands ${found} times in ${file}, not once`;
  writeFileSync(
    path,
    source.replace(find, () => replace),
  );
  rmSync(report, { force: true });
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--project', project, test, '--reporter=json', `--outputFile=${report}`];
  await capture(process.execPath, args, { cwd: folder });
  writeFileSync(path, source);
  return judge(name, test, report);
}

function judge(name, test, file) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return `${test} could not be run`;
  }
  // A source that no longer loads proves nothing about the rule, so a test has to fail by name.
  const red = report.testResults.flatMap((result) => result.assertionResults).filter((result) => result.status === 'failed');
  if (red.length === 0) return `${test} stayed green`;
  process.stdout.write(`red: ${name}: ${red[0].fullName}\n`);
  return null;
}
