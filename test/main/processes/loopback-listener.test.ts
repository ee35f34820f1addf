import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { foreignListener, listenersIn } from '../../../src-main/processes/loopback-listener';

const row = (local: string, state: string, uid: number): string =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000 ${uid} 0 12345 1 0000000000000000 100 0 0 10 0`;
const table = (...rows: string[]): string =>
  ['  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode', ...rows, ''].join('\n');

test.each<[string, string, number[]]>([
  ['127.0.0.1', row('0100007F:0BB8', '0A', 1001), [1001]],
  ['every address', row('00000000:0BB8', '0A', 0), [0]],
  ['::1', row('00000000000000000000000001000000:0BB8', '0A', 7), [7]],
  ['every IPv6 address', row('00000000000000000000000000000000:0BB8', '0A', 7), [7]],
  ['another port', row('0100007F:0BB9', '0A', 1001), []],
  ['another address', row('0200007F:0BB8', '0A', 1001), []],
  ['a connection that is open', row('0100007F:0BB8', '01', 1001), []],
  ['nothing', '', []],
])('E7: who listens on port 3000 at %s is read from the table of the kernel', (_where, line, uids) => {
  expect(listenersIn(table(line), 3000)).toEqual(uids);
});

test('E7: two sockets of one user are one user', () => {
  expect(listenersIn(table(row('0100007F:0BB8', '0A', 5), row('00000000:0BB8', '0A', 5)), 3000)).toEqual([5]);
});

test('E7: a program of the own user is nobody else', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  expect(await foreignListener(port)).toBeNull();
  server.close();
});
