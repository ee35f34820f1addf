// npm run conformance [name]: the official suite's client scenarios, one by one, through the app's own transport and session.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { bundleScripts } from './bundle.mjs';
import { leftOut, REVISIONS, suites } from './conformance-suites.mjs';
import { reportCounts } from './counts.mjs';
import { ensurePackages, requireNode } from './ready.mjs';
import { capture, main, root, say, secondsSince, Stop } from './steps.mjs';

const home = join(root, 'test/conformance');
/** The suite ends a scenario by itself after 30 seconds. */
const SCENARIO_MS = 60_000;

await main(async () => {
  requireNode();
  await ensurePackages();
  await ensureSuite();
  const startedAt = performance.now();
  const node = nodeForSuite();
  const folder = await bundleScripts({ client: 'test/conformance/client.ts' }, 'portcullis-conformance');
  const client = join(folder, 'client.mjs');
  const wanted = process.argv[2] ?? '';
  const results = [];
  for (const suite of suites) {
    for (const { name, revisions } of await scenariosOf(node, suite)) {
      if (!name.includes(wanted)) continue;
      const reason = leftOut.find((each) => leavesOut(each, suite, name));
      if (reason) results.push({ suite: suite.title, name, outcome: 'left out', told: reason.why });
      else for (const revision of revisions) results.push(await runScenario(node, suite, name, revision, client));
    }
  }
  printTable(results);
  const count = (outcome) => results.filter((result) => result.outcome === outcome).length;
  const counts = { passed: count('passed'), failed: count('FAILED') };
  say(`${count('left out')} left out, ${secondsSince(startedAt)} s`);
  reportCounts(counts);
  return counts.failed > 0 || counts.passed === 0 ? 1 : 0;
});

/** Installs the suite and its Node into a folder of their own, at first need and from their own lock file. */
async function ensureSuite() {
  const stamp = join(home, 'node_modules/.installed-from');
  const lock = createHash('sha256')
    .update(readFileSync(join(home, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  say('Installing the conformance suite (npm ci in test/conformance).');
  const args = ['ci', '--prefix', home, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  const { code, output } = await capture('npm', args);
  if (code !== 0) throw new Stop(`The conformance suite could not be installed:\n${output.trim()}`);
  writeFileSync(stamp, lock);
}

function leavesOut(entry, suite, name) {
  if (entry.suite !== undefined && entry.suite !== suite.title) return false;
  return name === entry.name || (entry.name.endsWith('-') && name.startsWith(entry.name));
}

/** The suite needs a newer Node than the app; where ours is older, the one installed beside the suite runs it. */
function nodeForSuite() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const own = join(home, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  if (!existsSync(own)) throw new Stop('The conformance suite needs Node 22 or newer on this machine.');
  return own;
}

function scriptOf({ folder }) {
  return join(home, 'node_modules', folder, 'dist/index.js');
}

/** What the suite itself lists, so that nothing it holds goes unmentioned. */
async function scenariosOf(node, suite) {
  const { output } = await capture(node, [scriptOf(suite), 'list', '--client']);
  const found = [...output.matchAll(/^\s*- (\S+) \[([^\]]*)\]$/gm)].map(([, name, listed]) => {
    const both = suite.knowsRevisions ? REVISIONS.filter((revision) => listed.split(',').includes(revision)) : [];
    return { name, revisions: both.length > 0 ? both : [null] };
  });
  if (found.length === 0) throw new Stop(`The ${suite.title} suite lists no scenario:\n${output.trim()}`);
  return found;
}

async function runScenario(node, suite, name, revision, client) {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-conformance-'));
  const startedAt = performance.now();
  const args = [scriptOf(suite), 'client', '--command', `${process.execPath} ${client}`, '--scenario', name, '-o', folder];
  if (revision !== null) args.push('--spec-version', revision);
  try {
    const { code, output } = await capture(node, args, { timeout: SCENARIO_MS });
    const checks = checksIn(folder);
    // A check that was never exercised proves nothing, so a scenario made of such checks has not passed.
    const passed = code === 0 && checks.some(({ status }) => status === 'SUCCESS');
    if (!passed) say(`${suite.title} ${name}:\n${output.trim()}\n${clientWords(folder)}`);
    const tally = ['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED'].map((status) => checks.filter((check) => check.status === status));
    const told = tally.map((each, index) => `${each.length} ${['passed', 'failed', 'warned', 'skipped'][index]}`);
    return {
      suite: suite.title,
      name: revision === null ? name : `${name} (${revision})`,
      outcome: passed ? 'passed' : 'FAILED',
      told: told.filter((words) => !words.startsWith('0 ')).join(', ') || 'no check ran',
      seconds: secondsSince(startedAt),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function resultsIn(folder, file) {
  const paths = readdirSync(folder, { recursive: true }).filter((path) => basename(path) === file);
  return paths.map((path) => readFileSync(join(folder, path), 'utf8'));
}

function checksIn(folder) {
  return resultsIn(folder, 'checks.json').flatMap((text) => JSON.parse(text));
}

function clientWords(folder) {
  return resultsIn(folder, 'stderr.txt').join('\n').trim();
}

function printTable(results) {
  const width = Math.max(...results.map(({ name }) => name.length));
  for (const { suite, name, outcome, told, seconds = '' } of results) {
    process.stdout.write(`${suite}  ${name.padEnd(width)}  ${outcome.padEnd(8)}  ${seconds.padStart(5)}  ${told}\n`);
  }
}
