// W2: a reply of any size costs the app its cap, and no more time than a reader takes that stops there.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, say } from '../scripts/steps.mjs';
import { runForJson, startServer } from './child.mjs';
import { median, ratios, report, round, spread } from './figures.mjs';

const MIB = 1024 ** 2;
const SIZES = { '64-mb': 64 * MIB, '256-mb': 256 * MIB, '1-gb': 1024 * MIB };
const ROUNDS = 5;
const GROWTH_TARGET_MIB = 16;
const STALL_TARGET_MS = 50;
const TIME_OF_REFERENCE = 1.5;
const LARGE_BESIDE_SMALL = 1.3;
/** An official client that takes longer is ended, and the figure says so. */
const PEER_LIMIT_MS = 60_000;
const nodeArgs = ['--expose-gc'];

export async function measureReplyCap(scripts) {
  const server = await startServer('flood-http.mjs', [scripts, ...Object.values(SIZES)]);
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-bench-'));
  const counter = join(folder, 'sent');
  const overHttp = (packed) => async (side, bytes, options) => {
    const input = { where: { kind: 'http', url: server.url }, args: { bytes, packed } };
    const result = await runForJson(join(scripts, `reply-cap-${side}.mjs`), input, { ...options, nodeArgs });
    const sent = await server.sentBytes();
    return result && { ...result, sent };
  };
  const overStdio = async (side, bytes, options) => {
    const args = [join(root, 'bench/servers/flood-stdio.mjs'), String(bytes), counter];
    const input = { where: { kind: 'stdio', args }, args: {} };
    const result = await runForJson(join(scripts, `reply-cap-${side}.mjs`), input, { ...options, nodeArgs });
    return result && { ...result, sent: Number(readFileSync(counter, 'utf8')) };
  };
  try {
    await compare('http', overHttp(false));
    await compare('gzip', overHttp(true));
    await compare('stdio', overStdio);
  } finally {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(way, offer) {
  const times = {};
  for (const [size, bytes] of Object.entries(SIZES)) {
    const own = [];
    const reference = [];
    for (let count = 0; count < ROUNDS; count += 1) {
      own.push(await offer('app', bytes));
      reference.push(await offer('reference', bytes));
    }
    const peer = await offer('sdk', bytes, { limitMs: PEER_LIMIT_MS });
    say(`  ${way} ${size}: app ${own.at(-1).outcome}, official client ${peer?.outcome ?? 'without an end'}`);
    reportSize(`reply-cap.${way}.${size}`, own, reference, peer);
    times[size] = own.map(({ ms }) => ms);
  }
  const large = spread(ratios(times['1-gb'], times['64-mb']));
  report({
    figure: `reply-cap.${way}.1-gb-beside-64-mb`,
    ...large,
    unit: 'x',
    target: `<= ${LARGE_BESIDE_SMALL}x`,
    met: large.value <= LARGE_BESIDE_SMALL,
  });
}

function reportSize(figure, own, reference, peer) {
  const note = peer
    ? `peer: official client alone, ${peer.outcome}`
    : `peer: official client alone, ended after ${PEER_LIMIT_MS / 1000} s`;
  const side = (key, scale) => ({
    ...spread(own.map((each) => each[key] / scale)),
    reference: round(median(reference.map((each) => each[key] / scale))),
    peer: peer && round(peer[key] / scale),
  });
  const outcomes = [...new Set(own.map(({ outcome }) => outcome))].join(' / ');
  report({ figure: `${figure}.outcome`, value: outcomes, unit: 'outcome', target: 'too-large', met: outcomes === 'too-large' });
  const growth = side('growthBytes', MIB);
  report({
    figure: `${figure}.growth`,
    ...growth,
    unit: 'MiB',
    target: `<= ${GROWTH_TARGET_MIB}`,
    met: growth.value <= GROWTH_TARGET_MIB,
    note,
  });
  const stall = side('stallMs', 1);
  report({
    figure: `${figure}.stall`,
    ...stall,
    unit: 'ms',
    target: `<= ${STALL_TARGET_MS}`,
    met: stall.value <= STALL_TARGET_MS,
    note,
  });
  const beside = spread(
    ratios(
      own.map(({ ms }) => ms),
      reference.map(({ ms }) => ms),
    ),
  );
  report({
    figure: `${figure}.time`,
    ...side('ms', 1),
    unit: 'ms',
    ratio: beside.value,
    ratioRange: beside.range,
    target: `<= ${TIME_OF_REFERENCE}x of the reference`,
    met: beside.value <= TIME_OF_REFERENCE,
    note,
  });
  report({
    figure: `${figure}.sent`,
    ...side('sent', MIB),
    unit: 'MiB',
    note: 'what the server got rid of, kernel buffers included',
  });
}
