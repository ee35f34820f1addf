import { describe, expect, onTestFinished, test } from 'vitest';
import { HttpTransport } from '../../src-main/sessions/http-transport';
import type { RouteId } from '../../src-shared/egress/egress.schema';
import { buildRouteTable, routeIdForServer } from '../../src-shared/egress/route-table';
import { findRoute } from '../../src-shared/egress/route-rule';
import { checkConnection } from '../../src-shared/servers/server-decoder';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { FakeClock } from '../support/fake-clock';
import { plainAnswer, ScriptedDoor, type Asked, type ScriptedAnswer } from '../support/scripted-server-door';

const id = 'a' as ServerId;
const http = (endpoint: string) => ({ kind: 'http' as const, endpoint, headers: [] });

describe('H15: an address written so that a check and a connection read it differently', () => {
  test.each([
    'http://127.1/mcp',
    'http://2130706433/mcp',
    'http://0x7f000001/mcp',
    'http://0177.0.0.1/mcp',
    'http://[::ffff:7f00:1]/mcp',
    'http://0.0.0.0/mcp',
    'http://localhost./mcp',
    'http://localhost.example.com/mcp',
    'http://１２７.0.0.1/mcp',
    'http://localhos%74/mcp',
    'http:localhost/mcp',
    'http:\\\\localhost/mcp',
    'http://169.254.169.254/latest/meta-data/',
    'https://mcp.example.com@evil.example/mcp',
    'https://mcp.example.com\\@evil.example/mcp',
    'https://mcp.example.com\t.evil.example/mcp',
  ])('H15, E1, P1: %j is refused by the store and owns no route', (endpoint) => {
    expect(checkConnection(http(endpoint)).ok).toBe(false);
    const [route] = buildRouteTable({
      models: [],
      signIns: [],
      keychainState: 'absent',
      servers: [{ id, name: 'a', connection: http(endpoint), on: true }],
    }).filter((row) => row.id === routeIdForServer(id));
    expect(route).toMatchObject({ on: false, origin: null });
  });

  test.each([
    'https://evil.example',
    'http://mcp.example.com',
    'https://mcp.example.com:444',
    'https://mcp.example.com.evil.example',
    'https://user@mcp.example.com',
  ])('H15, P1: the route of one server does not let %s through', (origin) => {
    const routes = buildRouteTable({
      models: [],
      signIns: [],
      keychainState: 'absent',
      servers: [{ id, name: 'a', connection: http('https://mcp.example.com/mcp'), on: true }],
    });
    expect(findRoute(routes, { routeId: routeIdForServer(id), origin, path: '/mcp' })).toBeUndefined();
    const own = { routeId: routeIdForServer(id), origin: 'https://mcp.example.com', path: '/mcp' };
    expect(findRoute(routes, own)).toBeDefined();
  });
});

async function open(script: (asked: Asked, count: number) => ScriptedAnswer) {
  const door = new ScriptedDoor(script);
  const transport = new HttpTransport({
    door,
    routeId: 'server-a' as RouteId,
    endpoint: 'https://notes.example/mcp',
    headers: [['Authorization', 'Bearer key']],
    maxReplyBytes: 10_000,
    clock: new FakeClock(),
    log: () => undefined,
  });
  await transport.start();
  onTestFinished(() => transport.close());
  return { door, transport };
}
const list = { jsonrpc: '2.0' as const, id: 1, method: 'tools/list', params: {} };

describe('H15: a redirect that leads elsewhere', () => {
  test.each([303, 300, 304, 305])('H15, E5: %i, which would change the method, is followed nowhere', async (status) => {
    const { door, transport } = await open(() => ({ status, headers: { location: 'https://notes.example/other' } }));
    await expect(transport.send(list)).rejects.toBeDefined();
    expect(door.asked).toHaveLength(1);
  });

  test('H15, E5: leaving by the second hop is refused as by the first, and the secret goes nowhere', async () => {
    const { door, transport } = await open((_asked, count) => ({
      status: 307,
      headers: { location: count === 1 ? '/mcp/next' : 'https://evil.example/mcp' },
    }));
    await expect(transport.send(list)).rejects.toMatchObject({ fault: 'redirected' });
    expect(door.asked.map(({ url }) => new URL(url).origin)).toEqual(['https://notes.example', 'https://notes.example']);
  });

  test('H15, E5: five redirects on the own origin are followed, each with its method and body', async () => {
    const { door, transport } = await open((asked, count) =>
      count <= 5 ? { status: 308, headers: { location: `/mcp/${count}` } } : plainAnswer(asked),
    );
    await transport.send(list);
    expect(door.asked.map(({ method }) => method)).toEqual(Array.from({ length: 6 }, () => 'POST'));
    expect(new Set(door.asked.map(({ body }) => body)).size).toBe(1);
  });

  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/plain,x', 'http://169.254.169.254/', '//evil.example'])(
    'H15, E5: a redirect to %s sends nothing',
    async (location) => {
      const { door, transport } = await open(() => ({ status: 302, headers: { location } }));
      await expect(transport.send(list)).rejects.toMatchObject({ fault: 'redirected' });
      expect(door.asked).toHaveLength(1);
    },
  );
});
