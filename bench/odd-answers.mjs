// W2, W3, R3: answers that come for ever, in a million pieces, in noise, or as a very long list of tools.
import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import { root } from '../scripts/steps.mjs';
import { runForJson, startServer } from './child.mjs';
import { median, ratios, report, round, spread } from './figures.mjs';

const ROUNDS = 3;
const MIB = 1024 ** 2;
/** Calls before the one that counts, and a rest after them: code that is still being compiled would count as growth. */
const WARM_UP = { calls: 300, restMs: 1500 };
const DEADLINE_MS = 3000;
const LONG_MS = 120_000;
const LATE_TARGET_MS = 50;
const STALL_TARGET_MS = 50;
const GROWTH_TARGET_MIB = 16;
const TIME_OF_REFERENCE = 1.5;
const nodeArgs = ['--expose-gc', '--max-semi-space-size=4'];

/** What each way ends in for the app. */
const WAYS = {
  dribble: { over: ['http', 'stdio'], outcome: 'timed-out', deadline: true },
  events: { over: ['http', 'stdio'], outcome: 'answered' },
  noise: { over: ['stdio'], outcome: 'answered' },
  tools: { over: ['http', 'stdio'], outcome: '325 tools' },
};

export async function measureOddAnswers(scripts) {
  const server = await startServer('odd-http.mjs');
  const where = {
    http: { kind: 'http', url: server.url },
    stdio: { kind: 'stdio', args: [join(root, 'bench/servers/odd-stdio.mjs')] },
  };
  try {
    for (const [way, { over, ...expected }] of Object.entries(WAYS)) {
      for (const kind of over) await compare(way, kind, expected, { scripts, where: where[kind], server });
    }
  } finally {
    server.stop();
  }
}

async function compare(way, kind, expected, { scripts, where, server }) {
  const input = { where, way, warmUp: WARM_UP, timeoutMs: expected.deadline ? DEADLINE_MS : LONG_MS };
  const sides = { app: [], reference: [], sdk: [] };
  const open = [];
  for (let count = 0; count < ROUNDS; count += 1) {
    for (const side of count === 0 ? ['app', 'reference', 'sdk'] : ['app', 'reference']) {
      const running = runForJson(join(scripts, `odd-${side}.mjs`), input, { nodeArgs });
      // A client that keeps the socket after its deadline is seen while it still runs.
      if (side === 'app' && expected.deadline && kind === 'http') {
        await wait(DEADLINE_MS + WARM_UP.restMs + 2800);
        open.push(await server.sentBytes());
      }
      sides[side].push(await running);
    }
  }
  reportWay(`odd-answers.${way}.${kind}`, sides, expected, open);
}

function reportWay(figure, { app, reference, sdk }, expected, open) {
  const note = `peer: official client alone, ${sdk[0]?.outcome ?? 'without an end'}`;
  const outcomes = [...new Set(app.map(({ outcome }) => outcome))].join(' / ');
  const target = expected.outcome;
  report({ figure: `${figure}.outcome`, value: outcomes, unit: 'outcome', target, met: outcomes === target, note });
  const side = (key, scale) => ({
    ...spread(app.map((each) => each[key] / scale)),
    reference: round(median(reference.map((each) => each[key] / scale))),
    peer: sdk[0] && round(sdk[0][key] / scale),
  });
  const within = (name, unit, values, limit) =>
    report({ figure: `${figure}.${name}`, ...values, unit, target: `<= ${limit}`, met: values.value <= limit });
  within('growth', 'MiB', side('growthBytes', MIB), GROWTH_TARGET_MIB);
  within('stall', 'ms', side('stallMs', 1), STALL_TARGET_MS);
  if (expected.deadline) {
    const late = app.map(({ ms }) => ms - DEADLINE_MS);
    within('after-deadline', 'ms', { ...spread(late), peer: sdk[0] && round(sdk[0].ms - DEADLINE_MS) }, LATE_TARGET_MS);
    if (open.length > 0) within('open-sockets', 'sockets', { value: Math.max(...open), samples: open.length }, 0);
    return;
  }
  const ratio = spread(
    ratios(
      app.map(({ ms }) => ms),
      reference.map(({ ms }) => ms),
    ),
  );
  report({
    figure: `${figure}.time`,
    ...side('ms', 1),
    unit: 'ms',
    ratio: ratio.value,
    ratioRange: ratio.range,
    target: `<= ${TIME_OF_REFERENCE}x of the reference`,
    met: ratio.value <= TIME_OF_REFERENCE,
    note,
  });
}
