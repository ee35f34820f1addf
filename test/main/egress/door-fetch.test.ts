import { expect, onTestFinished, test } from 'vitest';
import type { Route, RouteId } from '../../../src-shared/egress/egress.schema';
import { MAX_FETCHED_BYTES } from '../../../src-main/egress/door-fetch';
import { EgressDoor } from '../../../src-main/egress/egress-door';
import { openLedger } from '../../../src-main/egress/ledger';
import { FakeClock } from '../../support/fake-clock';
import { tempFolder } from '../../support/temp-folder';
import { listen, readAll, until, type LocalServer } from './local-server';

function setUp(server: LocalServer) {
  const clock = new FakeClock();
  const ledger = openLedger({ folder: tempFolder(), key: null, clock });
  const id = 'model-a' as RouteId;
  const route: Route = {
    id,
    kind: 'model',
    name: 'a',
    origin: server.origin,
    pathPrefix: '/v1/',
    on: true,
    leaves: false,
    where: '',
    sends: '',
    switchable: true,
  };
  const door = new EgressDoor({ routes: () => [route], ledger, clock });
  onTestFinished(() => door.close());
  return { fetch: door.fetch(id, { conversation: 'c1' }), ledger };
}

test('G1: a library gets a fetch that speaks through its route', async () => {
  const server = await listen((request, response) => {
    void readAll(request).then((body) =>
      response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'] }).end(`${request.headers['x-key']} ${body}`),
    );
  });
  const { fetch, ledger } = setUp(server);
  const response = await fetch(new URL(`${server.origin}/v1/chat`), {
    method: 'post',
    headers: new Headers({ 'x-key': 'k' }),
    body: '{"a":1}',
  });
  expect([response.status, response.ok, await response.text()]).toEqual([201, true, 'k {"a":1}']);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(ledger.rows(9)).toMatchObject([{ method: 'POST', conversation: 'c1', outcome: 'answered' }]);

  const again = await fetch(
    new Request(`${server.origin}/v1/chat`, { method: 'POST', headers: { 'x-key': 'r' }, body: 'bytes' }),
  );
  expect(await again.text()).toBe('r bytes');
  await expect(fetch(`${server.origin}/v2/chat`)).rejects.toMatchObject({ code: 'EGRESS_NO_ROUTE' });
});

test('G1: a stream arrives piece by piece, and cancelling it ends the connection', async () => {
  const server = await listen((_request, response) => void response.write('data: one\n\n'));
  const { fetch } = setUp(server);
  const reader = (await fetch(`${server.origin}/v1/chat`)).body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: one\n\n');
  await reader?.cancel();
  await until(() => server.sockets.size === 0);
});

test('G1: a signal ends a stream', async () => {
  const server = await listen((_request, response) => void response.write('data: one\n\n'));
  const { fetch, ledger } = setUp(server);
  const stop = new AbortController();
  const response = await fetch(`${server.origin}/v1/chat`, { signal: stop.signal });
  stop.abort();
  await expect(response.text()).rejects.toMatchObject({ name: 'AbortError' });
  expect(ledger.rows(9)).toMatchObject([{ outcome: 'cut-off' }]);
});

test('W2, H16: an answer without an end is cut off, and its connection with it', async () => {
  const piece = Buffer.alloc(1024 * 1024, 'x');
  const server = await listen((_request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
      response.once('drain', more);
    };
    more();
  });
  const { fetch } = setUp(server);
  const reader = (await fetch(`${server.origin}/v1/chat`)).body!.getReader();
  let bytes = 0;
  const readOn = async (): Promise<void> => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) bytes += next.value.length;
  };
  await expect(readOn()).rejects.toMatchObject({ code: 'EGRESS_UNREADABLE_RESPONSE' });
  expect(bytes).toBeLessThanOrEqual(MAX_FETCHED_BYTES);
  await until(() => server.sockets.size === 0);
});

test.each([204, 304])('G1: a %i has no body', async (status) => {
  const server = await listen((_request, response) => response.writeHead(status).end());
  const { fetch, ledger } = setUp(server);
  expect((await fetch(`${server.origin}/v1/x`)).body).toBeNull();
  await until(() => ledger.rows(1)[0]?.outcome === 'answered');
});

test('G1: a body that is neither text nor bytes is refused', async () => {
  const server = await listen((_request, response) => response.end());
  const { fetch } = setUp(server);
  await expect(fetch(`${server.origin}/v1/x`, { method: 'POST', body: new FormData() })).rejects.toThrow(/text and bytes/);
  expect(server.connections).toBe(0);
});
