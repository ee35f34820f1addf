import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startProgram } from '../../src-main/processes/program';
import { LaunchGate } from '../../src-main/sessions/launch-gate';
import type { ServerConfig } from '../../src-shared/servers/server.schema';
import { entryHouse } from '../support/entry-house';

const ASKS_AGAIN = [{ status: { kind: 'needs-review', because: 'changed-since-approved' } }];
const literal = (value: string) => ({ kind: 'literal' as const, value });
const until = (check: () => void) => vi.waitFor(check, { timeout: 8_000, interval: 50 });

/** A house with one approved server that runs a real program, found by PATH through a link; each run leaves its name in a file. */
async function withApproved(change: { command?: string; args?: string[]; env?: Record<string, string> } = {}) {
  const house = entryHouse();
  const ran = join(house.top, 'ran');
  const put = (path: string, text: string): string => {
    const file = join(house.top, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, 0o755);
    return file;
  };
  const names = (name: string) => `#!/bin/sh\necho ${name} >> '${ran}'\n`;
  const leaves = (name: string) => `require('node:fs').appendFileSync(${JSON.stringify(ran)}, '${name}\\n');\n`;
  put('lib/good', names('good'));
  put('lib/evil', names('evil'));
  put('project/server.js', leaves('good'));
  mkdirSync(join(house.top, 'bin'));
  mkdirSync(join(house.top, 'front'));
  symlinkSync(join(house.top, 'lib/good'), join(house.top, 'bin/tool'));
  const env = { PATH: `${join(house.top, 'front')}:${join(house.top, 'bin')}:/usr/bin:/bin`, ...change.env };
  house.servers.add(
    {
      name: 'tool',
      connection: {
        kind: 'stdio',
        command: change.command ?? 'tool',
        args: (change.args ?? ['']).map(literal),
        cwd: join(house.top, 'project'),
        env: Object.entries(env).map(([name, value]) => ({ name, value: literal(value) })),
      },
    },
    { kind: 'you' },
  );
  const [config] = house.projection.configs();
  if (!config) throw new Error('nothing was added');
  const approve = async () => {
    const planned = await house.plan(house.projection.configOf(config.id)!);
    if (!planned.ok) throw new Error(planned.problem);
    house.trust.approveLaunch(config.id, planned.value.fingerprint, 1);
    house.servers.setEnabled(config.id, true);
    house.trust.setRouteOn(config.id, true);
  };
  await approve();
  const runs = (): string[] => (existsSync(ran) ? readFileSync(ran, 'utf8').trim().split('\n') : []);
  /** Points the link at another program in one step, as an updater does. */
  const relink = () => {
    symlinkSync(join(house.top, 'lib/evil'), join(house.top, 'bin/new'));
    renameSync(join(house.top, 'bin/new'), join(house.top, 'bin/tool'));
  };
  return { ...{ house, config, put, names, leaves, approve, runs, relink, top: house.top } };
}
type World = Awaited<ReturnType<typeof withApproved>>;

const NODE = { command: process.execPath, args: ['./server.js'] };

describe('T2, X6: what was approved is swapped afterwards', () => {
  test('T2: the counter sees what is approved run, so that a count of nothing means nothing', async () => {
    for (const change of [{}, NODE]) {
      const { house, runs } = await withApproved(change);
      await house.tryEverything();
      expect(new Set(runs())).toEqual(new Set(['good']));
    }
  });

  const swaps: [what: string, change: object, swap: (world: World) => void][] = [
    ['the program behind a link is another one', {}, ({ relink }) => relink()],
    ['the program itself has another content', {}, ({ put, names }) => put('lib/good', names('evil'))],
    ['a folder in front on PATH holds the name now', {}, ({ put, names }) => put('front/tool', names('evil'))],
    ['the script that node runs has another content', NODE, ({ put, leaves }) => put('project/server.js', leaves('evil'))],
    [
      'the script that node runs is longer by a line',
      NODE,
      ({ top, leaves }) => appendFileSync(join(top, 'project/server.js'), leaves('evil')),
    ],
    [
      'the script that node runs is a link to another one',
      NODE,
      ({ top, put, leaves }) => {
        put('project/evil.js', leaves('evil'));
        symlinkSync('evil.js', join(top, 'project/new.js'));
        renameSync(join(top, 'project/new.js'), join(top, 'project/server.js'));
      },
    ],
    [
      'a file that is loaded before the script',
      { ...NODE, args: ['--require=./first.js', './server.js'] },
      ({ put, leaves }) => put('project/first.js', leaves('evil')),
    ],
  ];
  test.each(swaps)('T2, X6: %s: it asks again, and nothing runs', async (_what, change, swap) => {
    const world = await withApproved(change);
    swap(world);
    expect(await world.house.tryEverything()).toMatchObject(ASKS_AGAIN);
    expect(world.runs()).toEqual([]);
  });
});

/** Each part of an entry that an approval stands for, changed by hand in servers.json under the approved id. */
const edits: [
  field: string,
  edit: (connection: Extract<ServerConfig['connection'], { kind: 'stdio' }>, world: World) => object,
][] = [
  ['the command', ({ args }, { top }) => ({ command: join(top, 'lib/evil'), args })],
  ['the text of an argument', () => ({ args: [literal('./evil.js')] })],
  ['one argument more', ({ args }) => ({ args: [...args, literal('')] })],
  ['no argument', () => ({ args: [] })],
  ['the working folder', (_, { top }) => ({ cwd: top })],
  [
    'the value of a variable',
    ({ env }) => ({ env: env.map(({ name, value }) => ({ name, value: name === 'A' ? literal('2') : value })) }),
  ],
  ['the name of a variable', ({ env }) => ({ env: env.map(({ name, value }) => ({ name: name === 'A' ? 'B' : name, value })) })],
  ['one variable more', ({ env }) => ({ env: [...env, { name: 'NODE_OPTIONS', value: literal('--require=./evil.js') }] })],
  ['one variable fewer', ({ env }) => ({ env: env.filter(({ name }) => name !== 'A') })],
  ['a program that becomes an address', () => ({ kind: 'http', endpoint: 'https://evil.example/mcp', headers: [] })],
];
test.each(edits)('T2, H2: %s changed under an approved name asks again, and nothing runs', async (_field, edit) => {
  const world = await withApproved({ ...NODE, env: { A: '1' } });
  const { house, config } = world;
  const file = join(house.profile, 'servers.json');
  const stored = JSON.parse(readFileSync(file, 'utf8'));
  const before = JSON.stringify(house.projection.configOf(config.id));
  stored.servers[0].connection = { ...stored.servers[0].connection, ...edit(stored.servers[0].connection, world) };
  writeFileSync(file, JSON.stringify(stored));
  await until(() => expect(JSON.stringify(house.projection.configOf(config.id))).not.toBe(before));
  expect(await house.tryEverything()).toMatchObject(ASKS_AGAIN);
  expect(world.runs()).toEqual([]);
});

describe('T2, X6: a swap between the check and the spawn', () => {
  /** Lets the swap happen right after the approval was compared, then starts what the gate gave. */
  async function raced(world: World, swap: () => void): Promise<string[]> {
    const { house, config } = world;
    const gate = new LaunchGate({
      configOf: (id) => house.projection.configOf(id),
      plan: house.plan,
      launchTrust: (id, fingerprint) => {
        const trust = house.trust.launchTrust(id, fingerprint);
        swap();
        return trust;
      },
      storeProblem: () => null,
    });
    const admitted = await gate.admit(config.id);
    if (!admitted.ok || admitted.value.launch.start.kind !== 'stdio') throw new Error('It was not admitted.');
    const { start } = admitted.value.launch;
    const started = await startProgram({ ...start.program, onStdout: () => undefined, onStderr: () => undefined });
    if (!started.ok) throw new Error(started.problem);
    onTestFinished(() => started.value.stop());
    await until(() => expect(world.runs()).toHaveLength(1));
    return world.runs();
  }

  test('T2, X6: the store is written over: what was compared is what runs', async () => {
    const world = await withApproved();
    const file = join(world.house.profile, 'servers.json');
    const evil = readFileSync(file, 'utf8').replace('"tool"', JSON.stringify(join(world.top, 'lib/evil')));
    expect(await raced(world, () => writeFileSync(file, evil))).toEqual(['good']);
  });

  test('T2, X6: the link is turned: the real path that was compared is what runs', async () => {
    const world = await withApproved();
    expect(await raced(world, world.relink)).toEqual(['good']);
  });

  test('T2, X6: a folder in front on PATH gets the name: the real path that was compared is what runs', async () => {
    const world = await withApproved();
    expect(await raced(world, () => void world.put('front/tool', world.names('evil')))).toEqual(['good']);
  });
});
