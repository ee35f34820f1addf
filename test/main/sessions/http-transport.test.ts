import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RouteIdSchema } from '../../../src-shared/egress/egress.schema';
import { HttpTransport, type HttpTransportParts } from '../../../src-main/sessions/http-transport';
import { asFieldValue } from '../../../src-main/sessions/http-transport-headers';
import { FakeClock } from '../../support/fake-clock';
import {
  eventAnswer,
  eventOf,
  jsonAnswer,
  plainAnswer,
  ScriptedDoor,
  type Asked,
  type ScriptedAnswer,
} from '../../support/scripted-server-door';

const SECRET = ['Authorization', 'Bearer key'] as const;
const request = (method: string, params: Record<string, unknown> = {}, id = 1): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const note = (method: string): JSONRPCMessage => ({ jsonrpc: '2.0', method });
const modern = (method: string, params: Record<string, unknown> = {}): JSONRPCMessage =>
  request(method, { ...params, _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } });

async function setUp(
  script: (asked: Asked, count: number) => ScriptedAnswer | Promise<ScriptedAnswer>,
  parts: Partial<HttpTransportParts> = {},
) {
  const door = new ScriptedDoor(script);
  const clock = new FakeClock();
  const transport = new HttpTransport({
    door,
    routeId: RouteIdSchema.parse('server-test'),
    endpoint: 'https://notes.example/mcp',
    headers: [SECRET],
    maxReplyBytes: 1000,
    clock,
    log: () => undefined,
    ...parts,
  });
  const messages: JSONRPCMessage[] = [];
  transport.onmessage = (message) => messages.push(message);
  await transport.start();
  onTestFinished(() => transport.close());
  return { door, clock, transport, messages };
}
const postsOf = (door: ScriptedDoor, method: string): Asked[] => door.asked.filter(({ message }) => message?.method === method);
const untilAsked = (door: ScriptedDoor, count: number) => expect.poll(() => door.asked.length).toBe(count);

describe('headers', () => {
  test('W1: the session era carries session and negotiated version on everything but initialize', async () => {
    const { door, transport } = await setUp((asked) => plainAnswer(asked));
    await transport.send(request('initialize'));
    transport.setProtocolVersion('2025-06-18');
    await transport.send(note('notifications/initialized'));
    await transport.send(request('tools/list'));
    expect(postsOf(door, 'initialize')[0]!.headers).not.toHaveProperty('mcp-session-id');
    expect(postsOf(door, 'initialize')[0]!.headers).not.toHaveProperty('mcp-protocol-version');
    expect(postsOf(door, 'tools/list')[0]!.headers).toEqual({
      authorization: 'Bearer key',
      'mcp-session-id': 's-1',
      'mcp-protocol-version': '2025-06-18',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    });
  });

  test('W1: the stateless era repeats version, method and name, and has no session', async () => {
    const { door, transport } = await setUp(() => jsonAnswer({ id: 1, result: {} }));
    await transport.send(modern('tools/call', { name: 'größe' }), { headers: { 'Mcp-Param-City': 'Bern' } });
    expect(door.asked[0]!.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': '=?base64?Z3LDtsOfZQ==?=',
      'mcp-param-city': 'Bern',
    });
    expect(door.asked[0]!.headers).not.toHaveProperty('mcp-session-id');
  });

  test('W1: neither settings nor one request replace a header of the exchange itself', async () => {
    const names = ['Accept', 'Content-Type', 'Mcp-Session-Id', 'MCP-Protocol-Version', 'Host', 'Cookie', 'Mcp-Method'];
    const { door, transport } = await setUp((asked) => plainAnswer(asked), {
      headers: names.map((name) => [name, 'evil'] as const),
    });
    await transport.send(request('tools/list'), { headers: Object.fromEntries(names.map((name) => [name, 'evil'])) });
    expect(Object.values(door.asked[0]!.headers)).not.toContain('evil');
  });

  test.each([
    ['echo', 'echo'],
    ['a b', 'a b'],
    ['', '=?base64??='],
    [' a', '=?base64?IGE=?='],
    ['a\r\nx: y', '=?base64?YQ0KeDogeQ==?='],
    ['=?base64?x?=', '=?base64?PT9iYXNlNjQ/eD89?='],
  ])('W1: %j stands in a header as %j', (text, value) => {
    expect(asFieldValue(text)).toBe(value);
  });
});

test('A5, O6: a message that is to leave as a text leaves as that text', async () => {
  const { door, transport } = await setUp((asked) => plainAnswer(asked));
  const text = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"n":9007199254740993}}}';
  await transport.send(request('tools/call', { name: 'a', arguments: { n: 9007199254740992 } }), { text });
  expect(door.asked[0]!.body).toBe(text);
});

describe('redirects', () => {
  const to = (location: string, status = 307): ScriptedAnswer => ({ status, headers: { location } });

  test.each([301, 302, 307, 308])('E5: %i on the same origin keeps method, body and headers', async (status) => {
    const { door, transport } = await setUp((asked, count) => (count === 1 ? to('/mcp/', status) : plainAnswer(asked)));
    await transport.send(request('tools/list'));
    expect(door.asked.map(({ url, method, headers }) => [url, method, headers['authorization']])).toEqual([
      ['https://notes.example/mcp', 'POST', 'Bearer key'],
      ['https://notes.example/mcp/', 'POST', 'Bearer key'],
    ]);
    expect(door.asked[1]!.body).toBe(door.asked[0]!.body);
  });

  const elsewhere: [location: string, because: string][] = [
    ['https://other.example/mcp', 'another host'],
    ['http://notes.example/mcp', 'without encryption'],
    ['https://notes.example:8443/mcp', 'another port'],
    ['//other.example/mcp', 'another host by its short form'],
    ['https://notes.example.other.example/mcp', 'a host that begins alike'],
  ];
  test.each(elsewhere)('E5: %s is not followed, and nothing is sent there (%s)', async (location) => {
    const logged: string[] = [];
    const { door, transport } = await setUp(() => to(location), { log: (line) => void logged.push(line) });
    await expect(transport.send(request('tools/list'))).rejects.toMatchObject({ fault: 'redirected', to: 'another address' });
    expect(logged).toEqual([`It redirects to ${new URL(location, 'https://x').origin}, which was not followed.`]);
    expect(door.asked).toHaveLength(1);
  });

  test('E5: the sixth redirect is not followed', async () => {
    const { door, transport } = await setUp((_asked, count) => to(`/mcp/${count}`));
    await expect(transport.send(request('tools/list'))).rejects.toMatchObject({ fault: 'redirected' });
    expect(door.asked).toHaveLength(6);
  });
});

describe('replies', () => {
  test('W2: a JSON reply over the cap is torn down', async () => {
    const { door, transport } = await setUp(() => jsonAnswer({ id: 1, result: 'x'.repeat(2000) }));
    await expect(transport.send(request('x'))).rejects.toMatchObject({ code: 'REPLY_TOO_LARGE' });
    expect(door.destroyed).toContain(1);
  });

  test('W2: an event over the cap is torn down', async () => {
    const { door, transport } = await setUp(() =>
      eventAnswer(...Array.from({ length: 30 }, () => 'data: ' + 'x'.repeat(90) + '\n')),
    );
    await expect(transport.send(request('x'))).rejects.toMatchObject({ code: 'REPLY_TOO_LARGE' });
    expect(door.destroyed).toContain(1);
  });

  test('W2: the status is read first, and of an error body only the first 4 KiB', async () => {
    const { transport } = await setUp(() => ({
      status: 500,
      headers: { 'content-length': '999999999' },
      body: Array.from({ length: 100 }, () => 'e'.repeat(1000)),
    }));
    await expect(transport.send(request('x'))).rejects.toMatchObject({ data: { status: 500, text: 'e'.repeat(4096) } });
  });

  test.each([400, 404])('W1: an error of the stateless era under status %i is the answer to its request', async (status) => {
    const error = { code: -32601, message: 'no' };
    const { transport, messages } = await setUp(() => ({ ...jsonAnswer({ id: 1, error }), status }));
    await transport.send(modern('x'));
    expect(messages).toEqual([{ jsonrpc: '2.0', id: 1, error }]);
    await expect(transport.send(request('x'))).rejects.toMatchObject({ data: { status } });
  });

  test('W6: a stream of the stateless era is never taken up again', async () => {
    const { door, transport } = await setUp(() => eventAnswer('id: 7\ndata: \n\n'));
    await expect(transport.send(modern('tools/call', { name: 'x' }))).rejects.toMatchObject({ fault: 'no-response' });
    expect(door.asked).toHaveLength(1);
  });

  test('W1: a stream of the session era that named an id is taken up there, after a wait', async () => {
    const { door, clock, transport, messages } = await setUp(({ method }) =>
      method === 'POST' ? eventAnswer('id: ev1\nretry: 0\ndata: \n\n') : eventAnswer(eventOf({ id: 1, result: {} })),
    );
    const sent = transport.send(request('tools/call'));
    await expect.poll(() => clock.waiting).toBeGreaterThan(0);
    await clock.advanceSettling(499);
    expect(door.asked).toHaveLength(1);
    await clock.advanceSettling(1);
    await sent;
    expect(door.asked[1]).toMatchObject({ method: 'GET', headers: { 'last-event-id': 'ev1' } });
    expect(messages).toHaveLength(1);
  });

  test('W6: taking a stream up again ends when it brings nothing new', async () => {
    const { door, clock, transport } = await setUp(() => eventAnswer('id: ev1\ndata:\n\n'));
    let over = false;
    void transport.send(request('tools/call')).catch(() => (over = true));
    for (let step = 0; step < 300 && !over; step += 1) await clock.advanceSettling(1000);
    expect(over).toBe(true);
    expect(door.asked).toHaveLength(21);
  });

  test('W3: aborting one exchange tears its stream down and leaves the others', async () => {
    const never = new Promise(() => undefined);
    const { door, transport } = await setUp(() => eventAnswer(': open\n\n', never));
    const stop = new AbortController();
    const first = transport.send(request('a', {}, 1), { signal: stop.signal });
    let second = 'open';
    void transport.send(request('b', {}, 2)).catch(() => (second = 'ended'));
    await untilAsked(door, 2);
    stop.abort();
    await expect(first).rejects.toMatchObject({ fault: 'closed' });
    expect(second).toBe('open');
    expect(door.destroyed).toEqual([1]);
  });
});

describe('the stream for what nobody asked', () => {
  const withStream = (stream: (count: number) => ScriptedAnswer) => (asked: Asked, count: number) =>
    asked.method === 'GET' ? stream(count) : plainAnswer(asked);
  const gets = (door: ScriptedDoor): Asked[] => door.asked.filter(({ method }) => method === 'GET');

  test('W1: is opened after initialize only, and carries messages', async () => {
    const never = new Promise(() => undefined);
    const { door, transport, messages } = await setUp(
      withStream(() => eventAnswer(eventOf({ method: 'notifications/tools/list_changed' }), never)),
    );
    await transport.send(request('initialize'));
    expect(gets(door)).toHaveLength(0);
    await transport.send(note('notifications/initialized'));
    await expect.poll(() => messages.length).toBe(2);
    expect(gets(door)[0]!.headers).toMatchObject({ accept: 'text/event-stream', 'mcp-session-id': 's-1' });
  });

  const none: [answer: ScriptedAnswer, because: string][] = [
    [{ status: 405 }, 'not allowed'],
    [{ status: 404 }, 'not there'],
    [{ status: 401 }, 'no sign-in is begun'],
    [{ status: 200, headers: { 'content-type': 'text/plain' }, body: ['hi'] }, 'a text'],
    [{ status: 200, headers: { 'content-type': 'application/json' }, body: ['{}'] }, 'JSON'],
    [{ status: 200, headers: { 'content-type': 'text/event-stream-not' } }, 'a type that begins alike'],
  ];
  test.each(none)('W1: %j means that there is none', async (answer) => {
    const { door, clock, transport } = await setUp(withStream(() => answer));
    await transport.send(note('notifications/initialized'));
    await clock.advanceSettling(60_000);
    expect(gets(door)).toHaveLength(1);
  });

  test('W1: one that ends empty again and again is asked for less and less often', async () => {
    const { door, clock, transport } = await setUp(withStream(() => eventAnswer('retry: 0\n: hi\n\n')));
    await transport.send(note('notifications/initialized'));
    for (let second = 0; second < 60; second += 1) await clock.advanceSettling(1000);
    expect(gets(door).length).toBeLessThanOrEqual(6);
  });
});

describe('the end', () => {
  test('W1: the session is deleted, and a server that does not answer that is not waited for', async () => {
    const { door, clock, transport } = await setUp((asked) =>
      asked.method === 'DELETE' ? new Promise<never>(() => undefined) : plainAnswer(asked),
    );
    await transport.send(request('initialize'));
    const closed = transport.close();
    await clock.advanceSettling(1000);
    await closed;
    expect(door.asked.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 's-1' } });
    await expect(transport.send(request('x'))).rejects.toMatchObject({ fault: 'closed' });
  });

  test('W3: open exchanges end with it, and none is left', async () => {
    const never = new Promise(() => undefined);
    const { door, transport } = await setUp(() => eventAnswer(never));
    const sent = transport.send(request('a'));
    await untilAsked(door, 1);
    await transport.close();
    await expect(sent).rejects.toBeInstanceOf(Error);
    expect(door.destroyed).toEqual([1]);
  });

  test('W2: what follows a response is read for a moment only', async () => {
    const never = new Promise(() => undefined);
    const { door, clock, transport } = await setUp(() => eventAnswer(eventOf({ id: 1, result: {} }), never));
    await transport.send(request('a'));
    expect(door.destroyed).toEqual([]);
    await clock.advanceSettling(1000);
    expect(door.destroyed).toContain(1);
  });
});
