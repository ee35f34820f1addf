// Checks that the Debian packages which the window and its tests need are there, and installs them when it may.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Stop, canRun, isRoot, main, run, say, startedDirectly } from './steps.mjs';

/** What Electron itself links to. */
const forTheApp = ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1', 'libxss1', 'libnotify4', 'libsecret-1-0'];

/** What the tests and the demo add: a display, a session bus, a keyring, fonts, and programs to watch the app with. */
const forTests = [
  'xvfb',
  'xauth',
  'dbus',
  'dbus-x11',
  'gnome-keyring',
  'at-spi2-core',
  'fonts-dejavu-core',
  'fonts-noto-color-emoji',
  'bubblewrap',
  'iproute2',
  'tcpdump',
  'unzip',
  'python3',
  'xdotool',
];

/** Makes the machine able to run the tests, or says which one line to type. */
export async function prepareForTests() {
  await prepare([...forTheApp, ...forTests]);
}

/** Gives the one line that installs what the app lacks, or null when it lacks nothing or this is not Debian. */
export function missingForTheApp() {
  if (!isDebian()) return null;
  const missing = missingOf(forTheApp);
  return missing.length > 0 ? installLine(missing) : null;
}

async function prepare(packages) {
  if (process.platform !== 'linux') return;
  if (!isDebian()) {
    const programs = ['Xvfb', 'xvfb-run', 'dbus-run-session', 'gnome-keyring-daemon'].filter(
      (program) => !canRun(program, ['--help']),
    );
    if (programs.length > 0)
      throw new Stop(`The tests need ${programs.join(', ')}. Install them with your system's package manager.`);
    return;
  }
  const missing = missingOf(packages);
  if (missing.length === 0) return;
  if (!isRoot)
    throw new Stop(`This machine lacks packages that the tests need. Install them with this line:\n  ${installLine(missing)}`);
  say(`Installing ${missing.join(' ')}.`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const quiet = { env, stdio: ['ignore', 'ignore', 'inherit'] };
  await run('apt-get', ['update', '-q'], quiet);
  const code = await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...missing], quiet);
  if (code !== 0) throw new Stop(`The packages could not be installed. The line that failed is:\n  ${installLine(missing)}`);
}

function isDebian() {
  return existsSync('/etc/debian_version') && canRun('dpkg-query');
}

function missingOf(packages) {
  const format = '${Package} ${db:Status-Status}\\n';
  // Newer Debian and Ubuntu renamed some libraries (libgtk-3-0t64) and let the new name provide the old one.
  const wanted = packages.flatMap((name) => (name.startsWith('lib') ? [name, `${name}t64`] : [name]));
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f', format, ...wanted], { encoding: 'utf8' });
  const installed = new Set(
    stdout
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.split(' ')[0]),
  );
  return packages.filter((name) => !installed.has(name) && !installed.has(`${name}t64`));
}

function installLine(packages) {
  const sudo = isRoot ? '' : 'sudo ';
  return `${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends ${packages.join(' ')}`;
}

if (startedDirectly(import.meta.url)) {
  await main(async () => {
    await prepareForTests();
    say('This machine has what the tests need.');
  });
}
