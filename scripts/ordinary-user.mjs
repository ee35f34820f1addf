// Root's way of running the app and its tests as they are meant to run: as an ordinary user, with Chromium's sandbox on.
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { runtimeCache } from './electron-runtime.mjs';
import { Stop, root, run } from './steps.mjs';

const NAME = 'portcullis-test';

/** Runs one of the clone's scripts as an ordinary user, in a copy of the clone that is removed afterwards. */
export async function runAsOrdinaryUser(script, args, extraEnv = {}) {
  return withOrdinaryUser(({ folder, env, node, uid, gid }) =>
    run(node, [join(folder, script), ...args], { cwd: folder, env: { ...env, ...extraEnv }, uid, gid }),
  );
}

/** Gives `work` an ordinary user with a copy of the clone, and the Node and environment to run in it. The copy is removed afterwards. */
export async function withOrdinaryUser(work) {
  const user = ordinaryUser();
  const folder = mkdtempSync(join(user.home, 'run-'));
  try {
    copyClone(folder, user);
    const env = {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
      HOME: user.home,
      USER: NAME,
      LOGNAME: NAME,
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      PORTCULLIS_RUNTIME_CACHE: runtimeCache(),
      ...(process.env.CI ? { CI: process.env.CI } : {}),
    };
    return await work({ folder, env, node: nodeFor(user, folder), uid: user.uid, gid: user.gid });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Gives a file or folder to the ordinary user. */
export function giveToOrdinaryUser(path) {
  const user = ordinaryUser();
  chownSync(path, user.uid, user.gid);
}

function ordinaryUser() {
  if (lookUp() === null) {
    const made = spawnSync('useradd', ['--create-home', '--shell', '/bin/bash', NAME], { encoding: 'utf8' });
    if (made.status !== 0) throw new Stop(`The user ${NAME}, which the tests run as, could not be made: ${made.stderr}`);
  }
  const user = lookUp();
  if (user === null) throw new Stop(`The user ${NAME} could not be found after it was made.`);
  return user;
}

function lookUp() {
  const { stdout, status } = spawnSync('getent', ['passwd', NAME], { encoding: 'utf8' });
  if (status !== 0) return null;
  const [, , uid, gid, , home] = stdout.trim().split(':');
  return { uid: Number(uid), gid: Number(gid), home };
}

/** Copies what git knows or would add, and hard-links the packages, which stay root's. */
function copyClone(folder, user) {
  for (const path of filesOfClone()) {
    const from = join(root, path);
    const to = join(folder, path);
    const found = lstatSync(from, { throwIfNoEntry: false });
    if (!found || found.isDirectory()) continue;
    mkdirSync(dirname(to), { recursive: true });
    if (found.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
    else copyFileSync(from, to);
  }
  must('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
  const packages = join(folder, 'node_modules');
  const linked = spawnSync('cp', ['-al', join(root, 'node_modules'), packages], { stdio: 'ignore' });
  if (linked.status !== 0) {
    rmSync(packages, { recursive: true, force: true });
    must('cp', ['-a', join(root, 'node_modules'), packages]);
  }
  for (const cache of ['.cache', '.vite', '.vite-temp', '.vitest'])
    rmSync(join(packages, cache), { recursive: true, force: true });
  chownSync(packages, user.uid, user.gid);
}

function filesOfClone() {
  const listed = spawnSync(
    'git',
    ['-c', `safe.directory=${root}`, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  if (listed.status !== 0)
    throw new Stop('The tests copy the files that git lists, and git could not list them. Run them in a git clone.');
  return [...new Set(listed.stdout.split('\0').filter((path) => path !== ''))];
}

/** This Node, or a copy of it when it stands in a folder that only root can enter. */
function nodeFor(user, folder) {
  const works = spawnSync(process.execPath, ['--version'], { uid: user.uid, gid: user.gid, cwd: '/', stdio: 'ignore' });
  if (works.status === 0) return process.execPath;
  const copy = join(folder, 'node_modules', '.node-for-tests');
  if (!existsSync(copy)) copyFileSync(process.execPath, copy);
  return copy;
}

function must(command, args) {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Stop(`${command} failed: ${stderr}`);
}
