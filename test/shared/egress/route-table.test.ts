import { expect, test } from 'vitest';
import { RouteKindSchema, RouteSchema, type RouteId } from '../../../src-shared/egress/egress.schema';
import { findRoute, ownsPath } from '../../../src-shared/egress/route-rule';
import { buildRouteTable, routeIdForModel, routeIdForServer, type RouteFacts } from '../../../src-shared/egress/route-table';
import { KEYCHAIN_WORDS, ROUTE_WORDS } from '../../../src-shared/egress/route-words';
import type { ModelId } from '../../../src-shared/models/model.schema';
import type { Connection, ServerId } from '../../../src-shared/servers/server.schema';

const http = (endpoint: string): Connection => ({ kind: 'http', endpoint, headers: [] });
const stdio = (command: string): Connection => ({ kind: 'stdio', command, args: [], env: [] });
const server = (id: string, connection: Connection, on = true) => ({ id: id as ServerId, name: id, connection, on });
const model = (id: string, endpoint: string, on = true) => ({ id: id as ModelId, name: id, endpoint, on });

const facts: RouteFacts = {
  models: [model('model-a', 'https://api.example.com/v1'), model('model-b', 'http://127.0.0.1:11434/v1/', false)],
  servers: [
    server('issues', http('https://mcp.example.com/mcp?team=7')),
    server('notes', http('http://localhost:3000/mcp'), false),
    server('files', stdio('/usr/bin/files')),
  ],
  signIns: [
    { serverId: 'issues' as ServerId, name: 'issues', on: true, origins: ['https://login.example.com', 'http://127.0.0.1:9000'] },
  ],
  keychainState: 'ready',
};
const byId = (id: string, from = facts) => buildRouteTable(from).find((route) => route.id === id);

test('P3: every kind of route is in the table', () => {
  const kinds = new Set(buildRouteTable(facts).map((route) => route.kind));
  expect([...kinds].sort()).toEqual([...RouteKindSchema.options].sort());
});

test('P3: routes are listed whether they are on or off', () => {
  const off: RouteFacts = {
    ...facts,
    models: facts.models.map((entry) => ({ ...entry, on: false })),
    servers: facts.servers.map((entry) => ({ ...entry, on: false })),
  };
  expect(buildRouteTable(off).map((route) => route.id)).toEqual(buildRouteTable(facts).map((route) => route.id));
});

test('P1: every row is a whole route, and no two rows share an id', () => {
  const table = buildRouteTable(facts);
  for (const route of table) expect(RouteSchema.parse(route)).toEqual(route);
  expect(new Set(table.map((route) => route.id)).size).toBe(table.length);
});

test('P3: no sentence says may, might or could', () => {
  const sentences = [
    ...Object.values(ROUTE_WORDS).flatMap(({ leaving, staying }) => [leaving, staying]),
    ...Object.values(KEYCHAIN_WORDS),
    ...buildRouteTable(facts).flatMap(({ sends, where, name }) => [sends, where, name]),
  ];
  for (const sentence of sentences) expect(sentence ?? '').not.toMatch(/\b(?:may|might|could|perhaps|possibly)\b/i);
});

test('P3: every row says what it sends, in a sentence', () => {
  for (const { sends } of buildRouteTable(facts)) expect(sends).toMatch(/^[A-Z].{20,}\.$/);
});

const leaving: [id: string, leaves: boolean, where: string, because: string][] = [
  ['model-a', true, 'api.example.com', 'a provider elsewhere'],
  ['model-b', false, '127.0.0.1:11434', 'a model on this computer'],
  ['server-issues', true, 'mcp.example.com', 'a remote server'],
  ['server-notes', false, 'localhost:3000', 'a server on this computer'],
  ['server-files', false, '/usr/bin/files', 'a program'],
];
test.each(leaving)('E3: %s leaves: %s (%s, %s)', (id, leaves, where) => {
  expect(byId(id)).toMatchObject({ leaves, where });
});

test('E7: a row of a loopback address says that another program receives it and that the rest cannot be seen', () => {
  for (const id of ['model-b', 'server-notes']) {
    expect(byId(id)?.sends).toMatch(
      /^Another program on this computer receives .* What it passes on cannot be seen from here\.$/,
    );
  }
});

test('P3: a local program is listed with the sentence that it can reach the network by itself', () => {
  expect(byId('server-files')).toMatchObject({ kind: 'local-program', origin: null });
  expect(byId('server-files')?.sends).toContain('can reach the network by itself');
});

test('P1: a server owns its endpoint, a model what lies under its base address', () => {
  expect(byId('server-issues')).toMatchObject({ origin: 'https://mcp.example.com', pathPrefix: '/mcp' });
  expect(byId('model-a')).toMatchObject({ origin: 'https://api.example.com', pathPrefix: '/v1/' });
  expect(byId('model-b')).toMatchObject({ origin: 'http://127.0.0.1:11434', pathPrefix: '/v1/' });
});

test('E2: an address that breaks a rule is listed, off, and owns nothing', () => {
  const hostile: RouteFacts = {
    ...facts,
    models: [],
    servers: [server('x', http('http://localhost.example.com/mcp?key=s3cret'))],
  };
  expect(byId('server-x', hostile)).toMatchObject({ on: false, origin: null });
  expect(JSON.stringify(byId('server-x', hostile))).not.toContain('s3cret');
});

test('T1: a test typed in a shell is a route while it runs', () => {
  expect(byId('command-line-run')).toMatchObject({ on: false, origin: null });
  const running = { ...facts, commandLineRun: { name: 'mcp.example.com', connection: http('https://mcp.example.com/mcp') } };
  expect(byId('command-line-run', running)).toMatchObject({ on: true, origin: 'https://mcp.example.com', leaves: true });
  const program = { ...facts, commandLineRun: { name: 'files', connection: stdio('files') } };
  expect(byId('command-line-run', program)).toMatchObject({ on: true, origin: null, leaves: false });
});

test('P3: links are a listed way out, open for the one host of an address that was said yes to, and nothing for HTTP', () => {
  expect(byId('browser-links')).toMatchObject({ on: false, leaves: true, where: 'Any host, after you saw it' });
  const opening = (openingLink: string): RouteFacts => ({ ...facts, openingLink });
  expect(byId('browser-links', opening('https://login.example.com'))).toMatchObject({ on: true, where: 'login.example.com' });
  expect(byId('browser-links', opening('http://127.0.0.1:9'))).toMatchObject({ on: true, leaves: false });
  const route = buildRouteTable(opening('https://login.example.com'));
  const request = { routeId: 'browser-links' as RouteId, origin: 'https://login.example.com', path: '/' };
  expect(findRoute(route, request)).toBeUndefined();
});

test('P3: the keychain row is on only while the keychain is ready', () => {
  expect(byId('keychain')?.on).toBe(true);
  expect(byId('keychain', { ...facts, keychainState: 'locked' })?.on).toBe(false);
});

const owned: [prefix: string, path: string][] = [
  ['/mcp', '/mcp'],
  ['/mcp', '/mcp?session=1'],
  ['/mcp', '/mcp/'],
  ['/mcp', '/mcp/deeper?q=../..'],
  ['/v1/', '/v1/chat/completions'],
  ['/', '/anything'],
  ['/mcp', '/mcp/a%2Fb'],
  ['/mcp', '/mcp/a..b'],
];
test.each(owned)('P1: prefix %s owns %s', (prefix, path) => {
  expect(ownsPath(prefix, path)).toBe(true);
});

const escaping: [prefix: string, path: string][] = [
  ['/mcp', '/mcpx'],
  ['/mcp', '/mc'],
  ['/mcp', '/MCP'],
  ['/mcp', '//mcp'],
  ['/mcp', '/'],
  ['/mcp', 'http://mcp.example.com/mcp'],
  ['/v1/', '/v1'],
  ['/mcp', '/mcp/../admin'],
  ['/mcp', '/mcp/..'],
  ['/mcp', '/mcp/./x'],
  ['/mcp', '/mcp/%2e%2e/admin'],
  ['/mcp', '/mcp/%2E%2e%2fadmin'],
  ['/mcp', '/mcp/..%5Cadmin'],
  ['/mcp', '/mcp\\..\\admin'],
  ['/mcp', '/mcp/..;/admin'],
  ['/mcp', '/mcp/..%3b/admin'],
  ['/mcp', '/mcp/%252e%252e/admin'],
  ['/mcp', '/mcp/%25252525252e%25252525252e/admin'],
];
test.each(escaping)('P1: prefix %s does not own %s', (prefix, path) => {
  expect(ownsPath(prefix, path)).toBe(false);
});

const issues = routeIdForServer('issues' as ServerId);
const refused: [why: string, routeId: RouteId, origin: string, path: string][] = [
  ['no such route', 'server-other' as RouteId, 'https://mcp.example.com', '/mcp'],
  ['the route of another', routeIdForModel('model-a' as ModelId), 'https://mcp.example.com', '/mcp'],
  ['a route that is off', routeIdForServer('notes' as ServerId), 'http://localhost:3000', '/mcp'],
  ['a route that speaks no HTTP', routeIdForServer('files' as ServerId), 'null', '/'],
  ['another scheme', issues, 'http://mcp.example.com', '/mcp'],
  ['another port', issues, 'https://mcp.example.com:8443', '/mcp'],
  ['another host', issues, 'https://mcp.example.com.evil.example', '/mcp'],
  ['another path', issues, 'https://mcp.example.com', '/mcpx'],
];
test.each(refused)('P1: nothing goes out by %s', (_why, routeId, origin, path) => {
  expect(findRoute(buildRouteTable(facts), { routeId, origin, path })).toBeUndefined();
});

test('P1: a request goes out by its own route', () => {
  const request = { routeId: issues, origin: 'https://mcp.example.com', path: '/mcp?team=7' };
  expect(findRoute(buildRouteTable(facts), request)?.id).toBe(issues);
});

test('E7: the yes to a private network stands in the row of that server alone, and never in one that stays here', () => {
  const servers = facts.servers.map((entry) => ({ ...entry, privateNetwork: entry.name !== 'files' }));
  const said = buildRouteTable({ ...facts, servers }).filter(({ privateNetwork }) => privateNetwork === true);
  expect(said.map(({ id }) => id)).toEqual(['server-issues']);
  expect(said[0]?.sends).toMatch(/You let this host lead inside a private network\.$/);
});

test('K2: a sign-in has a route for each origin and server, shut while its server is off, and never the server’s own', () => {
  const signIns = (on: boolean) =>
    ['a', 'b'].map((id) => ({
      serverId: id as ServerId,
      name: id,
      on,
      origins: ['https://login.example.com', 'ftp://x.example'],
    }));
  const rows = (on: boolean) =>
    buildRouteTable({ models: [], servers: [], signIns: signIns(on), keychainState: 'ready' }).filter(
      ({ kind }) => kind === 'sign-in',
    );
  expect(rows(true).map(({ on, origin }) => [on, origin])).toEqual([
    [true, 'https://login.example.com'],
    [false, null],
    [true, 'https://login.example.com'],
    [false, null],
  ]);
  expect(new Set(rows(true).map(({ id }) => id)).size).toBe(4);
  expect(rows(false).some(({ on }) => on)).toBe(false);
});

test('P1, P3: the whole table, row by row, as door and page read it', () => {
  const short = (from: RouteFacts) =>
    buildRouteTable(from).map(({ id, name, on, switchable, origin, pathPrefix, leaves, where }) =>
      [id, name, on ? 'on' : 'off', switchable ? 'switch' : 'fixed', origin, pathPrefix, leaves ? 'leaves' : 'stays', where].join(
        ' | ',
      ),
    );
  const run = (connection: Connection) =>
    short({ ...facts, models: [], servers: [], signIns: [], commandLineRun: { name: 'Try', connection } });
  expect(short(facts)).toMatchInlineSnapshot(`
    [
      "model-a | model-a | on | switch | https://api.example.com | /v1/ | leaves | api.example.com",
      "model-b | model-b | off | switch | http://127.0.0.1:11434 | /v1/ | stays | 127.0.0.1:11434",
      "server-issues | issues | on | switch | https://mcp.example.com | /mcp | leaves | mcp.example.com",
      "server-notes | notes | off | switch | http://localhost:3000 | /mcp | stays | localhost:3000",
      "sign-in-issues-4b246bc1a12459de | Sign-in to issues | on | switch | https://login.example.com | / | leaves | login.example.com",
      "sign-in-issues-67d8ea34d836dea3 | Sign-in to issues | on | switch | http://127.0.0.1:9000 | / | stays | 127.0.0.1:9000",
      "browser-links | Links you open | off | fixed |  | / | leaves | Any host, after you saw it",
      "server-files | files | on | switch |  | / | stays | /usr/bin/files",
      "command-line-run | Tests from the command line | off | fixed |  | / | leaves | The address you type",
      "keychain | Keychain | on | fixed |  | / | stays | The keychain of this computer, unlocked",
      "single-instance-socket | One app at a time | on | fixed |  | / | stays | A socket on this computer",
    ]
  `);
  expect(
    short({
      ...facts,
      models: [model('bad', 'http://far.example/')],
      servers: [server('odd', http('x'))],
      openingLink: 'https://a.example/b',
      keychainState: 'locked',
    }),
  ).toMatchInlineSnapshot(`
    [
      "bad | bad | off | switch |  | / | leaves | An address that breaks a rule",
      "server-odd | odd | off | switch |  | / | leaves | An address that breaks a rule",
      "sign-in-issues-4b246bc1a12459de | Sign-in to issues | on | switch | https://login.example.com | / | leaves | login.example.com",
      "sign-in-issues-67d8ea34d836dea3 | Sign-in to issues | on | switch | http://127.0.0.1:9000 | / | stays | 127.0.0.1:9000",
      "browser-links | Links you open | on | fixed |  | / | leaves | a.example",
      "command-line-run | Tests from the command line | off | fixed |  | / | leaves | The address you type",
      "keychain | Keychain | off | fixed |  | / | stays | The keychain of this computer, locked",
      "single-instance-socket | One app at a time | on | fixed |  | / | stays | A socket on this computer",
    ]
  `);
  expect(
    [run(http('https://a.example/x')), run(http('nowhere')), run(stdio('/bin/x'))].map((rows) =>
      rows.filter((row) => /Try/.test(row)),
    ),
  ).toMatchInlineSnapshot(`
    [
      [
        "command-line-run | Try | on | fixed | https://a.example | /x | leaves | a.example",
      ],
      [
        "command-line-run | Try | off | fixed |  | / | leaves | An address that breaks a rule",
      ],
      [
        "command-line-run | Try | on | fixed |  | / | stays | /bin/x",
      ],
    ]
  `);
  expect(buildRouteTable({ models: [], servers: [], keychainState: 'ready' }).filter(({ kind }) => kind === 'sign-in')).toEqual(
    [],
  );
});

test('P1: slashes at the end of a path are one, however many', () => {
  expect(buildRouteTable({ ...facts, models: [model('m', 'https://a.example/v1///')] })[0]?.pathPrefix).toBe('/v1/');
});
