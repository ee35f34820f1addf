// npm start: opens the app from a fresh clone, and sets up what that needs.
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowSandbox, electronRuntime, runtimeEnv, sandboxWorks } from './electron-runtime.mjs';
import { giveToOrdinaryUser, runAsOrdinaryUser } from './ordinary-user.mjs';
import { missingForTheApp } from './prepare-machine.mjs';
import { ensureBuilt, ensurePackages, requireNode } from './ready.mjs';
import { Stop, isRoot, main, root, run, say } from './steps.mjs';

await main(async () => {
  requireNode();
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    throw new Stop(
      'There is no display to open a window on (DISPLAY and WAYLAND_DISPLAY are empty). Run npm start in a desktop session, or see the app in pictures with: npm run demo',
    );
  }
  const line = missingForTheApp();
  if (line)
    throw new Stop(
      `The system lacks libraries that Electron needs. Install them with this line, then run npm start again:\n  ${line}`,
    );

  await ensurePackages();
  if (!isRoot) await ensureBuilt();
  const runtime = await electronRuntime();
  if (runtime.source !== 'pinned') say(runtime.sentence);
  allowSandbox(runtime);

  const given = process.argv.slice(2);
  if (isRoot) return asOrdinaryUser(given);
  const env = runtimeEnv(runtime);
  delete env.ELECTRON_RUN_AS_NODE;
  requireSandbox(runtime);
  return run(runtime.executable, [root, ...given], { env });
});

// The app turns Chromium's sandbox on for every page, and Chromium has none for root.
async function asOrdinaryUser(given) {
  say('The app does not run as root, so it starts as the user portcullis-test, with data of its own.');
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-display-'));
  try {
    const env = {};
    for (const name of ['DISPLAY', 'DBUS_SESSION_BUS_ADDRESS']) if (process.env[name]) env[name] = process.env[name];
    const authority = process.env.XAUTHORITY;
    if (authority && existsSync(authority)) {
      env.XAUTHORITY = join(folder, 'authority');
      copyFileSync(authority, env.XAUTHORITY);
      giveToOrdinaryUser(env.XAUTHORITY);
    }
    giveToOrdinaryUser(folder);
    return await runAsOrdinaryUser('scripts/start.mjs', given, env);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function requireSandbox(runtime) {
  if (sandboxWorks(runtime)) return;
  const starter = join(runtime.folder, 'chrome-sandbox');
  throw new Stop(
    `This system does not let an ordinary user start Chromium's sandbox, and the app does not run without it. Allow it with this line, then run npm start again:\n  sudo chown root:root ${starter} && sudo chmod 4755 ${starter}`,
  );
}
