// Runs one Playwright project against the built app, in a desktop session of its own.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportCounts } from './counts.mjs';
import { inDesktopSession } from './desktop-session.mjs';
import { allowSandbox, electronRuntime, runtimeEnv, sandboxWorks } from './electron-runtime.mjs';
import { prepareForTests } from './prepare-machine.mjs';
import { ensureBuilt, ensurePackages, requireNode } from './ready.mjs';
import { root, say } from './steps.mjs';

/** Gives the exit code; fails when no test ran. Tests find Electron through PORTCULLIS_ELECTRON. */
export async function runPlaywright(project, args) {
  requireNode();
  await prepareForTests();
  await ensurePackages();
  await ensureBuilt();
  const runtime = await electronRuntime();
  say(runtime.sentence);
  allowSandbox(runtime);
  const sandbox = sandboxWorks(runtime);
  if (!sandbox) say("Chromium's sandbox cannot be started as this user, so this run is without it.");

  const folder = mkdtempSync(join(tmpdir(), 'portcullis-playwright-'));
  const file = join(folder, 'report.json');
  const env = {
    ...runtimeEnv(runtime),
    PORTCULLIS_ELECTRON: runtime.executable,
    PORTCULLIS_SANDBOX: sandbox ? 'on' : 'off',
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  };
  try {
    const cli = join(root, 'node_modules/@playwright/test/cli.js');
    const code = await inDesktopSession(
      process.execPath,
      [cli, 'test', '--project', project, '--reporter=list,json', ...args],
      env,
    );
    const counts = countsIn(file);
    reportCounts(counts);
    if (counts.passed + counts.failed === 0) say(`No ${project} test ran.`);
    return code !== 0 || counts.failed > 0 || counts.passed === 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countsIn(file) {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const { stats, errors } = JSON.parse(readFileSync(file, 'utf8'));
  // A test that passed only on a second try counts as failed: it is not known to hold.
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + (stats.expected + stats.unexpected === 0 ? errors.length : 0),
  };
}
