// npm run hostile: every hostile server of test/fixtures/hostile through the app's own sessions, as an ordinary user.
import { join } from 'node:path';
import { runAsOrdinaryUser } from './ordinary-user.mjs';
import { ensurePackages, requireNode } from './ready.mjs';
import { isRoot, main, root, run, say } from './steps.mjs';

await main(async () => {
  const args = process.argv.slice(2);
  requireNode();
  await ensurePackages();
  if (isRoot) {
    say('Running as an ordinary user, because permissions mean nothing to root.');
    return runAsOrdinaryUser('scripts/hostile.mjs', args);
  }
  return run(process.execPath, [join(root, 'scripts/vitest.mjs'), 'hostile', ...args]);
});
