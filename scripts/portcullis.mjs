// npm run portcullis: the command line from a clone, built when its sources changed.
import { join } from 'node:path';
import { ensureBuilt, ensurePackages, requireNode } from './ready.mjs';
import { main, root, run } from './steps.mjs';

await main(async () => {
  requireNode();
  await ensurePackages();
  await ensureBuilt();
  return run(process.execPath, [join(root, 'out/main/portcullis.js'), ...process.argv.slice(2)], { cwd: process.cwd() });
});
