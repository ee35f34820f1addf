// Runs inside a desktop session: starts the bare window and the app in turn, and writes down what each start took.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main, root, say, Stop } from '../../scripts/steps.mjs';
import { lookAt } from './memory-look.mjs';

const START_LIMIT_MS = 30_000;
const END_LIMIT_MS = 10_000;
const APPS = { bare: join(root, 'bench/electron/bare'), app: root };

await main(async () => {
  const { executable, version, folder, rounds, idleMs } = JSON.parse(process.argv[2]);
  const starts = { bare: [], app: [] };
  // One start of each that does not count brings the files into memory.
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of round % 2 === 0 ? ['bare', 'app'] : ['app', 'bare']) {
      const start = await startOnce(APPS[name], { executable, folder, restMs: round === 0 ? 0 : idleMs });
      if (round > 0) starts[name].push(start);
      say(`  ${round === 0 ? 'warm-up' : `${round}/${rounds}`} ${name}: ${Math.round(start.marks.readyToShow)} ms`);
    }
  }
  writeFileSync(join(folder, 'starts.json'), JSON.stringify({ version, ...starts }));
});

async function startOnce(app, { executable, folder, restMs }) {
  const profile = mkdtempSync(join(tmpdir(), 'portcullis-bench-'));
  const marksFile = join(profile, 'marks.json');
  const args = [join(root, 'bench/electron/probe'), `--user-data-dir=${join(profile, 'data')}`, '--disable-gpu'];
  const env = { ...process.env, PORTCULLIS_BENCH_APP: app, PORTCULLIS_BENCH_MARKS: marksFile };
  const child = spawn(executable, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    for (const limit = performance.now() + START_LIMIT_MS; !existsSync(marksFile); await pause(50)) {
      if (child.exitCode !== null || performance.now() > limit) {
        throw new Stop(`No window became ready in ${app}:\n${stderr.slice(-2000)}`);
      }
    }
    const marks = JSON.parse(readFileSync(marksFile, 'utf8'));
    await pause(restMs);
    return { marks, processes: await lookAt(folder, child.pid) };
  } finally {
    child.kill();
    if ((await Promise.race([ended, pause(END_LIMIT_MS)])) === 'late') {
      child.kill('SIGKILL');
      await ended;
    }
    // The processes around the first one still write their last into the profile for a moment.
    await pause(1000);
    // Its helpers can still write for a moment.
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(() => resolve('late'), ms));
}
