// npm start: opens the app from a fresh clone, and sets up what that needs.
import { allowSandbox, electronRuntime, runtimeEnv, sandboxWorks } from './electron-runtime.mjs';
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
  await ensureBuilt();
  const runtime = await electronRuntime();
  if (runtime.source !== 'pinned') say(runtime.sentence);
  allowSandbox(runtime);

  const given = process.argv.slice(2);
  const env = { ...runtimeEnv(runtime) };
  delete env.ELECTRON_RUN_AS_NODE;
  return run(runtime.executable, [...sandboxSwitch(runtime), root, ...given], { env });
});

function sandboxSwitch(runtime) {
  if (isRoot) {
    say('Chromium does not start its sandbox as root, so this start is without it. Start as an ordinary user to have it.');
    return ['--no-sandbox'];
  }
  if (!sandboxWorks(runtime)) {
    throw new Stop(
      `This system does not let an ordinary user start Chromium's sandbox, and the app does not run without it. Allow it with this line, then run npm start again:\n  sudo chown root:root ${runtime.folder}/chrome-sandbox && sudo chmod 4755 ${runtime.folder}/chrome-sandbox`,
    );
  }
  return [];
}
