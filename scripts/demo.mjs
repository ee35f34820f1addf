// npm run demo: walks through the app and leaves its pictures in out/demo.
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowSandbox, electronRuntime } from './electron-runtime.mjs';
import { giveToOrdinaryUser, runAsOrdinaryUser } from './ordinary-user.mjs';
import { runPlaywright } from './playwright.mjs';
import { prepareForTests } from './prepare-machine.mjs';
import { ensurePackages, requireNode } from './ready.mjs';
import { isRoot, main, root, say } from './steps.mjs';

const pictures = join(root, 'out/demo');

await main(async () => {
  const args = process.argv.slice(2);
  if (!isRoot) {
    process.env.PORTCULLIS_DEMO_FOLDER ??= pictures;
    mkdirSync(process.env.PORTCULLIS_DEMO_FOLDER, { recursive: true });
    const code = await runPlaywright('demo', args);
    say(`The pictures are in ${process.env.PORTCULLIS_DEMO_FOLDER}.`);
    return code;
  }
  requireNode();
  await prepareForTests();
  await ensurePackages();
  allowSandbox(await electronRuntime());
  say('Running as an ordinary user, because the app does not run as root.');
  const handed = mkdtempSync(join(tmpdir(), 'portcullis-demo-'));
  chmodSync(handed, 0o755);
  giveToOrdinaryUser(handed);
  try {
    return await runAsOrdinaryUser('scripts/demo.mjs', args, { PORTCULLIS_DEMO_FOLDER: handed });
  } finally {
    rmSync(pictures, { recursive: true, force: true });
    if (existsSync(handed)) cpSync(handed, pictures, { recursive: true });
    rmSync(handed, { recursive: true, force: true });
    say(`The pictures are in ${pictures}.`);
  }
});
