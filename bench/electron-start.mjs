// From the making of the process to a window that can be shown, and memory at rest, beside a bare Electron window.
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowSandbox, electronRuntime } from '../scripts/electron-runtime.mjs';
import { giveToOrdinaryUser, runAsOrdinaryUser } from '../scripts/ordinary-user.mjs';
import { isRoot, root, run } from '../scripts/steps.mjs';
import { answerLooks } from './electron/memory-look.mjs';
import { report, reportBeside, spread } from './figures.mjs';

const ROUNDS = 5;
const IDLE_MS = 8000;
const TARGET = 1.15;
const MIB = 1024 ** 2;
const MARKS = ['firstLine', 'mainImport', 'ready', 'windowCreated', 'pageStarted', 'domReady', 'pageLoaded', 'firstView'];
const STARTS = 'bench/electron/starts.mjs';

export async function measureElectronStart() {
  if (process.platform !== 'linux') throw new Error('memory is read from /proc, which this system does not have');
  const { version, bare, app } = await startBoth();

  const ready = (starts) => starts.map(({ marks }) => marks.readyToShow);
  const note = `Electron ${version}, --disable-gpu, page cache warm`;
  reportBeside('electron-start.ready-to-show', 'ms', ready(app), ready(bare), { target: TARGET, note });
  for (const [name, starts] of Object.entries({ bare, app })) {
    for (const mark of MARKS) {
      const times = starts.map(({ marks }) => marks[mark]).filter((time) => time !== undefined);
      if (times.length > 0) report({ figure: `electron-start.${name}.${mark}`, ...spread(times), unit: 'ms' });
    }
    const counts = starts.map(({ processes }) => processes.length);
    report({ figure: `electron-start.${name}.processes`, ...spread(counts), unit: 'processes', note: namesOf(starts) });
  }
  reportMemory(bare, app);
}

function reportMemory(bare, app) {
  if ([...bare, ...app].some(({ processes }) => processes.some(({ pssBytes }) => pssBytes === null))) {
    throw new Error('the memory of sandboxed processes can be read only by root');
  }
  const pss = (starts) => starts.map(({ processes }) => processes.reduce((sum, { pssBytes }) => sum + pssBytes, 0) / MIB);
  const note = `shared pages counted once, ${IDLE_MS / 1000} s after the window was ready`;
  reportBeside('electron-start.memory-at-rest', 'MiB', pss(app), pss(bare), { target: TARGET, note });
}

async function startBoth() {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-bench-'));
  chmodSync(folder, 0o755);
  const looking = answerLooks(folder);
  try {
    const args = [JSON.stringify({ folder, rounds: ROUNDS, idleMs: IDLE_MS })];
    const code = await (isRoot ? startAsOrdinaryUser(folder, args) : run(process.execPath, [join(root, STARTS), ...args]));
    const result = join(folder, 'starts.json');
    if (code !== 0 || !existsSync(result)) throw new Error(`the starts ended with code ${code}`);
    return JSON.parse(readFileSync(result, 'utf8'));
  } finally {
    looking.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Root itself stays outside: the app does not run as root, but only root can read the memory of sandboxed processes. */
async function startAsOrdinaryUser(folder, args) {
  const runtime = await electronRuntime();
  // A copy of our own: pages of a binary that another Electron on this computer runs too would count for less.
  const copy = { ...runtime, folder: join(folder, 'electron') };
  cpSync(runtime.folder, copy.folder, { recursive: true });
  allowSandbox(copy);
  giveToOrdinaryUser(folder);
  return runAsOrdinaryUser(STARTS, args, { ELECTRON_OVERRIDE_DIST_PATH: copy.folder });
}

/** The process names of the last start, with the memory of each. */
function namesOf(starts) {
  const { processes } = starts.at(-1);
  return processes
    .map(({ name, pssBytes }) => (pssBytes === null ? name : `${name} ${Math.round(pssBytes / MIB)} MiB`))
    .join(', ');
}
