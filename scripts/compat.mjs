// npm run compat [name]: tries public MCP servers as a person would with `portcullis mcp test`, and writes docs/compatibility.md.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { servers } from './compat-servers.mjs';
import { writeTable } from './compat-table.mjs';
import { reportCounts } from './counts.mjs';
import { giveToOrdinaryUser, runAsOrdinaryUser } from './ordinary-user.mjs';
import { ensureBuilt, ensurePackages, requireNode } from './ready.mjs';
import { capture, isRoot, main, root, say, secondsSince } from './steps.mjs';

const INSTALL_MS = 180_000;
/** What the command allows itself (start, list, closing), and a little more. */
const TRIAL_MS = 100_000;

await main(async () => {
  const wanted = process.argv[2] ?? '';
  const here = `${process.platform}-${process.arch}`;
  const chosen = servers.filter(({ name, platform = here }) => name.includes(wanted) && platform === here);
  const given = process.env.PORTCULLIS_COMPAT_FOLDER;
  if (given) return tryAll(chosen, given);
  requireNode();
  await ensurePackages();
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-compat-'));
  try {
    for (const server of chosen) await install(server, folder);
    const code = isRoot ? await asOrdinaryUser(folder, wanted) : await tryAll(chosen, folder);
    const results = resultsIn(folder);
    // Only a whole run is worth writing down.
    if (wanted === '') await writeTable(join(root, 'docs/compatibility.md'), results);
    const passed = results.filter((result) => result.passed).length;
    // A server without a result has failed.
    reportCounts({ passed, failed: chosen.length - passed });
    return code !== 0 || passed < chosen.length ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function asOrdinaryUser(folder, wanted) {
  say('Running the servers as an ordinary user.');
  chmodSync(folder, 0o755);
  for (const part of ['homes', 'results']) {
    mkdirSync(join(folder, part));
    giveToOrdinaryUser(join(folder, part));
  }
  return runAsOrdinaryUser('scripts/compat.mjs', wanted === '' ? [] : [wanted], { PORTCULLIS_COMPAT_FOLDER: folder });
}

function folderOf({ name }, folder) {
  return join(folder, 'servers', name.replaceAll('/', '+'));
}

/** Each server stands alone, and nothing of it runs while it is installed. */
async function install(server, folder) {
  const prefix = folderOf(server, folder);
  mkdirSync(prefix, { recursive: true });
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error', '--prefix', prefix];
  const { code, output } = await capture('npm', ['install', ...options, `${server.name}@${server.version}`], {
    cwd: prefix,
    timeout: INSTALL_MS,
  });
  if (code !== 0) say(`${server.name} could not be installed:\n${output.trim()}`);
  else if (server.binary) chmodSync(join(prefix, 'node_modules', server.name, server.binary), 0o755);
}

async function tryAll(chosen, folder) {
  requireNode();
  await ensurePackages();
  await ensureBuilt();
  for (const part of ['homes', 'results']) mkdirSync(join(folder, part), { recursive: true });
  for (const server of chosen) {
    const result = await tryOne(server, folder);
    say(`${result.passed ? 'passed' : 'FAILED'}  ${server.name}: ${result.sentence}`);
    writeFileSync(join(folder, 'results', `${server.name.replaceAll('/', '+')}.json`), JSON.stringify(result));
  }
  return 0;
}

async function tryOne(server, folder) {
  const { name, version } = server;
  const start = startOf(server, folder);
  const facts = { name, version, era: null, works: false, tools: 0, seconds: '0.0' };
  if (start === null) return { ...facts, passed: false, sentence: 'It could not be installed.' };
  const home = mkdtempSync(join(folder, 'homes', 'home-'));
  for (const [file, text] of Object.entries(server.files ?? {})) writeFileSync(join(home, file), text);
  const startedAt = performance.now();
  const args = [join(root, 'out/main/portcullis.js'), 'mcp', 'test', '--json', '--cwd', home, ...start];
  const { output } = await capture(process.execPath, args, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' },
    timeout: TRIAL_MS,
  });
  const seconds = secondsSince(startedAt);
  const left = processesOf(home);
  for (const pid of left) end(pid);
  rmSync(home, { recursive: true, force: true });
  return { ...facts, ...judge(output, left.length), seconds };
}

/** The options that name the program, or null when it is not there. */
function startOf(server, folder) {
  const packageFolder = join(folderOf(server, folder), 'node_modules', server.name);
  const file = join(packageFolder, 'package.json');
  if (!existsSync(file)) return null;
  const args = (server.args ?? []).map((arg) => `--arg=${arg}`);
  if (server.binary) return ['--command', join(packageFolder, server.binary), ...args];
  const { bin } = JSON.parse(readFileSync(file, 'utf8'));
  const script = typeof bin === 'string' ? bin : (bin[server.name.replace(/^@.*\//, '')] ?? Object.values(bin)[0]);
  return ['--command', process.execPath, '--arg', join(packageFolder, script), ...args];
}

/** Passed is: it connected and listed its tools, or a sentence says why not, and nothing of it runs any more. */
function judge(output, left) {
  // The announcement of what starts stands before the report; the report is one line.
  const line = output.split('\n').findLast((each) => each.startsWith('{"connected"'));
  if (line === undefined) return { passed: false, sentence: 'The test gave no report in time.' };
  const report = JSON.parse(line);
  const { connected, problem, era } = report;
  const works = connected && problem === null;
  const clear = works || /^\S.*[.?!"]$/s.test(problem ?? '');
  // The command calls whatever it tries "test".
  const told = works ? wordsFor(report.tools) : (problem ?? '').replace(/^test /, 'It ');
  const sentence = left > 0 ? `${told} It left ${left} of its programs running.` : told;
  const byForce = sentence.includes('was ended.');
  return { era, works, tools: report.tools.length, passed: clear && !byForce && left === 0, sentence: withoutPaths(sentence) };
}

function wordsFor(tools) {
  const leftOut = tools.filter(({ state }) => state !== 'on');
  const over = leftOut.filter(({ why }) => why.includes('raise its limit')).length;
  const other = leftOut.length - over;
  const parts = [
    ...(over > 0 ? [`${over} of its tools are over the limit, which can be raised`] : []),
    ...(other > 0 ? [`${other} of its tools cannot be offered`] : []),
  ];
  return `${['Works', ...parts].join('; ')}.`;
}

/** Folders of this one run say nothing about the server. */
function withoutPaths(text) {
  return text.replace(/[^\s"'(]*portcullis-compat-[^\s"')]*/g, '…');
}

/** Linux tells the environment of a process, and the home of this one trial is in it. */
function processesOf(home) {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`);
      } catch {
        return false;
      }
    })
    .map(Number);
}

function end(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function resultsIn(folder) {
  const results = join(folder, 'results');
  const found = readdirSync(results).map((file) => JSON.parse(readFileSync(join(results, file), 'utf8')));
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}
