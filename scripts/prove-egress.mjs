// npm run prove:egress: counts what the built app sends, packet by packet, in a network where everything would answer.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportCounts } from './counts.mjs';
import { allowSandbox, electronRuntime } from './electron-runtime.mjs';
import { withOrdinaryUser } from './ordinary-user.mjs';
import { destinations, vectorsOut, whatLeft } from './packet-count.mjs';
import { prepareForTests } from './prepare-machine.mjs';
import { ensurePackages, requireNode } from './ready.mjs';
import { Stop, isRoot, main, root, run, say, secondsSince } from './steps.mjs';

const FEWEST_CHECKS = 6;
/** Of the 60 ways out on the hostile page, so many leave a bare Electron at the least; fewer, and the page was not played. */
const FEWEST_VECTORS = 40;
const MODEL_HOST = 'model.example.com';
const MODEL_ADDRESS = '93.184.215.14:443';

const none = (things, what) => (things.length === 0 ? null : `${things.length} ${what}: ${things.slice(0, 3).join('; ')}`);
const silent = (left) => none(left.packets, 'packets') ?? none(left.lookups, 'lookups');
const deaf = (_left, stretch) => none(stretch.listening, 'sockets listen');

/** What each measured stretch has to show: a sentence about what is wrong, or null. */
const stretches = {
  'control-dictionary': {
    'a bare Electron asks for its dictionary, so the counting works': ({ lookups }) =>
      lookups.includes('redirector.gvt1.com') ? null : `it looked up ${lookups.join(', ') || 'nothing'}`,
  },
  'control-hostile': {
    'the hostile page gets out of a bare Electron, so its ways are real': (left) => {
      const out = vectorsOut(left).size;
      return out >= FEWEST_VECTORS ? null : `only ${out} of its ways got out`;
    },
  },
  'at-rest': {
    'P6: at rest for a minute the app sends nothing and looks nothing up': silent,
    'P6: at rest it has no listening socket': deaf,
  },
  'in-use': {
    'P6: used for a minute, with a local server turned on, it sends nothing and looks nothing up': silent,
    'P6: in use it has no listening socket': deaf,
  },
  'hostile-page': { 'P2: the hostile page in the app’s window gets nothing out': silent },
  'one-route-on': {
    'P1: with one route on and used, that host is looked up and no other': ({ lookups }) =>
      lookups.length > 0 && lookups.every((name) => name === MODEL_HOST)
        ? null
        : `it looked up ${lookups.join(', ') || 'nothing'}`,
    'P1: with one route on and used, packets go to that host and no other': (left) => {
      const seen = [...destinations(left)];
      return seen.length === 1 && seen[0] === MODEL_ADDRESS ? null : `packets went to ${seen.join(', ') || 'nobody'}`;
    },
    'P1: what connects names that host': ({ connections }) => {
      const hosts = connections.map(({ host }) => host);
      return hosts.length > 0 && hosts.every((host) => host === MODEL_HOST) ? null : `it named ${hosts.join(', ') || 'none'}`;
    },
  },
  'one-route-off': { 'P1: with the same route off, the same act sends nothing': silent },
};

await main(async () => {
  if (process.platform !== 'linux' || !isRoot) {
    throw new Stop('The proof makes a network of its own, which takes root on Linux. Run it there as root: npm run prove:egress');
  }
  requireNode();
  await prepareForTests();
  if (spawnSync('unshare', ['--net', '--mount', 'true']).status !== 0) {
    throw new Stop(
      'This machine gives root no network namespace, so nothing can be proved here. Run it where unshare --net works.',
    );
  }
  await ensurePackages();
  allowSandbox(await electronRuntime());
  return withOrdinaryUser(prove);
});

async function prove(user) {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-proof-'));
  const counts = { passed: 0, failed: 0 };
  try {
    // Built before anything is measured.
    const ownUser = { cwd: user.folder, env: user.env, uid: user.uid, gid: user.gid };
    const built = await run(user.node, [join(user.folder, 'node_modules/electron-vite/bin/electron-vite.js'), 'build'], {
      ...ownUser,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (built !== 0) throw new Stop('The app could not be built, so nothing was measured.');
    const wanted = process.argv.slice(2);
    for (const [name, checks] of Object.entries(stretches)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      const startedAt = performance.now();
      const measured = await measure(user, folder, name);
      for (const [sentence, check] of Object.entries(checks)) {
        const problem = measured.ok ? check(measured.left, measured.stretch) : measured.problem;
        counts[problem === null ? 'passed' : 'failed'] += 1;
        process.stdout.write(`${problem === null ? 'ok    ' : 'FAILED'} ${sentence}${problem === null ? '' : `: ${problem}`}\n`);
      }
      say(`${name}: ${secondsSince(startedAt)} s${measured.ok ? `, ${measured.left.packets.length} packets` : ''}`);
    }
    keepPictures(user.folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const enough = counts.passed + counts.failed >= FEWEST_CHECKS;
  if (!enough) say(`Only ${counts.passed + counts.failed} checks ran; a proof has at least ${FEWEST_CHECKS}.`);
  reportCounts(counts);
  return counts.failed > 0 || !enough ? 1 : 0;
}

/** Plays one stretch inside the private network and reads what its packets were. */
async function measure(user, folder, name) {
  const files = Object.fromEntries(['capture', 'sink'].map((file) => [file, join(folder, `${name}.${file}`)]));
  const stretchFile = join(user.folder, 'out', `${name}.json`);
  const env = { ...user.env, PORTCULLIS_FRAMES: 'on', PORTCULLIS_PROOF_FILE: stretchFile };
  const asUser = ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', 'env', '-i'];
  const variables = Object.entries(env).map(([key, value]) => `${key}=${value}`);
  const part = [user.node, join(user.folder, 'scripts/prove-part.mjs'), name];
  const network = join(root, 'test/egress-proof/private-network.sh');
  const played = spawnSync('bash', [network, files.capture, files.sink, process.execPath, ...asUser, ...variables, ...part], {
    cwd: user.folder,
    encoding: 'utf8',
    timeout: 300_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (played.status !== 0 || !existsSync(stretchFile)) {
    say(`${played.stdout}${played.stderr}`.split('\n').slice(-40).join('\n'));
    return { ok: false, problem: 'it could not be played to its end' };
  }
  const stretch = JSON.parse(readFileSync(stretchFile, 'utf8'));
  return { ok: true, stretch, left: whatLeft(files, stretch) };
}

/** What the display showed, for a person to look at. */
function keepPictures(folder) {
  const pictures = join(folder, 'out/proof');
  if (!existsSync(pictures)) return;
  mkdirSync(join(root, 'out'), { recursive: true });
  cpSync(pictures, join(root, 'out/proof'), { recursive: true });
  say('What the display showed is in out/proof.');
}
