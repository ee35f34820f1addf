import { describe, expect, test } from 'vitest';
import {
  everySwitchSentence,
  groupRoutes,
  isCounted,
  openAndClosed,
  programsSentence,
} from '../../../src-renderer/privacy/route-groups';
import { RouteKindSchema, type Route } from '../../../src-shared/egress/egress.schema';
import { buildRouteTable } from '../../../src-shared/egress/route-table';

const route = (id: string, change: Partial<Route> = {}): Route => ({
  id: id as Route['id'],
  kind: 'model',
  name: id,
  origin: `https://${id}.example`,
  pathPrefix: '/',
  on: false,
  leaves: true,
  where: `${id}.example`,
  sends: 'Words.',
  switchable: true,
  ...change,
});
const always = route('always', { on: true, switchable: false });
const typed = route('typed', { name: 'Tests from the command line', switchable: false });
const program = (id: string, on: boolean) => route(id, { kind: 'local-program', leaves: false, origin: null, on });

const groups: [what: string, group: keyof ReturnType<typeof groupRoutes>, route: Route][] = [
  ['leaves, is on and has a switch', 'leaving', route('a', { on: true })],
  ['leaves, is off and has a switch', 'leaving', route('a')],
  ['leaves, is off and has no switch', 'leaving', typed],
  ['stays', 'staying', route('a', { leaves: false, on: true })],
  ['stays and has no switch', 'staying', route('keychain', { kind: 'keychain', leaves: false, on: true, switchable: false })],
  ['leaves, is on and has no switch', 'cannotBeTurnedOff', always],
];
test.each(groups)('P1: a route that %s is listed under %s alone', (_what, group, one) => {
  expect(groupRoutes([one])).toEqual({ leaving: [], staying: [], cannotBeTurnedOff: [], [group]: [one] });
});

test('P3: every kind of route the app has is listed in exactly one group', () => {
  const table = buildRouteTable({
    models: [{ id: 'model-1' as never, name: 'Ollama', endpoint: 'http://127.0.0.1:11434/v1', on: true }],
    servers: [
      {
        id: 'files' as never,
        name: 'files',
        connection: { kind: 'stdio', command: 'npx', args: [], env: [] } as never,
        on: true,
      },
      {
        id: 'issues' as never,
        name: 'issues',
        connection: { kind: 'http', endpoint: 'https://tracker.example.com/mcp', headers: [] },
        on: false,
      },
    ],
    signIns: [{ serverId: 'issues' as never, name: 'issues', on: true, origins: ['https://login.example.com'] }],
    keychainState: 'ready',
  });
  expect(new Set(table.map(({ kind }) => kind))).toEqual(new Set(RouteKindSchema.options));
  const { leaving, staying, cannotBeTurnedOff } = groupRoutes(table);
  expect([...leaving, ...staying, ...cannotBeTurnedOff].map(({ id }) => id).sort()).toEqual(table.map(({ id }) => id).sort());
  expect(cannotBeTurnedOff).toEqual([]);
});

test('counts what is open and what is closed', () => {
  expect(openAndClosed([route('a', { on: true }), route('b'), route('c')])).toBe('1 open, 2 closed');
});

describe('what stands under "Cannot be turned off"', () => {
  test('P1: claims a switch for every way out only when the table has one', () => {
    expect(everySwitchSentence([route('a', { on: true }), program('files', true)])).toBe(
      'None. Every way out of this app has a switch on this page.',
    );
  });

  test('P1: names the ways out that have no switch and are off', () => {
    expect(everySwitchSentence([route('a'), typed])).toBe(
      'None. Every way out of this app has a switch on this page, except one that is off: Tests from the command line.',
    );
    expect(everySwitchSentence([typed, { ...typed, name: 'Other' }])).toContain(
      'except 2 that are off: Tests from the command line, Other.',
    );
  });
});

const programs: [on: number, sentence: string | null][] = [
  [0, null],
  [1, '1 program can use the network itself.'],
  [2, '2 programs can use the network themselves.'],
];
test.each(programs)('P3: with %i programs on, says %s', (on, sentence) => {
  const routes = [
    route('a', { on: true }),
    program('off', false),
    ...Array.from({ length: on }, (_, n) => program(`p${n}`, true)),
  ];
  expect(programsSentence(routes)).toBe(sentence);
});

test('P4: says "never" only of routes whose use is written in this ledger', () => {
  const counted = RouteKindSchema.options.filter((kind) => isCounted(route('a', { kind })));
  expect(counted).toEqual(['model', 'mcp-server', 'sign-in', 'browser-link', 'local-program']);
});
