// W3, P4: what the app puts on top of one call, beside a raw loop and the official client.
import { join } from 'node:path';
import { root } from '../scripts/steps.mjs';
import { runForJson, startServer } from './child.mjs';
import { reportBeside } from './figures.mjs';

const ROUNDS = 8;
const CALLS = 500;

const WORDS = {
  floor: 'raw JSON-RPC loop',
  sdk: 'official client alone',
  transport: 'session.callTool',
  road: 'ToolPipeline.call: decision, conversation, ledger, treatment; the answer is given at once',
};

export async function measureStdioEcho(scripts) {
  const where = { kind: 'stdio', args: [join(root, 'bench/servers/echo-stdio.mjs')] };
  reportWays('stdio-echo', await measure(scripts, where), { p50: 1.3, inFlight: 0.7 });
}

export async function measureHttpEcho(scripts) {
  const server = await startServer('echo-http.mjs');
  try {
    reportWays('http-echo', await measure(scripts, { kind: 'http', url: server.url }), {
      p50: 1.5,
      p50OfSdk: 0.35,
      p99OfSdk: 0.3,
      cpuOfSdk: 0.3,
    });
  } finally {
    server.stop();
  }
}

async function measure(scripts, where) {
  // The official client keeps one abort listener for every HTTP call it has made, and Node would say so at each.
  const options = { limitMs: 300_000, nodeArgs: ['--disable-warning=MaxListenersExceededWarning'] };
  const result = await runForJson(join(scripts, 'echo-calls.mjs'), { where, rounds: ROUNDS, calls: CALLS }, options);
  if (!result) throw new Error('the calls did not come to an end');
  const { costs, ledgerRows, recorded, chainProblem } = result;
  if (ledgerRows !== recorded) throw new Error(`the ledger has ${ledgerRows} rows for ${recorded} calls`);
  if (chainProblem) throw new Error(chainProblem);
  return costs;
}

function reportWays(figure, costs, targets) {
  const of = (way, key) => costs[way].map((round) => round[key]);
  const rounds = `${CALLS} calls a round`;
  for (const way of ['floor', 'sdk', 'transport', 'road']) {
    const note = `${WORDS[way]}; ${rounds}`;
    reportBeside(`${figure}.${way}.p50`, 'us', of(way, 'p50'), of('floor', 'p50'), {
      note,
      ...(way === 'transport' ? { target: targets.p50 } : {}),
    });
    reportBeside(`${figure}.${way}.p99`, 'us', of(way, 'p99'), of('floor', 'p99'));
    reportBeside(`${figure}.${way}.rate`, 'calls/s', of(way, 'perSecond'), of('floor', 'perSecond'));
    reportBeside(`${figure}.${way}.cpu`, 'us/call', of(way, 'cpuPerCall'), of('floor', 'cpuPerCall'));
    if (way === 'road') continue;
    const inFlight = way === 'transport' && targets.inFlight ? { target: targets.inFlight, atLeast: true } : {};
    reportBeside(
      `${figure}.${way}.rate-32-in-flight`,
      'calls/s',
      of(way, 'perSecondInFlight'),
      of('floor', 'perSecondInFlight'),
      inFlight,
    );
  }
  const note = 'beside the official client';
  const besideSdk = (key, target) =>
    reportBeside(`${figure}.transport-beside-sdk.${key}`, 'us', of('transport', key), of('sdk', key), {
      note,
      ...(target ? { target } : {}),
    });
  besideSdk('p50', targets.p50OfSdk);
  besideSdk('p99', targets.p99OfSdk);
  besideSdk('cpuPerCall', targets.cpuOfSdk);
}
