// W2: a server that answers 1 GB must cost the app no more than its cap.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, say } from '../scripts/steps.mjs';
import { runForJson, startServer } from './child.mjs';
import { median, report, round, spread } from './figures.mjs';

const GB = 1024 ** 3;
const OFFERED_WHEN_SLOW = 256 * 1024 ** 2;
const MIB = 1024 ** 2;
const CAP_MIB = 2;
const GROWTH_TARGET_MIB = CAP_MIB + 16;
const STALL_TARGET_MS = 50;
const ROUNDS = 3;
/** An official client that takes longer is offered less instead. */
const PEER_LIMIT_MS = 60_000;
const nodeArgs = ['--expose-gc'];

export async function measureReplyCap(scripts) {
  const server = await startServer('flood-http.mjs', [scripts, GB, OFFERED_WHEN_SLOW]);
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-bench-'));
  const counter = join(folder, 'sent');
  const overHttp = (packed) => async (script, bytes, options) => {
    const result = await runForJson(
      script,
      { where: { kind: 'http', url: server.url }, args: { bytes, packed } },
      { ...options, nodeArgs },
    );
    const sent = await server.sentBytes();
    return result && { ...result, sent };
  };
  const overStdio = async (script, bytes, options) => {
    const args = [join(root, 'bench/servers/flood-stdio.mjs'), String(bytes), counter];
    const result = await runForJson(script, { where: { kind: 'stdio', args }, args: {} }, { ...options, nodeArgs });
    return result && { ...result, sent: Number(readFileSync(counter, 'utf8')) };
  };
  try {
    await compare('http', overHttp(false), scripts);
    await compare('gzip', overHttp(true), scripts);
    await compare('stdio', overStdio, scripts);
  } finally {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(name, offer, scripts) {
  const own = [];
  const peer = [];
  let peerBytes = GB;
  for (let count = 1; count <= ROUNDS; count += 1) {
    own.push(await offer(join(scripts, 'reply-cap-app.mjs'), GB));
    let result = await offer(join(scripts, 'reply-cap-sdk.mjs'), peerBytes, { limitMs: PEER_LIMIT_MS });
    if (!result) {
      peerBytes = OFFERED_WHEN_SLOW;
      peer.length = 0;
      result = await offer(join(scripts, 'reply-cap-sdk.mjs'), peerBytes, { limitMs: 2 * PEER_LIMIT_MS });
    }
    if (!result) throw new Error('the official client did not come to an end');
    peer.push(result);
    say(`  ${name} ${count}/${ROUNDS}: app ${own.at(-1).outcome}, official client ${peer.at(-1).outcome}`);
  }
  reportSide(`reply-cap.${name}`, own, peer, peerBytes);
}

function reportSide(figure, own, peer, peerBytes) {
  const outcomes = [...new Set(own.map(({ outcome }) => outcome))];
  const beside =
    peerBytes === GB ? 'offered 1 GB too' : `offered ${peerBytes / MIB} MiB, because 1 GB took it over ${PEER_LIMIT_MS / 1000} s`;
  const notePeer = `peer: official client alone, ${beside}, ${[...new Set(peer.map(({ outcome }) => outcome))].join(' / ')}`;
  const side = (key, scale) => ({
    ...spread(own.map((each) => each[key] / scale)),
    peer: round(median(peer.map((each) => each[key] / scale))),
  });

  report({
    figure: `${figure}.outcome`,
    value: outcomes.join(' / '),
    unit: 'outcome',
    target: 'too-large',
    met: outcomes.join() === 'too-large',
    samples: own.length,
  });
  const growth = side('growthBytes', MIB);
  report({
    figure: `${figure}.growth`,
    ...growth,
    unit: 'MiB',
    target: `< ${GROWTH_TARGET_MIB}`,
    met: growth.range[1] < GROWTH_TARGET_MIB,
    note: notePeer,
  });
  const stall = side('stallMs', 1);
  report({
    figure: `${figure}.stall`,
    ...stall,
    unit: 'ms',
    target: `<= ${STALL_TARGET_MS}`,
    met: stall.value <= STALL_TARGET_MS,
  });
  report({ figure: `${figure}.time`, ...side('ms', 1), unit: 'ms' });
  report({
    figure: `${figure}.sent`,
    ...side('sent', MIB),
    unit: 'MiB',
    note: 'what the server got rid of, kernel buffers included',
  });
}
