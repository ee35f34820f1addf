// Builds the app and runs the rounds in a desktop session of their own.
import { join } from 'node:path';
import { inDesktopSession } from '../../scripts/desktop-session.mjs';
import { electronRuntime } from '../../scripts/electron-runtime.mjs';
import { ensureBuilt } from '../../scripts/ready.mjs';
import { main, root, say } from '../../scripts/steps.mjs';

await main(async () => {
  await ensureBuilt();
  const { executable, sentence, version } = await electronRuntime();
  say(`  ${sentence}`);
  const input = { ...JSON.parse(process.argv[2]), executable, version };
  return inDesktopSession(process.execPath, [join(root, 'bench/electron/rounds.mjs'), JSON.stringify(input)]);
});
