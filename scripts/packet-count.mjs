// Reads what tcpdump and the sink of the private network wrote down.
import { readFileSync } from 'node:fs';

/** What the hostile page tries to reach by name, by address, and on this computer. */
const VECTOR = /([\w-]+)\.x\.example|(198\.51\.100\.\d+)/;

/** What went out between two moments: packets of any kind, and what the name server and the hosts saw. */
export function whatLeft(files, { from, to }) {
  const within = (at) => at >= from && at <= to;
  const packets = readFileSync(files.capture, 'utf8')
    .split('\n')
    .filter((line) => within(Number.parseFloat(line)));
  const told = readFileSync(files.sink, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ at, kind }) => kind !== 'ready' && within(at));
  return {
    packets,
    lookups: told.filter(({ kind }) => kind === 'lookup').map(({ name }) => name),
    connections: told.filter(({ kind }) => kind === 'connection'),
  };
}

/** The distinct ways out of the hostile page that reached the network. */
export function vectorsOut({ packets, lookups, connections }) {
  const seen = new Set();
  const add = (text) => {
    const found = VECTOR.exec(text);
    if (found) seen.add(found[1] ?? found[2]);
  };
  for (const line of packets) add(line);
  for (const name of lookups) add(name);
  for (const { host } of connections) if (host) add(host);
  return seen;
}

/** Addresses and ports that a packet was sent to, apart from the name server. */
export function destinations({ packets }) {
  const seen = new Set();
  for (const line of packets) {
    const found = / IP6? (\S+)\.(\d+) > (\S+)\.(\d+):/.exec(line);
    if (!found) continue;
    const [, from, fromPort, to, toPort] = found;
    if (toPort === '53' || fromPort === '53') continue;
    // An answer comes from the port that was asked.
    seen.add(Number(fromPort) < Number(toPort) ? `${from}:${fromPort}` : `${to}:${toPort}`);
  }
  return seen;
}
