import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RouteIdSchema } from '../../../src-shared/egress/egress.schema';
import { readEndpoint } from '../../../src-main/sessions/http-transport-endpoint';
import { SseTransport } from '../../../src-main/sessions/http-transport-sse';
import { FakeClock } from '../../support/fake-clock';
import { eventAnswer, eventOf, ScriptedDoor, type Asked, type ScriptedAnswer } from '../../support/scripted-server-door';

const request = (id = 1): JSONRPCMessage => ({ jsonrpc: '2.0', id, method: 'tools/call', params: {} });
const endpointEvent = (target: string): string => `event: endpoint\ndata: ${target}\n\n`;
const never = new Promise(() => undefined);

function setUp(script: (asked: Asked) => ScriptedAnswer | Promise<ScriptedAnswer>) {
  const door = new ScriptedDoor(script);
  const clock = new FakeClock();
  const transport = new SseTransport({
    door,
    routeId: RouteIdSchema.parse('server-test'),
    endpoint: 'https://notes.example/api/sse?key=1',
    headers: [['Authorization', 'Bearer key']],
    maxReplyBytes: 1000,
    clock,
    log: () => undefined,
  });
  const messages: JSONRPCMessage[] = [];
  let closed = 0;
  transport.onmessage = (message) => messages.push(message);
  transport.onclose = () => (closed += 1);
  onTestFinished(() => transport.close());
  return { door, clock, transport, messages, closed: () => closed };
}
/** A stream that names its place for messages, says what is given and then stays open. */
const streaming =
  (...events: (string | Promise<unknown>)[]) =>
  ({ method }: Asked): ScriptedAnswer =>
    method === 'GET'
      ? eventAnswer(endpointEvent('/api/messages?sessionId=x1'), ...events, never)
      : { status: 202, body: ['Accepted'] };

describe('the place for messages', () => {
  const own: [data: string, target: string, because: string][] = [
    ['/api/messages?sessionId=x1', 'https://notes.example/api/messages?sessionId=x1', 'a path of the same host'],
    ['messages?a=1&b=2', 'https://notes.example/api/messages?a=1&b=2', 'beside the address connected to'],
    ['?sessionId=x1', 'https://notes.example/api/sse?sessionId=x1', 'the same path, another query'],
    ['https://notes.example/m', 'https://notes.example/m', 'a whole address of the same origin'],
    ['https://NOTES.example:443/m#x', 'https://notes.example/m', 'the same origin, spelled otherwise'],
    [' /m ', 'https://notes.example/m', 'blanks around it'],
  ];
  test.each(own)('W1: %j is %s (%s)', (data, target) => {
    const read = readEndpoint(data, 'https://notes.example/api/sse?key=1');
    expect(read.ok && read.value.href).toBe(target);
  });

  const foreign: [data: string, namedHost: string | null, because: string][] = [
    ['http://0.0.0.0:9/messages?sessionId=1', '0.0.0.0:9', 'another host'],
    ['//other.example/m', 'other.example', 'another host by its short form'],
    ['http://notes.example/m', 'notes.example', 'without encryption'],
    ['https://notes.example:8443/m', 'notes.example:8443', 'another port'],
    ['https://notes.example.other.example/m', 'notes.example.other.example', 'a host that begins alike'],
    ['https://me:pw@notes.example/m', 'notes.example', 'with a name and a password'],
    ['javascript:alert(1)', null, 'another scheme'],
    ['blob:https://notes.example/m', null, 'a scheme that hides an origin of the same name'],
    ['', null, 'nothing'],
    ['http://[', null, 'no address'],
  ];
  test.each(foreign)('E5: %j is refused (%s)', (data, namedHost) => {
    const read = readEndpoint(data, 'https://notes.example/api/sse');
    expect(read.ok ? read.value.href : read.problem).toMatchObject({ host: 'notes.example', namedHost });
  });

  test.each(foreign.slice(0, 7))('E5: after %j the start fails, and nothing is posted anywhere', async (data) => {
    const { door, transport } = setUp(() => eventAnswer(endpointEvent(data), never));
    await expect(transport.start()).rejects.toMatchObject({ code: 'FOREIGN_ENDPOINT' });
    await expect(transport.send(request())).rejects.toMatchObject({ code: 'FOREIGN_ENDPOINT' });
    expect(door.asked.map(({ method }) => method)).toEqual(['GET']);
    expect([door.destroyed, door.allowedPaths]).toEqual([[1], []]);
  });

  test('W1: the door is told the one path, and a second place is not believed', async () => {
    const { door, transport } = setUp(streaming(endpointEvent('/elsewhere')));
    await transport.start();
    await transport.send(request());
    expect(door.allowedPaths).toEqual(['/api/messages']);
    expect(door.asked.at(-1)).toMatchObject({
      method: 'POST',
      url: 'https://notes.example/api/messages?sessionId=x1',
      headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
    });
  });
});

describe('the stream', () => {
  test('W1: what the server says on it arrives, and tells what the exchange moved', async () => {
    let say: (value: unknown) => void = () => undefined;
    const asked = new Promise((resolve) => (say = resolve));
    const answer = eventOf({ id: 1, result: {} });
    const { transport, messages } = setUp(streaming(asked, answer));
    await transport.start();
    const moved: number[] = [];
    await transport.send(request(), { onTraffic: ({ bytesIn }) => moved.push(bytesIn) });
    say(null);
    await expect.poll(() => messages.length).toBe(1);
    expect(moved).toEqual([answer.length - 'data: \n\n'.length]);
  });

  const refused: [answer: ScriptedAnswer, problem: object, because: string][] = [
    [{ status: 401 }, { data: { status: 401 } }, 'a sign-in first'],
    [{ status: 404 }, { data: { status: 404 } }, 'not there'],
    [{ headers: { 'content-type': 'text/html' } }, { code: 'CLIENT_HTTP_UNEXPECTED_CONTENT' }, 'a page'],
    [eventAnswer(': hello\n\n'), { fault: 'no-response' }, 'it ends before it says where'],
    [eventAnswer(`data: ${'x'.repeat(2000)}\n\n`, never), { code: 'REPLY_TOO_LARGE' }, 'an event over the cap'],
    [{ status: 307, headers: { location: 'https://other.example/' } }, { fault: 'redirected' }, 'sent elsewhere'],
  ];
  test.each(refused)('W6: %j is no such stream: %j (%s)', async (answer, problem) => {
    const { door, transport } = setUp(() => answer);
    await expect(transport.start()).rejects.toMatchObject(problem);
    expect(door.asked).toHaveLength(1);
  });

  test('W2: an event over the cap ends the connection and tears the stream down', async () => {
    const { door, transport, closed } = setUp(streaming(`data: ${'x'.repeat(2000)}\n\n`));
    await transport.start();
    await expect.poll(closed).toBe(1);
    expect(transport.failure).toMatchObject({ code: 'REPLY_TOO_LARGE' });
    expect(door.destroyed).toContain(1);
  });

  test('W6: its end is the end of the connection, told once, and it is not opened again by itself', async () => {
    const { door, clock, transport, closed } = setUp(() => eventAnswer(endpointEvent('/m')));
    await transport.start();
    await expect.poll(closed).toBe(1);
    await clock.advanceSettling(120_000);
    expect(door.asked).toHaveLength(1);
    await expect(transport.send(request())).rejects.toMatchObject({ fault: 'no-response' });
  });

  test('W3: one that never says where is ended by closing', async () => {
    const { door, transport } = setUp(() => eventAnswer(': hello\n\n', never));
    const started = transport.start();
    await expect.poll(() => door.asked.length).toBe(1);
    await transport.close();
    await expect(started).rejects.toBeInstanceOf(Error);
    expect(door.destroyed).toEqual([1]);
  });

  test('W3: a message that is never accepted ends with its call, and the stream stays', async () => {
    const { door, transport, closed } = setUp((asked) =>
      asked.method === 'GET' ? streaming()(asked) : new Promise<never>(() => undefined),
    );
    await transport.start();
    const stop = new AbortController();
    const sent = transport.send(request(), { signal: stop.signal });
    await expect.poll(() => door.asked.length).toBe(2);
    stop.abort();
    await expect(sent).rejects.toBeInstanceOf(Error);
    expect([closed(), door.destroyed]).toEqual([0, []]);
  });

  test('W2: of a refusal of a message only the first 4 KiB are read', async () => {
    const { transport } = setUp((asked) =>
      asked.method === 'GET' ? streaming()(asked) : { status: 500, body: Array.from({ length: 100 }, () => 'e'.repeat(1000)) },
    );
    await transport.start();
    await expect(transport.send(request())).rejects.toMatchObject({ data: { status: 500, text: 'e'.repeat(4096) } });
  });
});
