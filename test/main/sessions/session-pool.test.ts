import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { failed, ok } from '../../../src-shared/base/result';
import { RouteIdSchema } from '../../../src-shared/egress/egress.schema';
import { DEFAULT_LIMITS, ServerIdSchema, type ServerConfig } from '../../../src-shared/servers/server.schema';
import { EraMemory } from '../../../src-main/sessions/era-memory';
import type { FrozenLaunch } from '../../../src-main/sessions/launch-plan';
import { IDLE_MS, SessionPool } from '../../../src-main/sessions/session-pool';
import type { ServerWish } from '../../../src-main/sessions/session-pool-entry';
import type { SessionProblem } from '../../../src-main/sessions/session-problem';
import { FakeClock } from '../../support/fake-clock';
import { plainAnswer, ScriptedDoor, type Asked, type ScriptedAnswer } from '../../support/scripted-server-door';

const id = ServerIdSchema.parse('one');
const launch: FrozenLaunch = {
  fingerprint: 'f1',
  plan: { kind: 'http', host: 'notes.example', address: [], headers: [], flags: [] },
  start: { kind: 'http', address: { url: 'https://notes.example/mcp', headers: [] } },
};

function setUp(
  script: (asked: Asked, count: number) => ScriptedAnswer | Promise<ScriptedAnswer> = (asked) => plainAnswer(asked),
  launched: FrozenLaunch = launch,
) {
  const clock = new FakeClock();
  const door = new ScriptedDoor(script);
  const eras = new EraMemory();
  const configs = new Map<string, ServerConfig>([
    [
      id,
      {
        id,
        name: 'Notes',
        namespace: 'notes',
        connection: { kind: 'http', endpoint: 'https://notes.example/mcp', headers: [] },
        enabled: true,
        source: { kind: 'you' },
        addedAt: 0,
        limits: { ...DEFAULT_LIMITS },
      },
    ],
  ]);
  let refusal: SessionProblem | null = null;
  const admitted: string[] = [];
  const pool = new SessionPool({
    clock,
    door,
    eras,
    gate: {
      admit: async (asked) => {
        admitted.push(asked);
        return refusal ? failed(refusal) : ok({ config: configs.get(asked)!, launch: launched });
      },
    },
    configOf: (asked) => configs.get(asked) ?? null,
    routeIdOf: () => RouteIdSchema.parse('server-one'),
    mask: (text) => text.replaceAll('hunter2', '[secret]'),
  });
  pool.reconcile(new Map([[id, 'on']]));
  onTestFinished(() => pool.stopAll());
  const want = (wish: ServerWish): void => pool.reconcile(new Map([[id, wish]]));
  const refuse = (problem: SessionProblem | null): void => void (refusal = problem);
  const handshakes = (): number => door.asked.filter(({ message }) => message?.method === 'initialize').length;
  return { clock, door, eras, configs, pool, admitted, want, refuse, handshakes };
}

describe('why it is down', () => {
  test('S5: a row never shows a secret that a server put into its failure', async () => {
    const { pool, refuse } = setUp();
    refuse({ kind: 'unreachable', message: 'Notes said hunter2.' });
    await pool.use(id);
    expect(pool.statusOf(id)).toMatchObject({ kind: 'failed', problem: { message: 'Notes said [secret].' } });
  });
});

describe('first need', () => {
  test('R2: wanting a server contacts nobody; the first use does', async () => {
    const { pool, door } = setUp();
    expect(pool.statusOf(id)).toEqual({ kind: 'idle' });
    expect(door.asked).toEqual([]);
    expect((await pool.use(id)).ok).toBe(true);
    expect(pool.statusOf(id)).toMatchObject({ kind: 'connected', pid: null });
  });

  test('R2: those who ask at the same time share one session', async () => {
    const { pool, handshakes } = setUp();
    const [one, two] = await Promise.all([pool.use(id), pool.use(id)]);
    const three = await pool.use(id);
    expect(one.ok && two.ok && three.ok && one.value === two.value && two.value === three.value).toBe(true);
    expect(handshakes()).toBe(1);
  });

  test('W3: giving up a wait ends that wait alone', async () => {
    const { pool } = setUp();
    const stop = new AbortController();
    const given = pool.use(id, stop.signal);
    const kept = pool.use(id);
    stop.abort();
    expect(await given).toMatchObject({ ok: false, problem: { kind: 'cancelled' } });
    expect((await kept).ok).toBe(true);
  });

  test('W1: the era is remembered by what was launched', async () => {
    const { pool, eras, door } = setUp();
    await pool.use(id);
    expect(eras.of('f1')).toBe('legacy');
    await pool.stop(id);
    const before = door.asked.length;
    await pool.use(id);
    expect(door.asked[before]!.message!.method).toBe('initialize');
  });
});

describe('how it is spoken to', () => {
  /** Takes no posts at its address, and says on its stream where they go and what it answers. */
  function older() {
    const stream: { body: (string | Promise<unknown>)[]; go: () => void } = { body: [], go: () => undefined };
    const wait = (): void => void stream.body.push(new Promise<void>((resolve) => (stream.go = resolve)));
    const say = (text: string): void => {
      stream.body.push(text);
      const { go } = stream;
      wait();
      go();
    };
    const script = (asked: Asked): ScriptedAnswer => {
      if (asked.method === 'GET') {
        stream.body = ['event: endpoint\ndata: /m\n\n'];
        wait();
        return { headers: { 'content-type': 'text/event-stream' }, body: stream.body };
      }
      if (!asked.url.endsWith('/m')) return { status: 405 };
      const answer = plainAnswer(asked).body?.[0];
      if (typeof answer === 'string') setImmediate(() => say(`data: ${answer}\n\n`));
      return { status: 202 };
    };
    return { script, end: () => stream.go() };
  }

  test('W1: HTTP+SSE is found out once and remembered', async () => {
    const { pool, eras, door } = setUp(older().script);
    expect((await pool.use(id)).ok).toBe(true);
    expect(eras.of('f1')).toBe('legacy-sse');
    await pool.stop(id);
    const before = door.asked.length;
    expect((await pool.use(id)).ok).toBe(true);
    expect(door.asked[before]).toMatchObject({ method: 'GET' });
  });

  test('W6, X24: a stream that ends makes the server down, and it is opened again only after the back-off', async () => {
    const server = older();
    const { pool, door, clock } = setUp(server.script);
    expect((await pool.use(id)).ok).toBe(true);
    server.end();
    await expect.poll(() => pool.statusOf(id).kind).toBe('failed');
    const before = door.asked.length;
    expect(await pool.use(id)).toMatchObject({ ok: false, problem: { kind: 'lost' } });
    expect(door.asked).toHaveLength(before);
    await clock.advanceSettling(1000);
    expect((await pool.use(id)).ok).toBe(true);
  });

  test('W1: another choice ends the session that was made the old way', async () => {
    const { pool, configs, want } = setUp();
    await pool.use(id);
    configs.set(id, { ...configs.get(id)!, wire: { protocol: 'streamable-http', era: 'auto' } });
    want('on');
    await expect.poll(() => pool.statusOf(id)).toEqual({ kind: 'idle' });
  });
});

describe('what must not run', () => {
  test.each(['off', 'looking', 'on'] as const)('R4: a server that is %s is contacted only if it is not off', async (wish) => {
    const { pool, door, want } = setUp();
    want(wish);
    expect((await pool.use(id)).ok).toBe(wish !== 'off');
    expect(door.asked.length > 0).toBe(wish !== 'off');
  });

  test('T1, T2: nothing is contacted unless the gate lets it through, each time anew', async () => {
    const { pool, door, refuse, admitted } = setUp();
    refuse({ kind: 'refused', message: 'Notes has not been approved. Review it in Settings, MCP servers.' });
    expect(await pool.use(id)).toMatchObject({ ok: false, problem: { kind: 'refused' } });
    expect(door.asked).toEqual([]);
    refuse(null);
    expect((await pool.use(id)).ok).toBe(true);
    await pool.stop(id);
    await pool.use(id);
    expect(admitted).toHaveLength(3);
  });

  test('S1: turning a server off ends its session and settles its calls', async () => {
    const { pool, want } = setUp((asked) =>
      asked.message?.method === 'tools/call' ? new Promise<never>(() => undefined) : plainAnswer(asked),
    );
    const session = await pool.use(id);
    if (!session.ok) throw new Error(session.problem.message);
    const calling = session.value.callTool({ definition: { rawName: 'echo', inputSchema: {}, claims: {} }, frozenText: '{}' });
    setImmediate(() => want('off'));
    expect(await calling).toMatchObject({ ok: false, problem: { kind: 'cancelled' } });
    expect(session.value.open).toBe(false);
    await expect.poll(() => pool.statusOf(id).kind).toBe('idle');
  });

  test('S3: an edit of what would run ends the session; a new name does not', async () => {
    const { pool, configs, want } = setUp();
    const session = await pool.use(id);
    const config = configs.get(id)!;
    configs.set(id, { ...config, name: 'Renamed' });
    want('on');
    expect(session.ok && session.value.open).toBe(true);
    configs.set(id, { ...config, connection: { kind: 'http', endpoint: 'https://other.example/mcp', headers: [] } });
    want('on');
    expect(session.ok && session.value.open).toBe(false);
  });

  test('R2: turning off while it starts leaves nothing behind', async () => {
    const { pool, want } = setUp((asked) =>
      asked.message?.method === 'initialize' ? new Promise<never>(() => undefined) : plainAnswer(asked),
    );
    const using = pool.use(id);
    await expect.poll(() => pool.statusOf(id).kind).toBe('starting');
    want('off');
    expect(await using).toMatchObject({ ok: false, problem: { kind: 'cancelled' } });
    expect(pool.statusOf(id)).toEqual({ kind: 'idle' });
  });

  test('W5: after the end of all nothing starts again', async () => {
    const { pool } = setUp();
    await pool.use(id);
    await pool.stopAll();
    expect(await pool.use(id)).toMatchObject({ ok: false, problem: { kind: 'refused' } });
  });

  test('S11: a removed server leaves no status and no log', async () => {
    const { pool } = setUp();
    await pool.use(id);
    pool.reconcile(new Map());
    await expect.poll(() => pool.statusOf(id).kind).toBe('idle');
    expect(pool.logOf(id)).toEqual([]);
  });
});

describe('idleness', () => {
  test('R2: a session nobody speaks to is ended after 15 minutes, and use makes a new one', async () => {
    const { pool, clock } = setUp();
    const session = await pool.use(id);
    if (!session.ok) throw new Error(session.problem.message);
    await clock.advanceSettling(IDLE_MS - 1000);
    await session.value.listTools();
    await clock.advanceSettling(IDLE_MS - 1000);
    expect(session.value.open).toBe(true);
    await clock.advanceSettling(1000);
    expect(session.value.open).toBe(false);
    await expect.poll(() => pool.statusOf(id).kind).toBe('idle');
    expect((await pool.use(id)).ok).toBe(true);
  });
});

describe('failure', () => {
  const broken = (asked: Asked): ScriptedAnswer => (asked.method === 'POST' ? { status: 503, body: ['busy'] } : { status: 405 });

  test('W6: a failed server is not asked again before its back-off, which doubles to a minute', async () => {
    const { pool, clock, admitted } = setUp(broken);
    const waits: number[] = [];
    for (let count = 0; count < 9; count += 1) {
      expect((await pool.use(id)).ok).toBe(false);
      const status = pool.statusOf(id);
      if (status.kind !== 'failed') throw new Error(status.kind);
      const wait = status.retryAt - clock.now();
      waits.push(wait / 1000);
      const before = admitted.length;
      clock.advance(wait - 1);
      expect(await pool.use(id)).toEqual(failed(status.problem));
      expect(admitted).toHaveLength(before);
      clock.advance(1);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  test('W6: a program that dies while its session opens was never connected', async () => {
    const script = join(import.meta.dirname, '../../fixtures/peers/dies-with-its-answer.mjs');
    const env = { PATH: process.env.PATH ?? '' };
    const program = { realPath: process.execPath, args: [script, '3'], cwd: '/', env };
    const { pool } = setUp(undefined, { ...launch, start: { kind: 'stdio', program } });
    const seen: string[] = [];
    pool.onChange(() => seen.push(pool.statusOf(id).kind));
    const problem = { kind: 'exited', message: 'Notes exited with code 3 before it was ready.', said: 'API_KEY is not set' };
    expect(await pool.use(id)).toEqual(failed(problem));
    expect(seen).toEqual(['starting', 'failed']);
    expect(pool.statusOf(id)).toMatchObject({ kind: 'failed', problem });
  });

  test('W6: the user’s own retry does not wait', async () => {
    let down = true;
    const { pool } = setUp((asked) => (down ? broken(asked) : plainAnswer(asked)));
    expect(await pool.use(id)).toMatchObject({ ok: false, problem: { kind: 'server-error', said: 'busy' } });
    down = false;
    expect((await pool.use(id)).ok).toBe(false);
    expect((await pool.retry(id)).ok).toBe(true);
  });

  test('tells every change of a status', async () => {
    const { pool } = setUp();
    const seen: string[] = [];
    const leave = pool.onChange(() => seen.push(pool.statusOf(id).kind));
    await pool.use(id);
    await pool.stop(id);
    leave();
    await pool.use(id);
    expect(seen).toEqual(['starting', 'connected', 'idle']);
  });
});
