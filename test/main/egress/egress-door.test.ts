import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGzip, gzipSync, brotliCompressSync, deflateSync } from 'node:zlib';
import { Agent, interceptors, request as bareRequest } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Route, RouteId } from '../../../src-shared/egress/egress.schema';
import { addressProblem, isPrivateAddress } from '../../../src-main/egress/dialled-address';
import { EgressDoor, type DoorRequest } from '../../../src-main/egress/egress-door';
import { guardEgress } from '../../../src-main/egress/egress-guard';
import { openLedger } from '../../../src-main/egress/ledger';
import type { Resolve } from '../../../src-main/egress/route-dialler';
import { FakeClock } from '../../support/fake-clock';
import { tempFolder } from '../../support/temp-folder';
import { listen, readAll, until } from './local-server';

const ROUTE = 'server-a' as RouteId;
const noNames: Resolve = (host) => Promise.reject(new Error(`Somebody asked a name server for ${host}.`));

function route(parts: Partial<Route> & { origin: string }): Route {
  return {
    id: ROUTE,
    kind: 'mcp-server',
    name: 'a',
    pathPrefix: '/mcp',
    on: true,
    leaves: false,
    where: '',
    sends: '',
    switchable: true,
    ...parts,
  };
}

function setUp(routes: Route[], resolve: Resolve = noNames) {
  const folder = tempFolder();
  const clock = new FakeClock();
  const ledger = openLedger({ folder, key: Buffer.alloc(32, 1), clock });
  const door = new EgressDoor({ routes: () => routes, ledger, clock, resolve });
  onTestFinished(() => door.close());
  const send = (url: string, parts: Partial<DoorRequest> = {}, id = ROUTE) =>
    door.request(id, url, { method: 'POST', headers: {}, ...parts });
  const ledgerText = () => readFileSync(join(folder, 'ledger.jsonl'), 'utf8');
  return { door, ledger, send, ledgerText, routes, clock };
}

describe('what the door lets through', () => {
  test('P1: a path its server named for messages is let through as it is, on its own origin, until the route is closed', async () => {
    const server = await listen((_request, response) => response.end('yes'));
    const { door, send } = setUp([route({ origin: server.origin })]);
    const status = (path: string) =>
      send(`${server.origin}${path}`).then(
        async (answer) => (await readAll(answer.body), answer.status),
        (error: { code?: string }) => error.code,
      );
    expect(await status('/messages?id=1')).toBe('EGRESS_NO_ROUTE');
    door.allowPath(ROUTE, '/messages');
    expect(await status('/messages?id=1')).toBe(200);
    expect(await status('/mcp')).toBe(200);
    for (const path of ['/messages/below', '/messagesx', '/', '/messages/../admin']) {
      expect([path, await status(path)]).toEqual([path, 'EGRESS_NO_ROUTE']);
    }
    await expect(send('http://127.0.0.1:9/messages')).rejects.toMatchObject({ code: 'EGRESS_NO_ROUTE' });
    door.closeRoute(ROUTE);
    expect(await status('/messages')).toBe('EGRESS_NO_ROUTE');
  });

  test('P1: a request goes out by its route and its answer comes back', async () => {
    const server = await listen((request, response) => {
      void readAll(request).then((body) => response.setHeader('x-echo', String(request.headers['x-mine'])).end(body));
    });
    const { send, ledger } = setUp([route({ origin: server.origin })]);
    const answer = await send(`${server.origin}/mcp?key=s3cret`, {
      headers: { 'X-Mine': 'yes' },
      body: 'hello',
      conversation: 'c9',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['x-echo']).toBe('yes');
    expect(String(await readAll(answer.body))).toBe('hello');
    expect(answer.address).toBe('127.0.0.1');
    expect(ledger.rows(9)).toMatchObject([
      {
        routeId: ROUTE,
        outcome: 'answered',
        status: 200,
        method: 'POST',
        host: `127.0.0.1:${server.port}`,
        address: '127.0.0.1',
        conversation: 'c9',
      },
    ]);
  });

  const refusals: [why: string, change: Partial<Route>, path: string][] = [
    ['a route that is off', { on: false }, '/mcp'],
    ['another path that begins alike', {}, '/mcpx'],
    ['a climbing path', {}, '/mcp/../admin'],
    ['a climbing path in codes', {}, '/mcp/%2e%2e/admin'],
    ['a climbing path in mixed codes', {}, '/mcp/%2e%2e%2fadmin'],
    ['a doubled slash', {}, '//mcp'],
    ['another port', { origin: 'http://127.0.0.1:1' }, '/mcp'],
    ['another name for this computer', { origin: 'http://localhost' }, '/mcp'],
    ['a route without an address', { origin: null }, '/mcp'],
    ['the route of another server', { id: 'server-b' as RouteId }, '/mcp'],
  ];
  test.each(refusals)('P1: refuses %s, and opens no connection', async (_why, change, path) => {
    const server = await listen((_request, response) => response.end());
    const { send, ledger, ledgerText } = setUp([{ ...route({ origin: server.origin }), ...change }]);
    await expect(send(`${server.origin}${path}?key=s3cret`)).rejects.toMatchObject({
      code: 'EGRESS_NO_ROUTE',
      origin: server.origin,
    });
    expect(server.connections).toBe(0);
    expect(ledger.rows(9)).toMatchObject([{ outcome: 'refused', bytesOut: 0, host: `127.0.0.1:${server.port}` }]);
    expect(ledgerText()).not.toMatch(/s3cret|admin/);
  });

  test('P1: a refused request asks no name server', async () => {
    const asked: string[] = [];
    const { send } = setUp([route({ origin: 'https://mcp.example.com', leaves: true })], (host) => {
      asked.push(host);
      return noNames(host);
    });
    await expect(send('https://other.example.com/mcp')).rejects.toMatchObject({ code: 'EGRESS_NO_ROUTE' });
    expect(asked).toEqual([]);
  });

  test('P1: headers that name another site or belong to the connection are not the caller’s', async () => {
    let seen: NodeJS.Dict<string | string[]> = {};
    const server = await listen((request, response) => {
      seen = request.headers;
      response.end();
    });
    const { send } = setUp([route({ origin: server.origin })]);
    await readAll(
      (
        await send(`${server.origin}/mcp`, {
          headers: { Host: 'evil.example', 'Content-Length': '3', 'Proxy-Authorization': 'x' },
          body: 'four',
        })
      ).body,
    );
    expect(seen).toMatchObject({ host: `127.0.0.1:${server.port}`, 'content-length': '4', 'accept-encoding': 'identity' });
    expect(seen).not.toHaveProperty('proxy-authorization');
  });

  test('P1: a redirect is an answer, and the hidden server behind it hears nothing', async () => {
    const hidden = await listen((_request, response) => response.end('secret'));
    const server = await listen((_request, response) => response.writeHead(307, { location: `${hidden.origin}/mcp` }).end());
    const { send, door } = setUp([route({ origin: server.origin })]);
    const answer = await send(`${server.origin}/mcp`);
    expect([answer.status, answer.headers['location']]).toEqual([307, `${hidden.origin}/mcp`]);
    await readAll(answer.body);
    await expect(send(`${hidden.origin}/mcp`)).rejects.toMatchObject({ code: 'EGRESS_NO_ROUTE' });
    expect((await door.fetch(ROUTE)(`${server.origin}/mcp`)).status).toBe(307);
    expect(hidden.connections).toBe(0);
  });

  test('P1: inside a redirect interceptor the guard refuses and records the second hop', async () => {
    const hidden = await listen((_request, response) => response.end('secret'));
    const server = await listen((_request, response) => response.writeHead(302, { location: `${hidden.origin}/mcp` }).end());
    const { ledger, routes } = setUp([route({ origin: server.origin })]);
    const agent = new Agent();
    onTestFinished(() => agent.destroy());
    const guarded = agent.compose(guardEgress({ routes: () => routes, ledger }), interceptors.redirect({ maxRedirections: 5 }));
    const options = { dispatcher: guarded, method: 'GET' as const, routeId: ROUTE, conversation: null };
    await expect(bareRequest(`${server.origin}/mcp`, options)).rejects.toMatchObject({ code: 'EGRESS_NO_ROUTE' });
    expect([server.requests.length, hidden.connections]).toEqual([1, 0]);
    expect(ledger.rows(9).find((row) => row.outcome === 'refused')).toMatchObject({ host: `127.0.0.1:${hidden.port}` });
  });
});

describe('why the guard is the innermost interceptor', () => {
  test('P1: outside a redirect interceptor it would not see the second hop', async () => {
    const hidden = await listen((_request, response) => response.end('secret'));
    const server = await listen((_request, response) => response.writeHead(302, { location: `${hidden.origin}/mcp` }).end());
    const { ledger, routes } = setUp([route({ origin: server.origin })]);
    const agent = new Agent();
    onTestFinished(() => agent.destroy());
    const wrongWayRound = agent.compose(
      interceptors.redirect({ maxRedirections: 5 }),
      guardEgress({ routes: () => routes, ledger }),
    );
    const options = { dispatcher: wrongWayRound, method: 'GET' as const, routeId: ROUTE, conversation: null };
    expect((await bareRequest(`${server.origin}/mcp`, options)).statusCode).toBe(200);
    expect(hidden.requests).toHaveLength(1);
  });
});

describe('where the door dials', () => {
  test.each(['127.0.0.1', '::1'])('E4: localhost is dialled at %s without a name server', async (host) => {
    const server = await listen((_request, response) => response.end('here'), host);
    const origin = `http://localhost:${server.port}`;
    const { send, ledger } = setUp([route({ origin })]);
    const answer = await send(`${origin}/mcp`);
    expect([String(await readAll(answer.body)), answer.address]).toEqual(['here', host]);
    expect(ledger.rows(1)).toMatchObject([{ address: host, host: `localhost:${server.port}` }]);
  });

  const dangerous: [address: string, where: RegExp][] = [
    ['127.0.0.1', /on this computer/],
    ['0.0.0.0', /on this computer/],
    ['::1', /on this computer/],
    ['::', /on this computer/],
    ['::ffff:127.0.0.1', /on this computer/],
    ['::ffff:7f00:1', /on this computer/],
    ['0:0:0:0:0:ffff:7f00:1', /on this computer/],
    ['10.0.0.1', /inside a private network/],
    ['172.31.255.255', /inside a private network/],
    ['192.168.1.1', /inside a private network/],
    ['100.64.0.1', /inside a private network/],
    ['fd00::1', /inside a private network/],
    ['169.254.169.254', /plugged into/],
    ['fe80::1%lo', /plugged into/],
    ['64:ff9b::7f00:1', /not on the public internet/],
    ['2002:7f00:1::', /not on the public internet/],
    ['224.0.0.251', /not on the public internet/],
    ['255.255.255.255', /not on the public internet/],
  ];
  test.each(dangerous)('E7: a route that leaves does not dial a name that leads to %s', async (address, where) => {
    const server = await listen((_request, response) => response.end());
    const origin = `https://mcp.example.com:${server.port}`;
    const { send, ledger } = setUp([route({ origin, leaves: true })], async () => [
      { address: '93.184.216.34', family: 4 },
      { address, family: address.includes(':') ? 6 : 4 },
    ]);
    const failure: unknown = await send(`${origin}/mcp`).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'EGRESS_ADDRESS_REFUSED', host: 'mcp.example.com', address });
    expect(String(failure)).toMatch(where);
    expect(server.connections).toBe(0);
    expect(ledger.rows(9)).toMatchObject([{ outcome: 'refused', address, bytesOut: 0 }]);
  });

  test.each(['10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', 'fd00::1', '169.254.1.1', 'fe80::1'])(
    'E7: the own yes of a route lets a name lead to %s',
    (address) => {
      const reach = { leaves: true, privateNetwork: true };
      expect(addressProblem('mcp.example.com', address, reach)).toBeNull();
      expect(addressProblem('mcp.example.com', address, { leaves: true })).toMatchObject({ isPrivateNetwork: true });
    },
  );

  test.each(['127.0.0.1', '::1', '0.0.0.0', '224.0.0.251', '64:ff9b::a00:1', '::ffff:127.0.0.1'])(
    'E7: the own yes of a route does not reach %s',
    (address) => {
      const refused = addressProblem('mcp.example.com', address, { leaves: true, privateNetwork: true });
      expect(refused).toMatchObject({ code: 'EGRESS_ADDRESS_REFUSED', isPrivateNetwork: false });
    },
  );

  test('E7: a yes to a private network opens nothing for a route on this computer', () => {
    expect(addressProblem('localhost', '10.0.0.1', { leaves: false, privateNetwork: true })).not.toBeNull();
  });

  test.each([
    ['10.0.0.1', true],
    ['fe80::1', true],
    ['8.8.8.8', false],
    ['127.0.0.1', false],
    ['mcp.example.com', false],
  ])('E7: whether %s asks for a yes of its own: %s', (host, asks) => {
    expect(isPrivateAddress(host)).toBe(asks);
  });

  test.each(['10.1.2.3', '127.0.0.1', '[::1]', '[fd00::1]', '[::ffff:10.0.0.1]', '169.254.169.254'])(
    'E7: a route that leaves does not dial the address %s',
    async (host) => {
      const { send, ledger } = setUp([route({ origin: new URL(`https://${host}`).origin, leaves: true })]);
      await expect(send(`https://${host}/mcp`)).rejects.toMatchObject({ code: 'EGRESS_ADDRESS_REFUSED' });
      expect(ledger.rows(9)).toMatchObject([{ outcome: 'refused' }]);
    },
  );

  test.each(['127.0.0.2', '10.0.0.1', '93.184.216.34'])('E4: a route on this computer does not dial %s', async (host) => {
    const { send } = setUp([route({ origin: `http://${host}` })]);
    await expect(send(`http://${host}/mcp`)).rejects.toMatchObject({ code: 'EGRESS_ADDRESS_REFUSED' });
  });

  test('E4: the address that did not answer is recorded', async () => {
    const server = await listen((_request, response) => response.end());
    await new Promise((resolve) => server.server.close(resolve));
    const { send, ledger } = setUp([route({ origin: server.origin })]);
    await expect(send(`${server.origin}/mcp`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(ledger.rows(9)).toMatchObject([{ outcome: 'failed', address: '127.0.0.1' }]);
  });
});

describe('what the ledger is told', () => {
  test('P4: the attempt stands on disk when the server gets the request', async () => {
    let onDisk = '';
    const server = await listen((_request, response) => {
      onDisk = ledgerText();
      response.end();
    });
    const { send, ledgerText } = setUp([route({ origin: server.origin })]);
    await readAll((await send(`${server.origin}/mcp`)).body);
    expect(onDisk).toContain('"kind":"attempt"');
    expect(onDisk).not.toContain('"kind":"result"');
    expect(ledgerText()).toContain('"kind":"result"');
  });

  test('P4: bytes are those that the server’s socket counted, over one connection or many', async () => {
    const server = await listen((request, response) => {
      void readAll(request).then((body) => response.end(Buffer.alloc(body.length * 3)));
    });
    const { send, ledger } = setUp([route({ origin: server.origin })]);
    const one = async (size: number) => {
      const answer = await send(`${server.origin}/mcp`, { body: Buffer.alloc(size) });
      await readAll(answer.body);
      return [answer.bytesOut(), answer.bytesIn()];
    };
    const [first, second] = [await one(10), await one(1000)];
    expect((second?.[0] ?? 0) - (first?.[0] ?? 0)).toBe(990 + '1000'.length - '10'.length);
    await Promise.all([one(5), one(70_000), one(300_000)]);
    const told = ledger
      .rows(99)
      .reduce((sum, row) => ({ read: sum.read + row.bytesOut, written: sum.written + row.bytesIn }), { read: 0, written: 0 });
    expect(told).toEqual(server.bytes());
  });

  test('P8: the ledger holds no path, no query, no header and no content', async () => {
    const server = await listen((_request, response) => response.setHeader('x-canary', 'canary').end('canary'));
    const { send, ledgerText } = setUp([route({ origin: server.origin, pathPrefix: '/canary' })]);
    await readAll((await send(`${server.origin}/canary?canary=canary`, { headers: { canary: 'canary' }, body: 'canary' })).body);
    expect(ledgerText()).not.toContain('canary');
  });

  test('P4: when the ledger cannot be written, nothing is sent', async () => {
    const server = await listen((_request, response) => response.end());
    const { ledger, routes, clock } = setUp([route({ origin: server.origin })]);
    const full = Object.assign(Object.create(ledger) as typeof ledger, {
      recordAttempt: () => {
        throw new Error('The disk is full.');
      },
    });
    const door = new EgressDoor({ routes: () => routes, ledger: full, clock, resolve: noNames });
    await expect(door.request(ROUTE, `${server.origin}/mcp`, { method: 'GET', headers: {} })).rejects.toThrow(
      'The disk is full.',
    );
    expect(server.connections).toBe(0);
  });
});

describe('the body', () => {
  const text = 'a line of text, again and again. '.repeat(2000);
  const packings: [coding: string, body: Buffer][] = [
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
  ];
  test.each(packings)('W2: %s is undone', async (coding, body) => {
    const server = await listen((_request, response) => response.setHeader('content-encoding', coding).end(body));
    const { send } = setUp([route({ origin: server.origin })]);
    expect(String(await readAll((await send(`${server.origin}/mcp`)).body))).toBe(text);
  });

  const broken: [what: string, coding: string, body: Buffer][] = [
    ['an unknown coding', 'rot13', Buffer.from('x')],
    ['too many codings', 'gzip, gzip, gzip, gzip', Buffer.from('x')],
    ['a body cut short', 'gzip', gzipSync(text).subarray(0, 60)],
    ['a body that is not packed', 'gzip', Buffer.from(text)],
  ];
  test.each(broken)('W2: %s is an error for the reader, and the connection is not left open', async (_what, coding, body) => {
    const server = await listen((_request, response) => response.setHeader('content-encoding', coding).end(body));
    const { send, door } = setUp([route({ origin: server.origin })]);
    await expect(readAll((await send(`${server.origin}/mcp`)).body)).rejects.toThrow();
    await door.close();
    await until(() => server.sockets.size === 0);
  });

  test('W2: a coding named for an empty body is no error', async () => {
    const server = await listen((_request, response) => response.writeHead(204, { 'content-encoding': 'gzip' }).end());
    const { send } = setUp([route({ origin: server.origin })]);
    expect(await readAll((await send(`${server.origin}/mcp`)).body)).toHaveLength(0);
  });

  test('W2: a reader that stops at its limit stops a bomb, on the wire and in memory', async () => {
    let made = 0;
    const server = await listen((_request, response) => {
      response.setHeader('content-encoding', 'gzip');
      const gzip = createGzip({ level: 1 });
      gzip.pipe(response);
      const zeros = Buffer.alloc(1024 * 1024);
      const pour = () => {
        while (made < 2000 && !response.destroyed) {
          made += 1;
          if (!gzip.write(zeros)) return void gzip.once('drain', pour);
        }
      };
      response.on('close', () => gzip.destroy());
      pour();
    });
    const { send, ledger } = setUp([route({ origin: server.origin })]);
    let taken = 0;
    for await (const piece of (await send(`${server.origin}/mcp`)).body) {
      expect(piece.length).toBeLessThanOrEqual(64 * 1024);
      taken += piece.length;
      if (taken >= 2 * 1024 * 1024) break;
    }
    await until(() => server.sockets.size === 0);
    expect(taken).toBeLessThan(2 * 1024 * 1024 + 64 * 1024);
    expect(made).toBeLessThan(1500);
    expect(ledger.rows(1)).toMatchObject([{ outcome: 'cut-off', status: 200 }]);
  });

  test('W2: a reader that waits holds the sender back', async () => {
    let written = 0;
    const server = await listen((_request, response) => {
      const pour = () => {
        while (written < 200 && !response.destroyed) {
          written += 1;
          if (!response.write(Buffer.alloc(1024 * 1024))) return void response.once('drain', pour);
        }
      };
      pour();
    });
    const { send } = setUp([route({ origin: server.origin })]);
    const answer = await send(`${server.origin}/mcp`);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(answer.bytesIn()).toBeLessThan(8 * 1024 * 1024);
    expect(written).toBeLessThan(40);
    answer.destroy();
    await until(() => server.sockets.size === 0);
    await expect(readAll(answer.body)).rejects.toThrow();
  });

  test('W2: header text over the limit is refused', async () => {
    const server = await listen((request, response) =>
      response.setHeader('x-long', 'x'.repeat(request.url === '/mcp/long' ? 70_000 : 3000)).end(),
    );
    const { send } = setUp([route({ origin: server.origin })]);
    await expect(send(`${server.origin}/mcp/long`)).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_OVERFLOW' });
    await expect(send(`${server.origin}/mcp`, { maxHeaderBytes: 1000 })).rejects.toMatchObject({
      code: 'EGRESS_UNREADABLE_RESPONSE',
    });
    expect((await send(`${server.origin}/mcp`, { maxHeaderBytes: 4000 })).status).toBe(200);
  });
});

describe('ending', () => {
  test('W3: an aborted request ends at once, before and after its answer began', async () => {
    const server = await listen((request, response) => {
      if (request.url === '/mcp/begun') response.write('a piece');
    });
    const { send, ledger } = setUp([route({ origin: server.origin })]);
    const waiting = new AbortController();
    const asked = send(`${server.origin}/mcp`, { signal: waiting.signal });
    await until(() => server.requests.length === 1);
    waiting.abort(new Error('The user stopped it.'));
    await expect(asked).rejects.toThrow('The user stopped it.');

    const begun = new AbortController();
    const answer = await send(`${server.origin}/mcp/begun`, { signal: begun.signal });
    begun.abort(new Error('The user stopped it.'));
    await expect(readAll(answer.body)).rejects.toThrow('The user stopped it.');
    await until(() => server.sockets.size === 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(ledger.rows(9).map((row) => row.outcome)).toEqual(['cut-off', 'cut-off']);
    // Not one connection more than was asked for.
    expect(server.connections).toBe(2);
    await expect(send(`${server.origin}/mcp`, { signal: begun.signal })).rejects.toThrow('The user stopped it.');
  });

  test('P1: closing a route cuts what is under way and what is kept open, and leaves the others', async () => {
    const server = await listen((request, response) => {
      if (request.url === '/mcp/slow') response.write('a piece');
      else response.end();
    });
    const other = { ...route({ origin: server.origin }), id: 'server-b' as RouteId };
    const { send, door, ledger } = setUp([route({ origin: server.origin }), other]);
    await readAll((await send(`${server.origin}/mcp`, {}, other.id)).body);
    const begun = await send(`${server.origin}/mcp/slow`);
    const idle = await send(`${server.origin}/mcp`);
    await readAll(idle.body);
    expect(server.sockets.size).toBe(3);

    door.closeRoute(ROUTE);
    await expect(readAll(begun.body)).rejects.toMatchObject({ code: 'EGRESS_ROUTE_CLOSED' });
    await until(() => server.sockets.size === 1);
    expect(ledger.rows(9).find((row) => row.outcome === 'cut-off')).toMatchObject({ routeId: ROUTE, status: 200 });
    expect((await send(`${server.origin}/mcp`)).status).toBe(200);
  });

  test('P1: closing a route ends a request whose connection is only being opened', async () => {
    const { send, door, ledger } = setUp(
      [route({ origin: 'https://slow.example.com', leaves: true })],
      () => new Promise(() => {}),
    );
    const asked = send('https://slow.example.com/mcp');
    await new Promise((resolve) => setTimeout(resolve, 20));
    door.closeRoute(ROUTE);
    await expect(asked).rejects.toMatchObject({ code: 'EGRESS_ROUTE_CLOSED' });
    expect(ledger.rows(9)).toMatchObject([{ outcome: 'cut-off' }]);
  });

  test('P1: closing a route takes back a connection that has not been dialled yet', async () => {
    const server = await listen((_request, response) => response.end());
    const origin = `http://localhost:${server.port}`;
    const { send, door } = setUp([route({ origin })]);
    const asked = send(`${origin}/mcp`);
    door.closeRoute(ROUTE);
    await expect(asked).rejects.toMatchObject({ code: 'EGRESS_ROUTE_CLOSED' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.connections).toBe(0);
  });

  test('W3: a host that does not answer is given up', async () => {
    const { send, clock } = setUp([route({ origin: 'https://slow.example.com', leaves: true })], () => new Promise(() => {}));
    const asked = send('https://slow.example.com/mcp');
    await new Promise((resolve) => setTimeout(resolve, 20));
    clock.advance(10_000);
    await expect(asked).rejects.toMatchObject({ code: 'EGRESS_CONNECT_TIMEOUT' });
  });

  test('P1: a closed door sends nothing', async () => {
    const server = await listen((_request, response) => response.end());
    const { send, door } = setUp([route({ origin: server.origin })]);
    await readAll((await send(`${server.origin}/mcp`)).body);
    await door.close();
    await until(() => server.sockets.size === 0);
    await expect(send(`${server.origin}/mcp`)).rejects.toMatchObject({ code: 'EGRESS_ROUTE_CLOSED' });
    expect(server.requests).toHaveLength(1);
  });

  test('P1: a route that goes off right after a request was asked for lets it not through, nor a later one', async () => {
    const server = await listen((_request, response) => response.end());
    const { send, routes } = setUp([route({ origin: server.origin })]);
    const asked = send(`${server.origin}/mcp`);
    routes[0] = route({ origin: server.origin, on: false });
    await expect(asked).rejects.toMatchObject({ code: 'EGRESS_NO_ROUTE' });
    await expect(send(`${server.origin}/mcp`)).rejects.toMatchObject({ code: 'EGRESS_NO_ROUTE' });
    expect(server.connections).toBe(0);
  });
});
