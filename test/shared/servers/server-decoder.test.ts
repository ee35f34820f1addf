import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkConnection, decodeServer, secretRefsOf } from '../../../src-shared/servers/server-decoder';
import { type Connection, DEFAULT_LIMITS } from '../../../src-shared/servers/server.schema';

const entry = {
  id: 'id-1',
  name: 'Files',
  namespace: 'files',
  connection: { kind: 'stdio', command: 'node', args: [{ kind: 'literal', value: 'server.js' }], env: [] },
  enabled: true,
  source: { kind: 'you' },
  addedAt: 5,
  limits: { ...DEFAULT_LIMITS },
};
const http = (endpoint: string, headers: unknown[] = []) => ({ ...entry, connection: { kind: 'http', endpoint, headers } });
const env = (name: string, value: unknown) => ({ ...entry, connection: { ...entry.connection, env: [{ name, value }] } });

test('S2: reads a whole entry as it stands', () => {
  expect(decodeServer(entry)).toEqual({ ok: true, value: entry });
});

const notOn: [enabled: unknown, because: string][] = [
  [false, 'false'],
  [undefined, 'missing'],
  [null, 'null'],
  ['true', 'a text'],
  [1, 'a number'],
  [{}, 'an object'],
  [[true], 'a list'],
];
test.each(notOn)('S1: enabled %j is off (%s)', (enabled) => {
  expect(decodeServer({ ...entry, enabled })).toMatchObject({ ok: true, value: { enabled: false } });
});

test('S1: an entry without the field is off', () => {
  const { enabled: _, ...rest } = entry;
  expect(decodeServer(rest)).toMatchObject({ ok: true, value: { enabled: false } });
});

const refused: [raw: unknown, reason: RegExp, because: string][] = [
  [null, /not a server/, 'null'],
  ['files', /not a server/, 'a text'],
  [[entry], /not a server/, 'a list'],
  [{}, /no id/, 'empty'],
  [{ ...entry, id: 'Has Capitals' }, /no id/, 'an id of another shape'],
  [{ ...entry, id: 7 }, /no id/, 'a number for an id'],
  [{ ...entry, name: '  ' }, /no name/, 'a blank name'],
  [{ ...entry, name: 'n'.repeat(301) }, /no name/, 'a name beyond the limit'],
  [{ ...entry, connection: undefined }, /“connection”/, 'no connection'],
  [{ ...entry, connection: { kind: 'ssh' } }, /“connection”/, 'an unknown kind'],
  [{ ...entry, connection: { ...entry.connection, args: ['server.js'] } }, /“args”/, 'a bare text for an argument'],
  [http('http://mcp.example.com'), /https/, 'E1: plain http to a remote host'],
  [http('http://127.1/'), /https/, 'E1: a disguised loopback address'],
  [http('https://u:p@mcp.example.com'), /user name and password/, 'E1: a password in the address'],
  [
    http('https://mcp.example.com', [{ name: 'X', value: { kind: 'literal', value: 'a\r\nEvil: b' } }]),
    /line end/,
    'S6: a line end in a header',
  ],
  [
    http('https://mcp.example.com', [{ name: 'X Y', value: { kind: 'literal', value: 'a' } }]),
    /“headers”/,
    'a header name with a blank',
  ],
  [
    env('NODE_OPTIONS', { kind: 'secret', ref: 'secret-1' }),
    /NODE_OPTIONS changes what runs/,
    'T1: a hidden value that changes what runs',
  ],
  [env('https_proxy', { kind: 'secret', ref: 'secret-1' }), /https_proxy changes what runs/, 'T1: the same in small letters'],
  [env('A', { kind: 'literal', value: 'a\0b' }), /NUL/, 'a NUL in a value'],
  [{ ...entry, connection: { ...entry.connection, command: ' ' } }, /Enter the command/, 'a blank command'],
];
test.each(refused)('S2: refuses %j, saying %s (%s)', (raw, reason) => {
  const decoded = decodeServer(raw);
  expect(decoded.ok).toBe(false);
  if (!decoded.ok) expect(decoded.problem.reason).toMatch(reason);
});

test('S2: a header that stands twice is refused whatever its case, a variable when it is the very same', () => {
  const variables = (...names: string[]) => ({
    ...entry,
    connection: { ...entry.connection, env: names.map((name) => ({ name, value: { kind: 'literal', value: '1' } })) },
  });
  expect(decodeServer(variables('A', 'A')).ok).toBe(false);
  expect(decodeServer(variables('http_proxy', 'HTTP_PROXY')).ok).toBe(true);
  const values = ['A', 'a'].map((name) => ({ name, value: { kind: 'literal', value: '1' } }));
  expect(decodeServer(http('https://mcp.example.com', values))).toMatchObject({
    ok: false,
    problem: { reason: 'Keep one “a”: the same name stands there twice.' },
  });
});

test('S2: a refusal keeps the id where it is legal, and a name to show', () => {
  expect(decodeServer(http('http://x.example'))).toMatchObject({ ok: false, problem: { id: 'id-1', name: 'Files' } });
  expect(decodeServer({ id: '../x', name: 9 })).toMatchObject({
    ok: false,
    problem: { id: null, name: 'An entry without a name' },
  });
});

const unnamed = [undefined, null, '', 'Has Capitals', 'a__b', '1a', 7];
test.each(unnamed)('N1: an entry with the short name %j has none, and is off', (namespace) => {
  expect(decodeServer({ ...entry, namespace })).toMatchObject({ ok: true, value: { namespace: null, enabled: false } });
});

test('S2: the address of an entry is the one that is dialled', () => {
  expect(decodeServer(http('https://bücher.example/x'))).toMatchObject({
    ok: true,
    value: { connection: { endpoint: 'https://xn--bcher-kva.example/x' } },
  });
});

test('S2 S4: one bad field with a default costs that field, not the entry', () => {
  const decoded = decodeServer({
    ...entry,
    limits: { maxTools: -1, callTimeoutMs: 5000 },
    source: { kind: 'elsewhere' },
    addedAt: 'x',
  });
  expect(decoded).toMatchObject({
    ok: true,
    value: { limits: { ...DEFAULT_LIMITS, callTimeoutMs: 5000 }, source: { kind: 'you' }, addedAt: 0 },
  });
});

describe('any JSON', () => {
  test('S2: gives a server or a refusal, never a throw, and nothing but true is on', () => {
    const near = fc.record(
      {
        id: fc.constant('id-1'),
        name: fc.string(),
        namespace: fc.oneof(fc.constant('files'), fc.jsonValue()),
        connection: fc.oneof(fc.constant(entry.connection), fc.jsonValue()),
        enabled: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), near), (raw) => {
        const decoded = decodeServer(raw);
        if (decoded.ok && decoded.value.enabled) expect((raw as { enabled: unknown }).enabled).toBe(true);
        if (!decoded.ok) expect(decoded.problem.reason).toMatch(/\.$/);
      }),
    );
  });
});

test('S2: a draft meets the same rules', () => {
  const hidden = {
    kind: 'stdio' as const,
    command: 'x',
    args: [],
    env: [{ name: 'LD_PRELOAD', value: { kind: 'new-secret' as const, value: 'x' } }],
  };
  expect(checkConnection(hidden)).toEqual({
    ok: false,
    problem: 'LD_PRELOAD changes what runs, so its value cannot be saved as a secret. Enter it as plain text.',
  });
  const split = {
    kind: 'http' as const,
    endpoint: 'https://a.example',
    headers: [{ name: 'X', value: { kind: 'new-secret' as const, value: 'a\nb' } }],
  };
  expect(checkConnection(split).ok).toBe(false);
});

test('S5: the secrets of an entry are found in arguments, variables and headers', () => {
  const secret = (ref: string) => ({ kind: 'secret' as const, ref });
  const stdio = {
    kind: 'stdio',
    command: 'x',
    args: [secret('secret-a'), secret('secret-a')],
    env: [{ name: 'T', value: secret('secret-b') }],
  } as unknown as Connection;
  expect(secretRefsOf(stdio)).toEqual(['secret-a', 'secret-b']);
  expect(
    secretRefsOf({ kind: 'http', endpoint: '', headers: [{ name: 'T', value: secret('secret-c') }] } as unknown as Connection),
  ).toEqual(['secret-c']);
});

describe('S6: entries with variables', () => {
  const input = { key: 'key', value: { kind: 'literal' as const, value: 'x' } };
  const http = (endpoint: string, inputs?: (typeof input)[]) =>
    checkConnection({ kind: 'http', endpoint, headers: [], ...(inputs && { inputs }) } as Connection);

  test('S6, S2: what an entry asks for has to stand in it, once', () => {
    expect(http('https://a.example/?k=${input:key}', [input]).ok).toBe(true);
    expect(http('https://a.example/?k=${input:key}')).toMatchObject({
      problem: 'Enter the value of “key”, which this entry asks for.',
    });
    expect(http('https://a.example/', [input, input])).toMatchObject({ problem: expect.stringMatching(/^Keep one “key”/) });
  });

  test('S6, S11: a secret that was asked for is one of the secrets of its entry', () => {
    const secret = { key: 'key', value: { kind: 'secret' as const, ref: 'secret-k' } };
    expect(secretRefsOf({ kind: 'http', endpoint: '', headers: [], inputs: [secret] } as unknown as Connection)).toEqual([
      'secret-k',
    ]);
  });

  test('T1, S6: a variable that changes what runs can be passed on, for the review shows it', () => {
    const env = [{ name: 'NODE_OPTIONS', value: { kind: 'inherit' as const } }];
    expect(checkConnection({ kind: 'stdio', command: 'x', args: [], env } as Connection).ok).toBe(true);
  });
});
