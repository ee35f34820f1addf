import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import type { SendOptions } from '../../../src-main/sessions/http-transport-door';
import { callMessage, type Envelope } from '../../../src-main/sessions/mcp-session-call-message';
import { FIRST_OWN_ID, OwnCalls, type CallProgress } from '../../../src-main/sessions/mcp-session-own-calls';
import type { SessionTransport } from '../../../src-main/sessions/mcp-session-wire';
import { ExchangeError } from '../../../src-main/sessions/session-problem';

const STATELESS: Envelope = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const DONE = { content: [{ type: 'text', text: 'done' }] };

/** Calls over a transport that only remembers; with a stream a request, a send is over when the test says so. */
function setUp({ envelope = {} as Envelope, streams = false } = {}) {
  const sent: { message: JSONRPCMessage; options: SendOptions }[] = [];
  let finish: () => void = () => undefined;
  let refuse: (error: Error) => void = () => undefined;
  const transport: SessionTransport = {
    hasPerRequestStream: streams,
    start: async () => undefined,
    close: async () => undefined,
    send: (message, options = {}) => {
      sent.push({ message, options });
      return new Promise((resolve, reject) => {
        finish = resolve;
        refuse = reject;
      });
    },
  };
  const calls = new OwnCalls(transport);
  const progress: CallProgress[] = [];
  const stop = new AbortController();
  const call = () =>
    calls.send({
      compose: (id) => callMessage(id, { rawName: 'find', frozenText: '{}' }, {}, envelope, {}),
      envelope,
      headers: {},
      signal: stop.signal,
      conversation: undefined,
      pause: undefined,
      onTraffic: undefined,
      onProgress: (each) => progress.push(each),
    });
  const reply = (id: unknown, more: object = { result: DONE }): boolean =>
    calls.takes({ jsonrpc: '2.0', id, ...more } as JSONRPCMessage);
  const note = (params: Record<string, unknown>): boolean =>
    calls.takes({ jsonrpc: '2.0', method: 'notifications/progress', params });
  return { calls, sent, call, reply, note, progress, stop, finish: () => finish(), refuse: (error: Error) => refuse(error) };
}

describe('replies to calls', () => {
  test('H17, W1: each goes to its own call, whatever their order', async () => {
    const { call, reply } = setUp();
    const both = [call(), call()];
    reply(FIRST_OWN_ID + 1, { result: { n: 2 } });
    reply(FIRST_OWN_ID, { result: { n: 1 } });
    expect(await Promise.all(both)).toMatchObject([{ raw: { n: 1 } }, { raw: { n: 2 } }]);
  });

  test('H17, W1: late, doubled and unknown ones of our ids are counted and dropped, and nobody else sees them', async () => {
    const { calls, call, reply, note } = setUp();
    const calling = call();
    expect([reply(FIRST_OWN_ID), reply(FIRST_OWN_ID), reply(FIRST_OWN_ID + 5)]).toEqual([true, true, true]);
    await calling;
    expect([reply(String(FIRST_OWN_ID)), note({ progressToken: FIRST_OWN_ID, progress: 1 })]).toEqual([true, true]);
    expect(calls.dropped).toBe(4);
  });

  test.each([0, 41, -1, 1.5, null, 'listen:0', '7', { id: FIRST_OWN_ID }])(
    'W1: what has the id %j is left to the protocol client',
    (id) => {
      const { calls, reply, note } = setUp();
      expect([reply(id), note({ progressToken: id, progress: 1 }), calls.dropped]).toEqual([false, false, 0]);
    },
  );

  test.each<JSONRPCMessage>([
    { jsonrpc: '2.0', id: FIRST_OWN_ID, method: 'ping' },
    { jsonrpc: '2.0', id: FIRST_OWN_ID, method: 'elicitation/create', params: { result: {} } },
    { jsonrpc: '2.0', method: 'notifications/message', params: { progressToken: FIRST_OWN_ID } },
  ])('W1: %j is none, though it has an id of ours', async (message) => {
    const { calls, call, reply } = setUp();
    const calling = call();
    expect(calls.takes(message)).toBe(false);
    reply(FIRST_OWN_ID);
    expect(await calling).toEqual({ kind: 'complete', raw: DONE });
  });

  test('B51: an id that comes back as text is that id', async () => {
    const { call, reply } = setUp();
    const calling = call();
    reply(String(FIRST_OWN_ID));
    expect(await calling).toEqual({ kind: 'complete', raw: DONE });
  });

  test('W6: what a reply moved is known when its call is over', async () => {
    const { call, reply, finish } = setUp({ streams: true });
    let done = false;
    const calling = call().finally(() => (done = true));
    reply(FIRST_OWN_ID);
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).toBe(false);
    finish();
    expect(await calling).toEqual({ kind: 'complete', raw: DONE });
  });

  test('W6: a stream that breaks after the reply does not take it back', async () => {
    const { call, reply, refuse } = setUp({ streams: true });
    const calling = call();
    reply(FIRST_OWN_ID);
    refuse(new Error('reset'));
    expect(await calling).toEqual({ kind: 'complete', raw: DONE });
  });
});

describe('how calls end without a reply', () => {
  const cancelled = (sent: { message: JSONRPCMessage }[]) =>
    sent.flatMap(({ message }) => ('method' in message && message.method === 'notifications/cancelled' ? [message.params] : []));

  const told: [envelope: Envelope, streams: boolean, times: number, because: string][] = [
    [{}, false, 1, 'a program of the session era'],
    [{}, true, 1, 'an address of the session era'],
    [STATELESS, false, 1, 'a program of the stateless era'],
    [STATELESS, true, 0, 'the end of its stream says so'],
  ];
  test.each(told)('W3: stopping with %j, streams %j, tells the server %i times (%s)', async (envelope, streams, times) => {
    const { call, sent, stop, reply, calls } = setUp({ envelope, streams });
    const calling = call();
    stop.abort();
    await expect(calling).rejects.toThrow(ExchangeError);
    const params = cancelled(sent);
    expect(params).toHaveLength(times);
    if (times > 0) expect(params[0]).toMatchObject({ requestId: FIRST_OWN_ID });
    expect(params[0]?._meta).toEqual(times > 0 && envelope === STATELESS ? STATELESS : undefined);
    expect(sent[0]!.options.signal?.aborted).toBe(true);
    expect([reply(FIRST_OWN_ID), calls.dropped]).toEqual([true, 1]);
  });

  test('W3: a call that is stopped before it begins is not sent, and one that is answered is not cancelled', async () => {
    const { call, sent, stop, reply } = setUp();
    const calling = call();
    reply(FIRST_OWN_ID);
    await calling;
    stop.abort();
    await expect(call()).rejects.toThrow(ExchangeError);
    expect(sent).toHaveLength(1);
  });

  test('W6: what cannot be sent fails its call with the reason', async () => {
    const { call, refuse } = setUp();
    const calling = call();
    const why = new Error('The program does not read its input.');
    refuse(why);
    await expect(calling).rejects.toBe(why);
  });

  test('W6: the end of the connection fails every open call, and none is sent after it', async () => {
    const { calls, call, sent } = setUp();
    const open = [call(), call()];
    calls.end();
    for (const calling of open) await expect(calling).rejects.toThrow(ExchangeError);
    await expect(call()).rejects.toThrow(ExchangeError);
    expect(sent).toHaveLength(2);
  });
});

describe('progress', () => {
  test('W3: goes to the call it names, number or text', () => {
    const { call, note, progress } = setUp();
    void call();
    note({ progressToken: FIRST_OWN_ID, progress: 1, total: 2, message: 'half' });
    note({ progressToken: String(FIRST_OWN_ID), progress: 2 });
    expect(progress).toEqual([{ progress: 1, total: 2, message: 'half' }, { progress: 2 }]);
  });

  test.each([[{}], [{ progress: '1' }], [{ progress: 1, total: 'x' }], [{ progress: 1, message: { a: 1 } }]])(
    'W3: %j is no sign of life',
    (params) => {
      const { calls, call, note, progress } = setUp();
      void call();
      expect(note({ progressToken: FIRST_OWN_ID, ...params })).toBe(true);
      expect([progress, calls.dropped]).toEqual([[], 1]);
    },
  );
});
