import { expect } from 'vitest';
import { hostile } from '../support/hostile-host';
import { eachMode, oneCase, type HostileCase } from './hostile-case';

const KEY: [string, string][] = [['authorization', 'Bearer secret-key']];
const rest = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Lists the one tool and calls it. */
async function works(server: Awaited<ReturnType<typeof hostile>>): Promise<void> {
  expect(await server.names()).toEqual(['echo']);
  expect(await server.callText('echo', { text: 'ж' })).toBe('{"text":"ж"}');
}

/** Kind b: servers over HTTP. */
export const httpCases: HostileCase[] = [
  oneCase('B15', 'W1', 'an event spread over many lines is one message', async () => works(await hostile('B15'))),

  oneCase('B16', 'W1', 'keep-alives of every sort are passed over, and do not fill the log', async () => {
    const server = await hostile('B16');
    await works(server);
    expect(server.log().length).toBeLessThanOrEqual(2);
  }),

  oneCase(
    'B18',
    'W1',
    'an answer is fetched behind its event id after the wait asked for, and nothing is sent twice',
    async () => {
      const server = await hostile('B18');
      expect(await server.names()).toEqual(['echo']);
      const { ms, outcome } = await server.call('echo', { text: 'ж' });
      expect(outcome.forPerson).toBe('{"text":"ж"}');
      expect(ms).toBeGreaterThanOrEqual(100);
      const seen = await server.stats();
      expect(seen.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(1);
      const asked = seen.filter(({ method, lastEventId }) => method === 'GET' && lastEventId !== null);
      expect(asked.map(({ lastEventId }) => lastEventId)).toEqual([expect.stringMatching(/^ev\d+$/)]);
    },
  ),

  ...eachMode(
    'B19',
    ['end', 'reset', 'unterminated'],
    'W6',
    'a stream that ends without an answer ends its call at once, unrepeated',
    async (mode) => {
      const server = await hostile('B19', { mode });
      await server.session();
      const { ms, problem, outcome } = await server.call('echo');
      expect(ms).toBeLessThan(1000);
      expect(problem).toMatchObject({ kind: 'lost' });
      expect(outcome.forModel).toContain('Notes ended its connection before a response came.');
      expect(await server.count('tools/call')).toBe(1);
    },
  ),

  ...eachMode(
    'B21',
    ['200text', '200json', '404', '400', '406', '501'],
    'W1',
    'what is no stream is no stream, and is not asked for again and again',
    async (mode) => {
      const server = await hostile('B21', { mode });
      await works(server);
      await rest(10_000);
      await works(server);
      const asked = (await server.stats()).filter(({ method }) => method === 'GET');
      expect(asked.length).toBeLessThanOrEqual(4);
    },
  ),

  oneCase('B22', 'W6', 'a forgotten session is opened anew once for all who wait, and each call is sent once more', async () => {
    const server = await hostile('B22');
    await works(server);
    const both = await Promise.all([server.call('echo', { n: 1 }), server.call('echo', { n: 2 })]);
    expect(both.map(({ outcome }) => outcome.forPerson)).toEqual(['{"n":1}', '{"n":2}']);
    const seen = await server.stats();
    const opened = seen.filter(({ rpc }) => rpc === 'initialize');
    expect(opened.map(({ session }) => session)).toEqual([null, null]);
    expect(seen.filter(({ rpc }) => rpc === 'notifications/initialized')).toHaveLength(2);
    await expect.poll(() => server.changes).toBe(1);
  }),

  ...eachMode('B22', ['loop'], 'W6', 'a server that forgets every session is told of after one retry', async (mode) => {
    const server = await hostile('B22', { mode });
    const { problem } = await server.call('echo');
    expect(problem?.message).toMatch(/^Notes forgets its sessions as soon as they are opened/);
    expect(await server.count('initialize')).toBeLessThanOrEqual(3);
    expect(await server.count('tools/call')).toBeLessThanOrEqual(2);
  }),

  ...eachMode('B24', ['307', '301'], 'E5', 'a redirect on the same origin keeps method, body and headers', async (mode) => {
    const server = await hostile('B24', { mode, headers: KEY });
    await works(server);
    const followed = (await server.stats()).filter(({ path }) => path === '/mcp/');
    expect(followed.filter(({ method }) => method === 'POST').every(({ authorization }) => authorization === KEY[0]![1])).toBe(
      true,
    );
    expect(followed.some(({ rpc }) => rpc === 'tools/call')).toBe(true);
  }),

  ...eachMode('B24', ['cross'], 'E5', 'a redirect to elsewhere is not followed, with or without its key', async (mode) => {
    const server = await hostile('B24', { mode, headers: KEY });
    expect(await server.refusal()).toMatchObject({ kind: 'refused', message: expect.stringContaining('not followed') });
    const other = server.lines.find((line) => line.startsWith('OTHER '))!.slice(6);
    expect(await (await fetch(new URL('/stats', other))).json()).toEqual([]);
  }),

  ...eachMode('B24', ['loop'], 'E5', 'redirects in a circle end after a few', async (mode) => {
    const server = await hostile('B24', { mode });
    expect(await server.refusal()).toMatchObject({ kind: 'refused', message: expect.stringContaining('redirects') });
    expect((await server.stats()).length).toBeLessThanOrEqual(24);
  }),

  oneCase('B25', 'W2', 'a packed answer is cut while it is unpacked, and the connection stays usable', async () => {
    const server = await hostile('B25');
    await server.session();
    const before = process.memoryUsage().rss;
    let most = before;
    const watching = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5);
    const { problem, outcome } = await server.call('echo').finally(() => clearInterval(watching));
    expect(problem).toMatchObject({ kind: 'too-large' });
    expect(outcome.forModel).toContain('larger than its limit of 2 MiB');
    expect(most - before).toBeLessThan(36 * 1024 * 1024);
    expect(await server.names()).toEqual(['echo']);
  }),

  ...eachMode(
    'B26',
    ['upper', 'charset', 'sseupper', 'jsonplain', 'missing', 'dup'],
    'W1',
    'an answer is read whatever its type is called',
    async (mode) => works(await hostile('B26', { mode })),
  ),

  ...eachMode(
    'B26',
    ['plain', 'html'],
    'W6',
    'what is no answer is told at once with status, type and first words',
    async (mode) => {
      const server = await hostile('B26', { mode });
      const startedAt = performance.now();
      const problem = await server.refusal();
      expect(performance.now() - startedAt).toBeLessThan(1000);
      expect(problem).toMatchObject({
        kind: 'server-error',
        message: `Notes answered with status 200 and text/${mode}, which is no MCP reply.`,
      });
      expect(problem.said).toContain(mode === 'plain' ? 'this is not json' : 'Sign in');
      const { outcome } = await server.call('echo');
      expect(outcome.forModel).toContain(mode === 'plain' ? 'this is not json' : 'Sign in');
    },
  ),

  ...eachMode(
    'B28',
    ['cross', 'scheme'],
    'E5',
    'an older server that names another place is refused at once, and nothing is posted there',
    async (mode) => {
      const server = await hostile('B28', { mode });
      const startedAt = performance.now();
      const { kind, message } = await server.refusal();
      expect(performance.now() - startedAt).toBeLessThan(1000);
      expect(kind).toBe('refused');
      const there = mode === 'cross' ? '0.0.0.0:9' : 'an address that is no web address';
      expect(message).toContain(`${server.at} and wants its messages sent to ${there}`);
      expect(message).not.toContain('alert');
      expect(new Set(server.hosts())).toEqual(new Set([server.at]));
    },
  ),

  ...eachMode('B28', ['abs'], 'W1', 'an older server that names its own origin in full works', async (mode) =>
    works(await hostile('B28', { mode })),
  ),

  ...eachMode('B28', ['none'], 'W3', 'an older server that never names its address is given up', async (mode) => {
    const server = await hostile('B28', { mode, limits: { discoveryTimeoutMs: 1500 } });
    const startedAt = performance.now();
    expect(await server.refusal()).toMatchObject({ kind: 'timed-out' });
    expect(performance.now() - startedAt).toBeLessThan(4000);
  }),

  ...eachMode(
    'B29',
    ['405', '404', '400'],
    'W1',
    'an older server behind a path works without a word from the user',
    async (mode) => {
      const server = await hostile('B29', { mode });
      await works(server);
      const posted = (await server.stats()).filter(({ rpc, path }) => rpc !== null && path.startsWith('/api/messages'));
      expect(posted.every(({ path }) => /^\/api\/messages\?sessionId=x\d+$/.test(path))).toBe(true);
      expect(posted.map(({ rpc }) => rpc)).toContain('tools/call');
    },
  ),

  ...eachMode(
    'B31',
    ['', 'modern'],
    'W1',
    'a server that refuses a version and names its own is asked again in one of them',
    async (mode) => {
      const server = await hostile('B31', { mode });
      await works(server);
      expect((await server.session()).protocolVersion).toBe('2025-06-18');
      const seen = await server.stats();
      const first = seen.filter(({ rpc }) => rpc === 'initialize');
      expect(first.at(-1)?.body).toContain('"protocolVersion":"2025-06-18"');
      expect(first.every(({ protocol }) => protocol === null)).toBe(true);
      const later = seen.filter(({ rpc }) => rpc === 'tools/list' || rpc === 'tools/call');
      expect(new Set(later.map(({ protocol }) => protocol))).toEqual(new Set(['2025-06-18']));
    },
  ),
];
