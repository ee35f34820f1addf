// Brings a clone to the state a script needs: the right Node, installed packages, a fresh build.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stop, capture, root, run, say } from './steps.mjs';

const OLDEST_NODE = [20, 18];

/** Says so when Node is too old to go on. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new Stop(
    `Portcullis needs Node ${OLDEST_NODE.join('.')} or newer, and this is Node ${process.versions.node}. Install a newer one from nodejs.org.`,
  );
}

/** Installs what package-lock.json names, unless exactly that is installed already. */
export async function ensurePackages() {
  const stamp = join(root, 'node_modules/.installed-from');
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  if (!installedAfterLock()) {
    say('Installing packages (npm ci).');
    const { code, output } = await capture('npm', ['ci', '--no-audit', '--no-fund', '--loglevel', 'error']);
    if (code !== 0) throw new Stop(`npm ci did not succeed:\n${output.trim()}`);
  }
  writeFileSync(stamp, lock);
}

function installedAfterLock() {
  const installed = statSync(join(root, 'node_modules/.package-lock.json'), { throwIfNoEntry: false });
  return installed !== undefined && installed.mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

const SOURCES = ['src-main', 'src-renderer', 'src-shared', 'electron.vite.config.ts', 'package.json', 'package-lock.json'];

/** Builds the app into out/ unless the build there is newer than every source. */
export async function ensureBuilt() {
  const stamp = join(root, 'out/.built');
  const builtAt = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const startedAt = new Date();
  if (builtAt > newestOf(SOURCES.map((name) => join(root, name)))) return;
  say('Building the app.');
  const { code, output } = await capture(
    process.execPath,
    [join(root, 'node_modules/electron-vite/bin/electron-vite.js'), 'build'],
    {
      // One build has to run in every Electron the app is started with, so it aims at the oldest.
      env: { ...process.env, ELECTRON_MAJOR_VER: '33' },
    },
  );
  if (code !== 0) throw new Stop(`The build did not succeed:\n${output.trim()}`);
  writeFileSync(stamp, `${startedAt.toISOString()}\n`);
}

/** The latest change to a file, or to a folder's list of files, so that a removed file counts too. */
function newestOf(paths) {
  let newest = 0;
  for (const path of paths) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) continue;
    newest = Math.max(newest, found.mtimeMs);
    if (found.isDirectory()) newest = Math.max(newest, newestOf(readdirSync(path).map((name) => join(path, name))));
  }
  return newest;
}

/** Runs a program of node_modules with this Node. */
export function runTool(script, args, options) {
  return run(process.execPath, [join(root, 'node_modules', script), ...args], options);
}
