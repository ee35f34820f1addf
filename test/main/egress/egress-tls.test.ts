import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Route, RouteId } from '../../../src-shared/egress/egress.schema';
import { EgressDoor } from '../../../src-main/egress/egress-door';
import { openLedger } from '../../../src-main/egress/ledger';
import { FakeClock } from '../../support/fake-clock';
import { tempFolder } from '../../support/temp-folder';
import { SELF_SIGNED } from './self-signed';

test('W4: a certificate nobody vouches for is refused, whatever the environment says', async () => {
  const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  onTestFinished(() => {
    if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
  });
  let requests = 0;
  const server = createServer(SELF_SIGNED, (_request, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;

  const clock = new FakeClock();
  const ledger = openLedger({ folder: tempFolder(), key: null, clock });
  const route: Route = {
    id: 'server-a' as RouteId,
    kind: 'mcp-server',
    name: 'a',
    origin,
    pathPrefix: '/',
    on: true,
    leaves: false,
    where: '',
    sends: '',
    switchable: true,
  };
  const door = new EgressDoor({ routes: () => [route], ledger, clock });
  onTestFinished(() => door.close());
  await expect(door.request(route.id, `${origin}/`, { method: 'GET', headers: {} })).rejects.toMatchObject({
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  });
  expect(requests).toBe(0);
  // The handshake went over the wire, so it is counted although no request followed.
  expect(ledger.rows(1)).toMatchObject([{ outcome: 'failed' }]);
  expect(ledger.rows(1)[0]?.bytesOut).toBeGreaterThan(100);
  expect(ledger.rows(1)[0]?.bytesIn).toBeGreaterThan(100);
});
