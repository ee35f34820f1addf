// From the making of the process to a window that can be shown, and memory at rest, beside a bare Electron window.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inDesktopSession } from '../scripts/desktop-session.mjs';
import { allowSandbox, electronRuntime } from '../scripts/electron-runtime.mjs';
import { ensureBuilt } from '../scripts/ready.mjs';
import { isRoot, root, say } from '../scripts/steps.mjs';
import { report, reportBeside, spread } from './figures.mjs';

const ROUNDS = 5;
const IDLE_MS = 8000;
const TARGET = 1.15;
const MIB = 1024 ** 2;
const MARKS = ['firstLine', 'mainImport', 'ready', 'windowCreated', 'pageStarted', 'domReady', 'pageLoaded', 'firstView'];

export async function measureElectronStart() {
  if (process.platform !== 'linux') throw new Error('memory is read from /proc, which this system does not have');
  await ensureBuilt();
  const runtime = await electronRuntime();
  allowSandbox(runtime);
  say(`  ${runtime.sentence}`);
  const { bare, app } = await startsInDesktopSession(runtime);

  const conditions = `Electron ${runtime.version}, --disable-gpu${isRoot ? ', --no-sandbox' : ''}, page cache warm`;
  const ready = (starts) => starts.map(({ marks }) => marks.readyToShow);
  reportBeside('electron-start.ready-to-show', 'ms', ready(app), ready(bare), { target: TARGET, note: conditions });
  const pss = (starts) => starts.map(({ processes }) => processes.reduce((sum, { pssBytes }) => sum + pssBytes, 0) / MIB);
  reportBeside('electron-start.pss-at-rest', 'MiB', pss(app), pss(bare), {
    target: TARGET,
    note: `${IDLE_MS / 1000} s after the window was ready`,
  });
  for (const [name, starts] of Object.entries({ bare, app })) {
    report({
      figure: `electron-start.${name}.processes`,
      ...spread(starts.map(({ processes }) => processes.length)),
      unit: 'processes',
      note: namesOf(starts),
    });
    for (const mark of MARKS) {
      const times = starts.map(({ marks }) => marks[mark]).filter((time) => time !== undefined);
      if (times.length > 0) report({ figure: `electron-start.${name}.${mark}`, ...spread(times), unit: 'ms' });
    }
  }
}

async function startsInDesktopSession({ executable }) {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-bench-'));
  const result = join(folder, 'starts.json');
  try {
    const input = JSON.stringify({ executable, rounds: ROUNDS, idleMs: IDLE_MS, result });
    const code = await inDesktopSession(process.execPath, [join(root, 'bench/electron/rounds.mjs'), input]);
    if (code !== 0) throw new Error(`the starts ended with code ${code}`);
    return JSON.parse(readFileSync(result, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The process names of the last start, with the memory of each. */
function namesOf(starts) {
  return starts
    .at(-1)
    .processes.map(({ name, pssBytes }) => `${name} ${Math.round(pssBytes / MIB)}`)
    .join(', ');
}
