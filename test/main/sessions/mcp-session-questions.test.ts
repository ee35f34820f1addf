import { describe, expect, onTestFinished, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src-shared/servers/server.schema';
import { openSession } from '../../../src-main/sessions/mcp-session';
import { SessionQuestions, type AnswerQuestion, type QuestionReply } from '../../../src-main/sessions/mcp-session-questions';
import { FakeClock } from '../../support/fake-clock';
import { linksTo, ScriptedServer, silence, type Script } from '../../support/scripted-server-transport';

const FORM = { message: 'Which one?', requestedSchema: { type: 'object', properties: { city: { type: 'string' } } } };
const DONE = { content: [{ type: 'text', text: 'done' }] };
const accept: QuestionReply = { action: 'accept', content: { city: 'Rome' } };

const modern =
  (script: Script): Script =>
  (message, server) => {
    if (message.method === 'server/discover')
      return {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        ttlMs: 0,
        cacheScope: 'private',
      };
    return script(message, server);
  };

async function setUp(script: Script, answersQuestions = true) {
  const server = new ScriptedServer(script);
  const clock = new FakeClock();
  const unshown: string[] = [];
  const opened = await openSession({
    serverName: 'Notes',
    limits: DEFAULT_LIMITS,
    clock,
    answersQuestions,
    link: linksTo(server),
    onUnshownQuestion: (why) => unshown.push(why),
  });
  if (!opened.ok) throw new Error(opened.problem.message);
  onTestFinished(() => opened.value.close());
  const call = (onQuestion?: AnswerQuestion, rest: object = {}) =>
    opened.value.callTool({
      definition: { rawName: 'ask', inputSchema: { type: 'object' }, claims: {} },
      frozenText: '{"a":1}',
      onQuestion,
      ...rest,
    });
  const calls = () => server.received.filter(({ method }) => method === 'tools/call');
  const replies = () =>
    server.received.filter(({ method }) => method === undefined) as unknown as {
      id: string;
      result?: QuestionReply;
      error?: { code: number };
    }[];
  return { server, clock, session: opened.value, call, calls, replies, unshown };
}

/** Asks during the call, as often as told, and answers the call once all its questions are answered. */
function asking(times: number, params: object = FORM): Script {
  let answered = 0;
  let callId: string | number = 0;
  return (message, server) => {
    if (message.method === 'tools/call') {
      callId = message.id!;
      for (let nth = 0; nth < times; nth += 1)
        server.say({ jsonrpc: '2.0', id: `ask${nth}`, method: 'elicitation/create', params: { ...params } });
      return silence();
    }
    if (message.method === undefined && String(message.id).startsWith('ask') && (answered += 1) === times)
      server.say({ jsonrpc: '2.0', id: callId, result: DONE } as never);
    return undefined;
  };
}

describe('the session era', () => {
  test('W8: what is declared is elicitation alone, and only where somebody can be asked', async () => {
    const { server } = await setUp(() => undefined);
    const declared = server.received.find(({ method }) => method === 'initialize')!.params!['capabilities'];
    expect(declared).toEqual({ elicitation: { form: {}, url: {} } });
    const { server: silent } = await setUp(() => undefined, false);
    expect(silent.received.find(({ method }) => method === 'initialize')!.params!['capabilities']).toEqual({});
  });

  test('W8: sampling and roots are unknown; without a window so is elicitation', async () => {
    const asks = (server: ScriptedServer) => {
      for (const method of ['roots/list', 'sampling/createMessage', 'elicitation/create'])
        server.say({ jsonrpc: '2.0', id: method, method, params: {} } as never);
    };
    const withWindow = await setUp(() => undefined);
    asks(withWindow.server);
    await expect.poll(() => withWindow.replies().length).toBe(3);
    expect(withWindow.replies().filter(({ error }) => error?.code === -32601)).toHaveLength(2);
    const without = await setUp(() => undefined, false);
    asks(without.server);
    await expect.poll(() => without.replies().length).toBe(3);
    expect(without.replies().filter(({ error }) => error?.code === -32601)).toHaveLength(3);
  });

  test('W8: a question during a call is answered, and the answer goes back as it was given', async () => {
    const { call, replies } = await setUp(asking(1));
    const asked: unknown[] = [];
    const called = await call(async ({ params, returned }) => {
      asked.push(params, returned);
      return accept;
    });
    expect(called).toMatchObject({ ok: true, raw: DONE });
    expect(asked).toEqual([expect.objectContaining(FORM), null]);
    expect(replies().at(-1)!.result).toEqual(accept);
  });

  test('W8, X12: asked at connect, or in the background, it is answered with cancel and nobody is bothered', async () => {
    const { server, replies, unshown } = await setUp(() => undefined);
    for (const id of ['bg1', 'bg2', 'bg3'])
      server.say({ jsonrpc: '2.0', id, method: 'elicitation/create', params: FORM } as never);
    await expect.poll(() => replies().length).toBe(3);
    expect(replies().map(({ result }) => result)).toEqual(Array(3).fill({ action: 'cancel' }));
    expect(unshown).toEqual([expect.stringContaining('no call was open')]);
  });

  test('W8, H17: while two calls are open nobody is told a wrong one', async () => {
    const { server, call, replies, unshown } = await setUp(({ method }) => (method === 'tools/call' ? silence() : undefined));
    const stop = new AbortController();
    const asked: unknown[] = [];
    const answer: AnswerQuestion = async (question) => {
      asked.push(question);
      return accept;
    };
    const both = [call(answer, { signal: stop.signal }), call(answer, { signal: stop.signal })];
    await expect.poll(() => server.received.filter(({ method }) => method === 'tools/call').length).toBe(2);
    server.say({ jsonrpc: '2.0', id: 'which', method: 'elicitation/create', params: FORM } as never);
    await expect.poll(() => replies().length).toBe(1);
    expect(replies()[0]!.result).toEqual({ action: 'cancel' });
    expect(asked).toEqual([]);
    expect(unshown[0]).toContain('several calls');
    stop.abort();
    await Promise.all(both);
  });

  test('W8, X12: one open at a time, three in one call; the fourth is answered without anybody seeing it', async () => {
    const { call, replies } = await setUp(asking(6));
    let open = 0;
    let most = 0;
    let shown = 0;
    await call(async () => {
      shown += 1;
      most = Math.max(most, (open += 1));
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return accept;
    });
    expect({ shown, most }).toEqual({ shown: 3, most: 1 });
    const actions = replies().map(({ result }) => result!.action);
    expect(actions.filter((action) => action === 'accept')).toHaveLength(3);
    expect(actions.filter((action) => action === 'cancel')).toHaveLength(3);
  });

  test('W8: a call that nobody can be asked during declines', async () => {
    const { call, replies } = await setUp(asking(1));
    expect(await call()).toMatchObject({ ok: true });
    expect(replies().at(-1)!.result).toEqual({ action: 'decline' });
  });

  test('A2: an error in whoever asks is a refusal', async () => {
    const { call, replies } = await setUp(asking(1));
    await call(() => Promise.reject(new Error('broken')));
    expect(replies().at(-1)!.result).toEqual({ action: 'cancel' });
  });

  test('W3: the clock of the call stands still while the question is open, and goes on afterwards', async () => {
    const { server, call, clock } = await setUp(({ method }) => (method === 'tools/call' ? silence() : undefined));
    let answer: (reply: QuestionReply) => void = () => undefined;
    let done = false;
    const calling = call(() => new Promise((resolve) => (answer = resolve))).finally(() => (done = true));
    await clock.advanceSettling(5000);
    server.say({ jsonrpc: '2.0', id: 'ask0', method: 'elicitation/create', params: FORM } as never);
    await clock.advanceSettling(0);
    await clock.advanceSettling(DEFAULT_LIMITS.callTimeoutMs * 100);
    expect(done).toBe(false);
    answer(accept);
    await clock.advanceSettling(0);
    await clock.advanceSettling(14_000);
    expect(done).toBe(false);
    await clock.advanceSettling(1500);
    expect(await calling).toMatchObject({ ok: false, problem: { kind: 'timed-out' } });
  });

  test('A2, W8: a call that ends takes its question away, whoever ends it', async () => {
    for (const ends of ['server', 'user', 'withdrawn'] as const) {
      const { server, call } = await setUp((message, on) => {
        if (message.method !== 'tools/call') return undefined;
        on.say({ jsonrpc: '2.0', id: 'ask0', method: 'elicitation/create', params: FORM } as never);
        return silence();
      });
      const stop = new AbortController();
      let gone: AbortSignal | undefined;
      const calling = call(
        ({ signal }) =>
          new Promise((resolve) => {
            gone = signal;
            signal.addEventListener('abort', () => resolve({ action: 'cancel' }));
          }),
        { signal: stop.signal },
      );
      await expect.poll(() => gone).toBeDefined();
      const { id } = server.received.find(({ method }) => method === 'tools/call')!;
      if (ends === 'server') server.say({ jsonrpc: '2.0', id: id!, result: DONE } as never);
      else if (ends === 'user') stop.abort();
      else server.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'ask0' } } as never);
      await expect.poll(() => gone!.aborted).toBe(true);
      stop.abort();
      await calling;
    }
  });
});

describe('addresses first (-32042 of 2025-11-25)', () => {
  const first = (elicitations: object[]) => ({ error: { code: -32042, message: 'Sign in first', data: { elicitations } } });
  const address = (id: string) => ({ mode: 'url', message: 'Sign in', url: 'https://notes.example/in', elicitationId: id });

  test('W8: the address is put to the person, and the same call is made again once they are back', async () => {
    let nth = 0;
    const { call, calls } = await setUp(({ method }) =>
      method === 'tools/call' ? ((nth += 1) === 1 ? first([address('e1')]) : DONE) : undefined,
    );
    const asked: { params: unknown; returned: AbortSignal | null }[] = [];
    expect(
      await call(async (question) => {
        asked.push(question);
        return { action: 'accept' };
      }),
    ).toMatchObject({ ok: true, raw: DONE });
    expect(asked).toMatchObject([{ params: address('e1'), returned: expect.any(AbortSignal) }]);
    const [one, two] = calls();
    expect(two!.params!['arguments']).toEqual(one!.params!['arguments']);
    expect(two!.id).not.toBe(one!.id);
  });

  test('W8: the server says itself that it is done there', async () => {
    let nth = 0;
    const { server, call } = await setUp(({ method }) =>
      method === 'tools/call' ? ((nth += 1) === 1 ? first([address('e1')]) : DONE) : undefined,
    );
    const calling = call(
      ({ returned }) =>
        new Promise((resolve) => {
          server.say({
            jsonrpc: '2.0',
            method: 'notifications/elicitation/complete',
            params: { elicitationId: 'other' },
          } as never);
          server.say({ jsonrpc: '2.0', method: 'notifications/elicitation/complete', params: { elicitationId: 'e1' } } as never);
          returned!.addEventListener('abort', () => resolve({ action: 'accept' }));
        }),
    );
    expect(await calling).toMatchObject({ ok: true });
  });

  test('W8: said no, the call is not made again, and the problem says why', async () => {
    const { call, calls } = await setUp(({ method }) => (method === 'tools/call' ? first([address('e1')]) : undefined));
    expect(await call(async () => ({ action: 'decline' }))).toMatchObject({
      ok: false,
      problem: { kind: 'refused', message: expect.stringContaining('did not run') },
    });
    expect(calls()).toHaveLength(1);
  });

  test('W8: a form is no address, so nothing of it is shown', async () => {
    const { call, calls } = await setUp(({ method }) => (method === 'tools/call' ? first([FORM]) : undefined));
    let shown = 0;
    const called = await call(async () => {
      shown += 1;
      return accept;
    });
    expect(called).toMatchObject({ ok: false, problem: { kind: 'refused' } });
    expect([shown, calls().length]).toEqual([0, 1]);
  });

  test('W8, X12: a server that always wants another address is ended after three', async () => {
    const { call, calls } = await setUp(({ method }) => (method === 'tools/call' ? first([address('e1')]) : undefined));
    let shown = 0;
    const called = await call(async () => {
      shown += 1;
      return { action: 'accept' };
    });
    expect(called).toMatchObject({ ok: false, problem: { message: expect.stringContaining('more often than is allowed') } });
    expect([shown, calls().length]).toEqual([3, 4]);
  });
});

describe('the stateless era', () => {
  const ask = (params: object = FORM) => ({ method: 'elicitation/create', params });
  const needs = (inputRequests: object, requestState?: string) => ({
    resultType: 'input_required',
    inputRequests,
    ...(requestState === undefined ? {} : { requestState }),
  });
  const rounds = (...results: object[]): Script => {
    let nth = 0;
    return modern(({ method }) =>
      method === 'tools/call' ? (results[nth++] ?? { resultType: 'complete', ...DONE }) : undefined,
    );
  };

  test('W1: a result that does not say what kind it is of is a complete one', async () => {
    const { session, call, calls } = await setUp(rounds(DONE));
    expect(session.era).toBe('modern');
    expect(await call()).toMatchObject({ ok: true, raw: DONE });
    expect(calls()).toHaveLength(1);
  });

  test('W8: the answers and the state go back byte for byte with the approved arguments, under a new id', async () => {
    const state = '{"a": 1}\u0000é\\u00e9';
    const { session, call, calls } = await setUp(rounds(needs({ one: ask(), two: ask() }, state)));
    expect(session.era).toBe('modern');
    expect(await call(async () => accept)).toMatchObject({ ok: true, raw: DONE });
    const [first, second] = calls();
    expect(second!.params).toMatchObject({
      name: 'ask',
      arguments: { a: 1 },
      inputResponses: { one: accept, two: accept },
      requestState: state,
    });
    expect(second!.id).not.toBe(first!.id);
    expect(first!.params).not.toHaveProperty('requestState');
    const meta = first!.params!['_meta'] as Record<string, unknown>;
    expect(meta['io.modelcontextprotocol/clientCapabilities']).toEqual({ elicitation: { form: {}, url: {} } });
  });

  test('W8: state of one round is not sent with the next one that has none', async () => {
    const { call, calls } = await setUp(rounds(needs({ one: ask() }, 's1'), needs({ one: ask() })));
    await call(async () => accept);
    expect(calls()[1]!.params!['requestState']).toBe('s1');
    expect(calls()[2]!.params).not.toHaveProperty('requestState');
  });

  test('W8: saying no is sent as it is, and the server decides', async () => {
    const { call, calls } = await setUp(rounds(needs({ one: ask() })));
    expect(await call(async () => ({ action: 'decline' }))).toMatchObject({ ok: true });
    expect(calls()[1]!.params!['inputResponses']).toEqual({ one: { action: 'decline' } });
  });

  test('W8, X12: three rounds a call; a server that goes on asking is not answered again', async () => {
    const { call, calls } = await setUp(rounds(...Array.from({ length: 20 }, () => needs({ one: ask() }))));
    let shown = 0;
    const called = await call(async () => {
      shown += 1;
      return accept;
    });
    expect(called).toMatchObject({ ok: false, problem: { kind: 'refused' } });
    expect([shown, calls().length]).toEqual([3, 4]);
  });

  test('W8, X12: a hundred questions at once are not shown', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, nth) => [`q${nth}`, ask()]));
    const { call } = await setUp(rounds(needs(many)));
    let shown = 0;
    expect(
      await call(async () => {
        shown += 1;
        return accept;
      }),
    ).toMatchObject({ ok: false });
    expect(shown).toBe(0);
  });

  test.each(['sampling/createMessage', 'roots/list', 'x/unknown'])(
    'W8: asked for %s, the call ends and nobody is asked',
    async (method) => {
      const { call } = await setUp(rounds(needs({ one: ask(), two: { method, params: {} } })));
      let shown = 0;
      const called = await call(async () => {
        shown += 1;
        return accept;
      });
      expect(called).toMatchObject({ ok: false, problem: { message: expect.stringContaining('does not do') } });
      expect(shown).toBe(0);
    },
  );

  test('W8: a call that is only asked to come again waits, and counts as a round', async () => {
    const { call, calls, clock } = await setUp(rounds(...Array.from({ length: 9 }, () => needs({}, 'later'))));
    const calling = call(async () => accept);
    await clock.advanceSettling(0);
    await clock.advanceSettling(999);
    expect(calls()).toHaveLength(1);
    for (let step = 0; step < 12; step += 1) await clock.advanceSettling(500);
    expect(await calling).toMatchObject({ ok: false, problem: { kind: 'refused' } });
    expect(calls()).toHaveLength(4);
  });
});

test('W8, X12: a call that is sent again on a new session begins no new rounds', async () => {
  const rounds = { begun: 0 };
  const questions = new SessionQuestions(() => undefined);
  let shown = 0;
  const begin = () =>
    questions.begin({
      answer: async () => {
        shown += 1;
        return accept;
      },
      rounds,
      signal: new AbortController().signal,
      clock: new FakeClock(),
      pause: () => () => undefined,
    });
  const takenBack = new AbortController().signal;
  const first = begin();
  for (let nth = 0; nth < 2; nth += 1) await first.answerRequest(FORM, takenBack);
  questions.end(first);
  const second = begin();
  const replies = [await second.answerRequest(FORM, takenBack), await second.answerRequest(FORM, takenBack)];
  expect(replies).toEqual([accept, { action: 'cancel' }]);
  expect(shown).toBe(3);
});
