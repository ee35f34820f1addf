import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Route, RouteId } from '../../src-shared/egress/egress.schema';
import { checkArguments } from '../../src-shared/tools/argument-check';
import { EgressDoor, MAX_HEADER_BYTES } from '../../src-main/egress/egress-door';
import { openLedger } from '../../src-main/egress/ledger';
import { TooLargeError } from '../../src-main/sessions/bounded-stream';
import { HttpTransport } from '../../src-main/sessions/http-transport';
import { SseReader } from '../../src-main/sessions/sse-reader';
import { FakeClock } from '../support/fake-clock';
import { ScriptedDoor, type ScriptedAnswer } from '../support/scripted-server-door';
import { tempFolder } from '../support/temp-folder';

const ROUTE = 'server-a' as RouteId;
const CAP = 10_000;

describe('X24: a server that floods', () => {
  test('X24, W2: a header block that never ends is cut off at the limit of the door', async () => {
    let written = 0;
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('HTTP/1.1 200 OK\r\n');
      const pour = (): void => {
        while (!socket.destroyed && socket.write(`x-${written}: ${'a'.repeat(1000)}\r\n`)) written += 1000;
      };
      socket.on('drain', pour);
      socket.once('data', pour);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const origin = `http://127.0.0.1:${port}`;
    const route: Route = {
      ...{ id: ROUTE, kind: 'mcp-server', name: 'a', origin, pathPrefix: '/mcp', on: true, leaves: false },
      ...{ where: '', sends: '', switchable: true },
    };
    const clock = new FakeClock();
    const ledger = openLedger({ folder: tempFolder(), key: null, clock });
    const door = new EgressDoor({ routes: () => [route], ledger, clock });
    onTestFinished(async () => {
      await door.close();
      server.close();
    });
    await expect(door.request(ROUTE, `${origin}/mcp`, { method: 'POST', headers: {} })).rejects.toMatchObject({
      code: expect.stringMatching(/HEADERS_OVERFLOW|HEADER_OVERFLOW/),
    });
    expect(ledger.rows(1)[0]?.bytesIn).toBeLessThan(MAX_HEADER_BYTES * 4);
  });

  test('X24, W2: a million tiny events are read without being kept', () => {
    let events = 0;
    const reader = new SseReader({ capBytes: CAP, onEvent: () => (events += 1) });
    const piece = Buffer.from('data: x\n\n'.repeat(10_000));
    for (let nth = 0; nth < 100; nth += 1) reader.push(piece);
    expect(events).toBe(1_000_000);
  });

  test('X24, W3: a wait of 0 that a server asks for is half a second', () => {
    const reader = new SseReader({ capBytes: CAP, onEvent: () => undefined });
    reader.push(Buffer.from('retry: 0\n\n'));
    expect(reader.retryMs).toBe(500);
  });

  test.each(['(a+)+$', '(a|aa)+$', '^(([a-z])+.)+[A-Z]([a-z])+$', '(?=(a+))\\1*b'])(
    'X24, R6: the pattern %s of a schema blocks nothing',
    (pattern) => {
      const schema = { type: 'object', properties: { a: { type: 'string', pattern } } };
      const startedAt = performance.now();
      checkArguments(schema, JSON.stringify({ a: `${'a'.repeat(40)}!` }));
      expect(performance.now() - startedAt).toBeLessThan(500);
    },
  );
});

/** An answer whose body goes on for as long as somebody reads. */
function endless(type: string, piece: string, status = 200): { answer: ScriptedAnswer; read: () => number } {
  let read = 0;
  const body = {
    *[Symbol.iterator]() {
      for (;;) {
        read += piece.length;
        yield piece;
      }
    },
  };
  return { answer: { status, headers: { 'content-type': type }, body: body as unknown as string[] }, read: () => read };
}

describe('H16: a body without an end', () => {
  const bodies: [string, string, string, number][] = [
    ['a JSON reply', 'application/json', `{"x":"${'x'.repeat(500)}`, 200],
    ['one event', 'text/event-stream', `data: ${'x'.repeat(500)}\n`, 200],
    ['one line of an event', 'text/event-stream', 'x'.repeat(500), 200],
    ['an error', 'text/html', '<p>'.repeat(200), 500],
    ['a refused sign-in', 'application/json', '{"error":'.repeat(60), 401],
    ['a redirect', 'text/html', 'x'.repeat(500), 307],
    ['an answer to a note', 'application/json', 'x'.repeat(500), 202],
  ];
  test.each(bodies)('H16, W2: of %s no more is read than its limit', async (_what, type, piece, status) => {
    const { answer, read } = endless(type, piece, status);
    const script = status === 307 ? { ...answer, headers: { ...answer.headers, location: 'https://b.example/' } } : answer;
    const door = new ScriptedDoor(() => script);
    const transport = new HttpTransport({
      door,
      routeId: ROUTE,
      endpoint: 'https://a.example/mcp',
      headers: [],
      maxReplyBytes: CAP,
      clock: new FakeClock(),
      log: () => undefined,
    });
    await transport.start();
    onTestFinished(() => transport.close());
    const isNote = status === 202;
    const message = { jsonrpc: '2.0' as const, method: isNote ? 'notifications/x' : 'tools/list', ...(isNote ? {} : { id: 1 }) };
    const failure: unknown = await transport.send(message as never).catch((error: unknown) => error);
    if (status === 200) expect(failure).toBeInstanceOf(TooLargeError);
    await expect.poll(() => door.destroyed.length).toBeGreaterThan(0);
    expect(read()).toBeLessThan(128 * 1024);
  });
});
