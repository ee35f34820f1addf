// npm run test:e2e: the built app in a real window.
import { ensurePackages, requireNode } from './ready.mjs';
import { electronRuntime, allowSandbox } from './electron-runtime.mjs';
import { runAsOrdinaryUser } from './ordinary-user.mjs';
import { runPlaywright } from './playwright.mjs';
import { prepareForTests } from './prepare-machine.mjs';
import { isRoot, main, say } from './steps.mjs';

await main(async () => {
  const args = process.argv.slice(2);
  if (!isRoot) return runPlaywright('e2e', args);
  requireNode();
  await prepareForTests();
  await ensurePackages();
  allowSandbox(await electronRuntime());
  say('Running as an ordinary user, because the app does not run as root.');
  return runAsOrdinaryUser('scripts/e2e.mjs', args);
});
