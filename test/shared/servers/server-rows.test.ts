import { expect, test } from 'vitest';
import { isServerOn, type ServerFacts, toServerRow } from '../../../src-shared/servers/server-rows';
import {
  DEFAULT_LIMITS,
  type ServerConfig,
  type ServerId,
  ServerRowSchema,
  type ServerStatus,
} from '../../../src-shared/servers/server.schema';

const config: ServerConfig = {
  id: 'id-1' as ServerId,
  name: 'Files',
  namespace: 'files',
  connection: { kind: 'stdio', command: 'node', args: [], env: [] },
  enabled: true,
  source: { kind: 'you' },
  addedAt: 5,
  limits: { ...DEFAULT_LIMITS },
};
const facts: ServerFacts = {
  stored: { kind: 'ok', config },
  takenNamespaces: ['files'],
  switchedOn: true,
  trust: 'approved',
  approvedAt: 7,
  session: { kind: 'connected' },
  pid: 12,
  runningSince: 9,
  realPath: '/usr/bin/node',
  signIn: 'not-asked',
  tools: { offered: 1, total: 3, toReview: 2 },
};
const withConfig = (change: Partial<ServerConfig>): Partial<ServerFacts> => ({
  stored: { kind: 'ok', config: { ...config, ...change } },
});
const died = { kind: 'failed' as const, whileLooking: false, problem: 'Files ended.', log: ['no key'] };

const statuses: [change: Partial<ServerFacts>, status: ServerStatus, because: string][] = [
  [{}, { kind: 'on', connected: true }, 'connected'],
  [{ session: { kind: 'stopped' } }, { kind: 'on', connected: false }, 'R2: on, and not needed yet'],
  [{ session: { kind: 'starting' } }, { kind: 'starting' }, 'starting'],
  [{ session: died }, { kind: 'failed', problem: 'Files ended.', log: ['no key'] }, 'W6: down'],
  [
    { session: { ...died, retryAt: 5 } },
    { kind: 'failed', problem: 'Files ended.', log: ['no key'], retryAt: 5 },
    'W6: down, and when it is tried again',
  ],
  [withConfig({ enabled: false }), { kind: 'off' }, 'S1: off in the file'],
  [
    { ...withConfig({ enabled: false }), trust: 'changed-since-approved' },
    { kind: 'needs-review', because: 'changed-since-approved' },
    'S3: an edit turned it off, and the row says why',
  ],
  [{ ...withConfig({ enabled: false }), trust: 'never-approved' }, { kind: 'off' }, 'off and never approved is off'],
  [{ ...withConfig({ enabled: false }), session: died }, { kind: 'off' }, 'an old failure does not outlive being turned off'],
  [
    { ...withConfig({ enabled: false }), session: { ...died, whileLooking: true } },
    { kind: 'failed', problem: 'Files ended.', log: ['no key'] },
    'W6: died while looked at',
  ],
  [
    { ...withConfig({ enabled: false }), session: { kind: 'looking', phase: 'ready' } },
    { kind: 'looking', phase: 'ready' },
    'R4: looked at, not on',
  ],
  [
    { trust: 'never-approved', session: { kind: 'stopped' } },
    { kind: 'needs-review', because: 'never-approved' },
    'S10: intent without a review',
  ],
  [{ trust: 'changed-since-approved' }, { kind: 'needs-review', because: 'changed-since-approved' }, 'T2: the command changed'],
  [
    { switchedOn: false },
    { kind: 'needs-review', because: 'never-approved' },
    'X1: turned on by an editor after it was turned off in the window',
  ],
  [{ ...withConfig({ namespace: null }) }, { kind: 'needs-name', suggestion: 'files-2' }, 'N1: no short name'],
  [
    { stored: { kind: 'refused', id: config.id, name: 'Files', reason: 'Use https.', source: { kind: 'you' }, addedAt: 5 } },
    { kind: 'refused', reason: 'Use https.' },
    'S2: refused',
  ],
];
test.each(statuses)('S10: %j stands as %j (%s)', (change, status) => {
  const row = toServerRow({ ...facts, ...change });
  expect(row.status).toEqual(status);
  expect(ServerRowSchema.parse(row)).toEqual(row);
});

test.each(statuses)('S10: %j is on only when its row says so', (change, status) => {
  const now = { ...facts, ...change };
  const up =
    status.kind === 'on' ||
    status.kind === 'starting' ||
    (status.kind === 'failed' && now.session.kind === 'failed' && !now.session.whileLooking);
  expect(isServerOn(now.stored, now)).toBe(up);
});

test('E3 E6: a row says where, and whether it leaves', () => {
  expect(toServerRow(facts)).toMatchObject({ where: '/usr/bin/node', leaves: false });
  expect(toServerRow({ ...facts, realPath: null })).toMatchObject({ where: 'node', leaves: false });
  const remote = withConfig({
    connection: { kind: 'http', endpoint: 'https://mcp.example.com:8443/secret/path?key=1', headers: [] },
  });
  expect(toServerRow({ ...facts, ...remote })).toMatchObject({ where: 'mcp.example.com:8443', leaves: true });
});

test('S10: a refused entry shows as off whatever its file says', () => {
  const stored = {
    kind: 'refused' as const,
    id: config.id,
    name: 'Files',
    reason: 'Use https.',
    source: { kind: 'you' as const },
    addedAt: 5,
  };
  expect(toServerRow({ ...facts, stored })).toMatchObject({ enabled: false, connection: null });
});
