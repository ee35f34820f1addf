import { readFile } from 'node:fs/promises';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
/** TCP_LISTEN of the kernel's socket states. */
const LISTENING = '0A';
// As the kernel writes them: 127.0.0.1, 0.0.0.0, ::1, ::, and the first two inside IPv6.
const REACHED_BY_LOOPBACK: readonly string[] = [
  '0100007F',
  '00000000',
  '00000000000000000000000001000000',
  '00000000000000000000000000000000',
  '0000000000000000FFFF00000100007F',
];

/** Who holds the listening sockets of a loopback port: user numbers, each once. Empty where nobody listens, or none is told. */
export function listenersIn(table: string, port: number): number[] {
  const uids = table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , uid = ''] = line.trim().split(/\s+/);
    const [address = '', hexPort = ''] = local.split(':');
    const listens = state === LISTENING && REACHED_BY_LOOPBACK.includes(address) && Number.parseInt(hexPort, 16) === port;
    return listens && /^\d+$/.test(uid) ? [Number(uid)] : [];
  });
  return [...new Set(uids)];
}

/** The number of another user of this computer who listens on a loopback port, else null. Linux alone tells (E7, X16). */
export async function foreignListener(port: number): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  const own = process.getuid?.();
  const tables = await Promise.all(TABLES.map((path) => readFile(path, 'utf8').catch(() => '')));
  const foreign = tables.flatMap((table) => listenersIn(table, port)).filter((uid) => uid !== own);
  return foreign.length === 0 ? null : Math.min(...foreign);
}
