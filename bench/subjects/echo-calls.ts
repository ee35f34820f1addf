// The same call by four ways in turn, round after round, in one process.
import { appServer, type Where } from './app-server';
import { openWays, type Way } from './echo-ways';

const { where, rounds, calls } = JSON.parse(process.argv[2] ?? '') as { where: Where; rounds: number; calls: number };
const WARM_UP_CALLS = 300;
const IN_FLIGHT = 32;

interface RoundCost {
  p50: number;
  p99: number;
  perSecond: number;
  cpuPerCall: number;
  /** With 32 calls in flight; null where calls of one chat wait for each other. */
  perSecondInFlight: number | null;
}

const server = appServer(where);
const ways = await openWays(where, server);
const costs: Record<string, RoundCost[]> = Object.fromEntries(ways.map(({ name }) => [name, []]));
for (const way of ways) for (let count = 0; count < WARM_UP_CALLS; count += 1) await way.call();

const rowsBefore = server.ledger.count();
for (let round = 0; round < rounds; round += 1) {
  // Each way goes first equally often.
  for (let turn = 0; turn < ways.length; turn += 1) {
    const way = ways[(round + turn) % ways.length]!;
    costs[way.name]!.push(await measure(way));
  }
}
const ledgerRows = server.ledger.count() - rowsBefore;
const chainProblem = server.ledger.chainProblem();

for (const way of ways) await way.end();
await server.end();
const recorded = ways.reduce((total, way) => total + (way.isInLedger ? rounds * calls * (way.oneAtATime ? 1 : 2) : 0), 0);
console.log(JSON.stringify({ costs, ledgerRows, recorded, chainProblem }));

async function measure(way: Way): Promise<RoundCost> {
  const times: number[] = [];
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  for (let count = 0; count < calls; count += 1) {
    const before = performance.now();
    await way.call();
    times.push(performance.now() - before);
  }
  const ms = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)]! * 1000;
  return {
    p50: at(0.5),
    p99: at(0.99),
    perSecond: (calls / ms) * 1000,
    cpuPerCall: (user + system) / calls,
    perSecondInFlight: way.oneAtATime ? null : await rateInFlight(way),
  };
}

async function rateInFlight(way: Way): Promise<number> {
  let left = calls;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await way.call();
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return (calls / (performance.now() - startedAt)) * 1000;
}
