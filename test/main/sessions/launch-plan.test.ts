import { chmodSync, mkdirSync, readFileSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { digestIfWritable } from '../../../src-main/processes/file-digest';
import { findProgram } from '../../../src-main/processes/find-program';
import { type FrozenLaunch, type LaunchPlanParts, planLaunch } from '../../../src-main/sessions/launch-plan';
import { failed, ok } from '../../../src-shared/base/result';
import { toVisibleText, visibleToString } from '../../../src-shared/base/visible-text';
import {
  type Connection,
  DEFAULT_LIMITS,
  ServerConfigSchema,
  type StdioConnection,
} from '../../../src-shared/servers/server.schema';
import { understandTyped } from '../../../src-shared/servers/typed-entry';
import { tempFolder } from '../../support/temp-folder';

const literal = (value: string) => ({ kind: 'literal' as const, value });
const secret = (ref: string) => ({ kind: 'secret' as const, ref: `secret-${ref}` });

function setUp() {
  const root = tempFolder();
  const write = (path: string, text: string, mode = 0o755) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
    chmodSync(join(root, path), mode);
  };
  write('lib/tool-1', '#!/bin/sh\necho one\n');
  write('lib/tool-2', '#!/bin/sh\necho two\n');
  write('home/server.js', 'one', 0o644);
  mkdirSync(join(root, 'bin'));
  mkdirSync(join(root, 'home/other'));
  symlinkSync(join(root, 'lib/tool-1'), join(root, 'bin/tool'));
  const parts: LaunchPlanParts = {
    findProgram,
    digestIfWritable,
    readSecret: (ref) => {
      if (ref === 'secret-locked') return failed('locked');
      return ref === 'secret-missing' ? failed('missing') : ok(`value of ${ref}`);
    },
    hostEnv: {
      PATH: join(root, 'bin'),
      HOME: join(root, 'home'),
      TERM: 'xterm',
      OPENAI_API_KEY: 'sk-1',
      GITHUB_TOKEN: 'ghp-1',
      LANG: 'C',
    },
    home: join(root, 'home'),
    key: Buffer.alloc(32, 1),
  };
  const stdio: StdioConnection = {
    kind: 'stdio',
    command: 'tool',
    args: [literal('server.js'), literal('--flag'), literal('')],
    env: [
      { name: 'MODE', value: literal('fast') },
      { name: 'TOKEN', value: secret('a') as never },
    ],
  };
  const http: Connection = {
    kind: 'http',
    endpoint: 'https://mcp.example.com/v1?x=1',
    headers: [
      { name: 'X-Team', value: literal('blue') },
      { name: 'Authorization', value: secret('b') as never },
    ],
  };
  const plan = (connection: unknown, more: Partial<LaunchPlanParts> = {}) =>
    planLaunch(ServerConfigSchema.parse({ id: 'one', name: 'Notes', connection, limits: DEFAULT_LIMITS }), { ...parts, ...more });
  const launch = async (connection: unknown, more: Partial<LaunchPlanParts> = {}): Promise<FrozenLaunch> => {
    const planned = await plan(connection, more);
    if (!planned.ok) throw new Error(planned.problem);
    return planned.value;
  };
  const problem = async (connection: unknown, more: Partial<LaunchPlanParts> = {}) => {
    const planned = await plan(connection, more);
    return planned.ok ? 'planned' : planned.problem;
  };
  return { root, write, parts, stdio, http, launch, problem };
}

describe('what is shown', () => {
  test('T1: a program is shown with real path, every argument, folder and whole environment, secrets by name only', async () => {
    const { root, stdio, launch } = setUp();
    const { plan, start } = await launch(stdio);
    if (plan.kind !== 'stdio' || start.kind !== 'stdio') throw new Error('not a program');
    const text = (value: (typeof plan.args)[number]) =>
      value.kind === 'shown' ? visibleToString(value.value) : `(${value.kind})`;
    expect([visibleToString(plan.command), visibleToString(plan.realPath), visibleToString(plan.cwd)]).toEqual([
      'tool',
      join(root, 'lib/tool-1'),
      join(root, 'home'),
    ]);
    expect(plan.args.map(text)).toEqual(['server.js', '--flag', '']);
    expect(plan.env.map(({ name, value, from }) => `${from} ${visibleToString(name)}=${text(value)}`)).toEqual([
      'entry MODE=fast',
      'entry TOKEN=(secret)',
      `this-computer HOME=${join(root, 'home')}`,
      'this-computer LANG=C',
      `this-computer PATH=${join(root, 'bin')}`,
      'this-computer TERM=xterm',
    ]);
    expect(JSON.stringify(plan)).not.toContain('value of');
    expect(start.program).toMatchObject({
      realPath: join(root, 'lib/tool-1'),
      args: ['server.js', '--flag', ''],
      cwd: join(root, 'home'),
    });
    expect({ ...start.program.env }).toEqual({
      MODE: 'fast',
      TOKEN: 'value of secret-a',
      HOME: join(root, 'home'),
      LANG: 'C',
      PATH: join(root, 'bin'),
      TERM: 'xterm',
    });
  });

  test('S5 T1: an argument saved as a secret is handed to the program, and is shown as a secret', async () => {
    const { stdio, launch } = setUp();
    const { plan, start } = await launch({ ...stdio, args: [literal('--api-key'), secret('k'), literal('-v')] });
    if (plan.kind !== 'stdio' || start.kind !== 'stdio') throw new Error('not a program');
    expect(start.program.args).toEqual(['--api-key', 'value of secret-k', '-v']);
    expect(plan.args.map((arg) => arg.kind)).toEqual(['shown', 'secret', 'shown']);
    expect(JSON.stringify(plan)).not.toContain('value of');
  });

  test('T1: what is shown of an environment is the environment, no more and no less', async () => {
    const { stdio, launch } = setUp();
    const { plan, start } = await launch(stdio);
    if (plan.kind !== 'stdio' || start.kind !== 'stdio') throw new Error('not a program');
    expect(plan.env.map(({ name }) => visibleToString(name)).sort()).toEqual(Object.keys(start.program.env).sort());
  });

  test('B08: an entry adds to what is inherited, sets over it, and inherits no key of this computer', async () => {
    const { root, stdio, launch } = setUp();
    const { start } = await launch({ ...stdio, env: [{ name: 'LANG', value: literal('de') }] });
    expect(start.kind === 'stdio' && { ...start.program.env }).toEqual({
      LANG: 'de',
      HOME: join(root, 'home'),
      PATH: join(root, 'bin'),
      TERM: 'xterm',
    });
  });

  test('W7: the PATH an entry sets is the one that is searched', async () => {
    const { root, write, stdio, launch } = setUp();
    write('own/tool', '#!/bin/sh\n');
    const { start } = await launch({ ...stdio, env: [{ name: 'PATH', value: literal(join(root, 'own')) }] });
    expect(start).toMatchObject({ program: { realPath: join(root, 'own/tool'), env: { PATH: join(root, 'own') } } });
  });

  test('T1: code on the command line and names that change what runs are remarked on', async () => {
    const { stdio, launch } = setUp();
    const { plan } = await launch({
      ...stdio,
      command: '/bin/sh',
      args: [literal('-c'), literal('id')],
      env: [{ name: 'LD_PRELOAD', value: literal('x') }],
    });
    expect(plan.flags.map((flag) => flag.on)).toEqual(
      expect.arrayContaining([
        { kind: 'argument', index: 0 },
        { kind: 'variable', name: 'LD_PRELOAD' },
      ]),
    );
  });

  test('T1: bidi and control characters are shown as escapes', async () => {
    const { stdio, launch } = setUp();
    const { plan } = await launch({ ...stdio, args: [literal('a\u202Eb\u0007')] });
    expect(plan.kind === 'stdio' && plan.args[0]).toEqual({
      kind: 'shown',
      value: expect.arrayContaining([{ kind: 'escape', text: '\\u202e' }]) as unknown,
    });
  });

  test('T1: an address is shown whole, its headers by name, secrets never', async () => {
    const { http, launch } = setUp();
    const { plan, start } = await launch(http);
    expect(plan).toMatchObject({
      kind: 'http',
      host: 'mcp.example.com',
      headers: [{ name: 'X-Team' }, { name: 'Authorization', value: { kind: 'secret' } }],
    });
    expect(JSON.stringify(plan)).not.toContain('value of');
    expect(start).toEqual({
      kind: 'http',
      address: {
        url: 'https://mcp.example.com/v1?x=1',
        headers: [
          { name: 'X-Team', value: 'blue' },
          { name: 'Authorization', value: 'value of secret-b' },
        ],
      },
    });
  });

  test('T2: nothing of a frozen launch can be changed on its way to the start', async () => {
    const { stdio, launch } = setUp();
    const { start } = await launch(stdio);
    if (start.kind !== 'stdio') throw new Error('not a program');
    expect(() => (start.program.args as string[]).push('--evil')).toThrow(TypeError);
    expect(() => ((start.program.env as Record<string, string>)['LD_PRELOAD'] = 'x')).toThrow(TypeError);
    expect(() => ((start as { kind: string }).kind = 'http')).toThrow(TypeError);
  });
});

describe('what an approval stands for', () => {
  test('T2: the same entry on the same computer has the same fingerprint', async () => {
    const { stdio, http, launch } = setUp();
    for (const connection of [stdio, http]) {
      const { fingerprint } = await launch(connection);
      expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
      expect((await launch(structuredClone(connection))).fingerprint).toBe(fingerprint);
    }
  });

  test('T2: the terminal the app was started from and the order of variables change nothing', async () => {
    const { stdio, parts, launch } = setUp();
    const { fingerprint } = await launch(stdio);
    expect((await launch(stdio, { hostEnv: { ...parts.hostEnv, TERM: 'dumb' } })).fingerprint).toBe(fingerprint);
    expect((await launch({ ...stdio, env: stdio.env.toReversed() })).fingerprint).toBe(fingerprint);
  });

  type Ground = ReturnType<typeof setUp>;
  const swaps: [what: string, swap: (ground: Ground) => { connection?: unknown; parts?: Partial<LaunchPlanParts> }][] = [
    [
      'the command leads to another program',
      ({ root }) => {
        unlinkSync(join(root, 'bin/tool'));
        symlinkSync(join(root, 'lib/tool-2'), join(root, 'bin/tool'));
        return {};
      },
    ],
    [
      'the program has other content',
      ({ write }) => {
        write('lib/tool-1', '#!/bin/sh\necho evil\n');
        return {};
      },
    ],
    [
      'the same program is found under another name',
      ({ root, stdio }) => {
        symlinkSync(join(root, 'lib/tool-1'), join(root, 'bin/other'));
        return { connection: { ...stdio, command: 'other' } };
      },
    ],
    [
      'a script named by an argument has other content',
      ({ write }) => {
        write('home/server.js', 'evil');
        return {};
      },
    ],
    [
      'a script named by an argument is replaced',
      ({ root, write }) => {
        write('home/next.js', 'evil');
        renameSync(join(root, 'home/next.js'), join(root, 'home/server.js'));
        return {};
      },
    ],
    ['an argument', ({ stdio }) => ({ connection: { ...stdio, args: [literal('server.js'), literal('--other'), literal('')] } })],
    [
      'the boundary between two arguments',
      ({ stdio }) => ({ connection: { ...stdio, args: [literal('server.js --flag'), literal('')] } }),
    ],
    ['one argument fewer', ({ stdio }) => ({ connection: { ...stdio, args: stdio.args.slice(0, 2) } })],
    ['the order of arguments', ({ stdio }) => ({ connection: { ...stdio, args: stdio.args.toReversed() } })],
    [
      'an argument becomes a secret',
      ({ stdio }) => ({ connection: { ...stdio, args: [literal('server.js'), secret('c'), literal('')] } }),
    ],
    [
      'a plain argument that reads like the name of a secret',
      ({ stdio }) => ({ connection: { ...stdio, args: [literal('server.js'), literal('secret-c'), literal('')] } }),
    ],
    ['the folder', ({ root, stdio }) => ({ connection: { ...stdio, cwd: join(root, 'home/other') } })],
    [
      'a variable more',
      ({ stdio }) => ({ connection: { ...stdio, env: [...stdio.env, { name: 'NODE_OPTIONS', value: literal('') }] } }),
    ],
    [
      'the name of a variable',
      ({ stdio }) => ({ connection: { ...stdio, env: [{ name: 'MODE2', value: literal('fast') }, stdio.env[1]] } }),
    ],
    [
      'the value of a variable',
      ({ stdio }) => ({ connection: { ...stdio, env: [{ name: 'MODE', value: literal('slow') }, stdio.env[1]] } }),
    ],
    [
      'the secret of a variable',
      ({ stdio }) => ({ connection: { ...stdio, env: [stdio.env[0], { name: 'TOKEN', value: secret('c') }] } }),
    ],
    ['an inherited PATH', ({ root, parts }) => ({ parts: { hostEnv: { ...parts.hostEnv, PATH: `${root}/bin:/usr/bin` } } })],
    ['an inherited variable more', ({ parts }) => ({ parts: { hostEnv: { ...parts.hostEnv, TMPDIR: '/tmp/x' } } })],
    ['the key', () => ({ parts: { key: Buffer.alloc(32, 2) } })],
  ];
  test.each(swaps)('T2: a swap shows: %s', async (_what, swap) => {
    const ground = setUp();
    const before = await ground.launch(ground.stdio);
    const { connection = ground.stdio, parts = {} } = swap(ground);
    expect((await ground.launch(connection, parts)).fingerprint).not.toBe(before.fingerprint);
  });

  const optionFiles: [option: string][] = [
    ['--config=conf.json'],
    ['-c=conf.json'],
    ['conf.json'],
    ['./conf.json'],
    ['other/../conf.json'],
  ];
  test.each(optionFiles)('T2: the content of a file named as %s is part of it', async (option) => {
    const { write, stdio, launch } = setUp();
    write('home/conf.json', 'one', 0o644);
    const before = await launch({ ...stdio, args: [literal(option)] });
    write('home/conf.json', 'two', 0o644);
    expect((await launch({ ...stdio, args: [literal(option)] })).fingerprint).not.toBe(before.fingerprint);
  });

  test('T2: replacing the value behind a secret changes nothing', async () => {
    const { stdio, launch } = setUp();
    const { fingerprint } = await launch(stdio);
    expect((await launch(stdio, { readSecret: () => ok('another value') })).fingerprint).toBe(fingerprint);
    const hidden = { ...stdio, args: [literal('--api-key'), secret('k')] };
    const first = await launch(hidden);
    expect((await launch(hidden, { readSecret: () => ok('another value') })).fingerprint).toBe(first.fingerprint);
    expect((await launch({ ...hidden, args: [literal('--api-key'), secret('l')] })).fingerprint).not.toBe(first.fingerprint);
  });

  const addressSwaps: [what: string, change: object][] = [
    ['the host', { endpoint: 'https://mcp.example.org/v1?x=1' }],
    ['the path', { endpoint: 'https://mcp.example.com/v2?x=1' }],
    ['the query', { endpoint: 'https://mcp.example.com/v1?x=2' }],
    [
      'the value of a header',
      {
        headers: [
          { name: 'X-Team', value: literal('red') },
          { name: 'Authorization', value: secret('b') },
        ],
      },
    ],
    [
      'the name of a header',
      {
        headers: [
          { name: 'X-Group', value: literal('blue') },
          { name: 'Authorization', value: secret('b') },
        ],
      },
    ],
    [
      'the secret of a header',
      {
        headers: [
          { name: 'X-Team', value: literal('blue') },
          { name: 'Authorization', value: secret('c') },
        ],
      },
    ],
    ['a header fewer', { headers: [{ name: 'X-Team', value: literal('blue') }] }],
  ];
  test.each(addressSwaps)('T2: a swap of an address shows: %s', async (_what, change) => {
    const { http, launch } = setUp();
    expect((await launch({ ...http, ...change })).fingerprint).not.toBe((await launch(http)).fingerprint);
  });

  test('T2, S3: a transport chosen by hand is approved anew and said in the review; an era is not', async () => {
    const { http, parts } = setUp();
    const launchOf = async (wire?: object): Promise<FrozenLaunch> => {
      const config = ServerConfigSchema.parse({ id: 'one', name: 'Notes', connection: http, limits: DEFAULT_LIMITS, wire });
      const planned = await planLaunch(config, parts);
      if (!planned.ok) throw new Error(planned.problem);
      return planned.value;
    };
    const usual = await launchOf();
    expect((await launchOf({ protocol: 'auto', era: 'legacy' })).fingerprint).toBe(usual.fingerprint);
    const older = await launchOf({ protocol: 'sse', era: 'auto' });
    expect(older.fingerprint).not.toBe(usual.fingerprint);
    expect([usual.plan.flags, older.plan.flags.map(({ text }) => text)]).toEqual([
      [],
      ['Spoken to over HTTP+SSE, as you chose.'],
    ]);
  });
});

describe('what is refused', () => {
  const refused: [because: string, change: object, says: RegExp][] = [
    ['a program that is nowhere', { command: 'nowhere' }, /^No program named nowhere was found\. Looked in .*bin\. Enter/],
    ['a folder that is nowhere', { cwd: '/does/not/exist' }, /^The working folder \/does\/not\/exist does not exist/],
    [
      'a locked secret',
      { env: [{ name: 'TOKEN', value: secret('locked') }] },
      /^The secret for the variable TOKEN is locked\. Unlock/,
    ],
    [
      'a missing secret',
      { env: [{ name: 'TOKEN', value: secret('missing') }] },
      /^The secret for the variable TOKEN is missing\. Enter it again/,
    ],
    ['a missing secret argument', { args: [secret('missing')] }, /^The secret for argument 1 is missing/],
    [
      'a variable set twice',
      {
        env: [
          { name: 'A', value: literal('1') },
          { name: 'A', value: literal('2') },
        ],
      },
      /^The variable A is set twice/,
    ],
    [
      'T1: a secret that changes what runs',
      { env: [{ name: 'NODE_OPTIONS', value: secret('a') }] },
      /^The variable NODE_OPTIONS changes what runs/,
    ],
    ['a NUL in an argument', { args: [literal('a\0b')] }, /^The value of argument 1 contains/],
  ];
  test.each(refused)('%s', async (_because, change, says) => {
    const { stdio, problem } = setUp();
    expect(await problem({ ...stdio, ...change })).toMatch(says);
  });

  test('E2: the rule for addresses runs again here', async () => {
    const { http, problem } = setUp();
    expect(await problem({ ...http, endpoint: 'http://127.1:3000/' })).toMatch(/^Use an https address/);
  });

  test('a header that would begin another line', async () => {
    const { http, problem } = setUp();
    expect(await problem(http, { readSecret: () => ok('x\r\nEvil: 1') })).toMatch(
      /^The header Authorization contains a line break/,
    );
  });

  test('a missing header secret', async () => {
    const { http, problem } = setUp();
    expect(await problem(http, { readSecret: () => failed('missing') })).toMatch(
      /^The secret for the header Authorization is missing/,
    );
  });
});

describe('files that arguments name', () => {
  const spellings: [how: string, arg: (file: string) => string][] = [
    ['by itself', (file) => file],
    ['after an equals sign', (file) => `--require=${file}`],
    ['glued to a short flag', (file) => `-r${file}`],
    ['as a file of options', (file) => `@${file}`],
    ['as a file address', (file) => `file://${file}`],
    ['as a file address after an equals sign', (file) => `--import=file://${file}`],
    ['in a list', (file) => `/nowhere/a.jar:${file}`],
  ];
  test.each(spellings)('T2, X6: a file named %s asks again once its content is another one', async (_how, arg) => {
    const { root, write, stdio, launch } = setUp();
    const connection = { ...stdio, args: [literal(arg(join(root, 'home/server.js')))] };
    const before = await launch(connection);
    write('home/server.js', 'evil and longer');
    expect((await launch(connection)).fingerprint).not.toBe(before.fingerprint);
  });

  test('T2: two files in one argument both count', async () => {
    const { root, write, stdio, launch } = setUp();
    write('home/b.js', 'one');
    const connection = { ...stdio, args: [literal(`${join(root, 'home/server.js')}:${join(root, 'home/b.js')}`)] };
    const before = await launch(connection);
    write('home/b.js', 'evil and longer');
    expect((await launch(connection)).fingerprint).not.toBe(before.fingerprint);
  });
});

describe('S6: variables are filled in when the launch is planned', () => {
  const hostEnv = (root: string) => ({
    PATH: join(root, 'bin'),
    HOME: join(root, 'home'),
    MY_TOKEN: 'tok-1234',
    MY_SERVER: 'https://mcp.example.com',
    OTHER_KEY: 'other-5678',
    TOOL: 'tool',
    SCRIPT: 'server.js',
    EVIL: 'a\r\nX-Evil: 1',
    DOLLAR: 'x${MY_TOKEN}',
  });
  const address = {
    kind: 'http',
    endpoint: '${MY_SERVER}/mcp?key=${OTHER_KEY}',
    headers: [
      { name: 'Authorization', value: literal('Bearer ${MY_TOKEN}') },
      { name: 'X-Default', value: literal('${UNSET_ONE:-fallback}') },
      { name: 'X-Input', value: literal('${input:key}') },
    ],
    inputs: [{ key: 'key', value: secret('k') }],
  };

  test('S6: in an address and in headers, with the review naming each, where it goes, and no hidden value', async () => {
    const { root, launch } = setUp();
    const { plan, start, hidden } = await launch(address, { hostEnv: hostEnv(root) });
    expect(start).toEqual({
      kind: 'http',
      address: {
        url: 'https://mcp.example.com/mcp?key=other-5678',
        headers: [
          { name: 'Authorization', value: 'Bearer tok-1234' },
          { name: 'X-Default', value: 'fallback' },
          { name: 'X-Input', value: 'value of secret-k' },
        ],
      },
    });
    const listed = plan.variables?.map(({ name, from, usedIn, value }) => [visibleToString(name), from, usedIn, value.kind]);
    expect(listed).toEqual([
      ['MY_SERVER', 'this-computer', 'the address', 'shown'],
      ['OTHER_KEY', 'this-computer', 'the address', 'hidden'],
      ['MY_TOKEN', 'this-computer', 'the header Authorization', 'hidden'],
      ['UNSET_ONE', 'default', 'the header X-Default', 'shown'],
      ['key', 'keychain', 'the header X-Input', 'hidden'],
    ]);
    expect(plan).toMatchObject({ kind: 'http', host: 'mcp.example.com' });
    const text = JSON.stringify(plan);
    for (const value of ['tok-1234', 'other-5678', 'value of secret-k']) expect(text).not.toContain(value);
    expect(hidden).toEqual(expect.arrayContaining(['tok-1234', 'other-5678', 'value of secret-k']));
  });

  test('S6: in a command, arguments, folder and environment; what decides what runs is in sight', async () => {
    const { root, launch } = setUp();
    const connection = {
      kind: 'stdio',
      command: '${TOOL}',
      args: [literal('${SCRIPT}'), literal('--token=${MY_TOKEN}'), literal('--price=$5'), literal('$HOME'), literal('%PATH%')],
      cwd: '${HOME}',
      env: [
        { name: 'LITERAL', value: literal('a${b') },
        { name: 'NESTED', value: literal('${${TOOL}}') },
        { name: 'ONCE', value: literal('${DOLLAR}') },
        { name: 'NODE_OPTIONS', value: literal('--title=${TOOL}') },
        { name: 'OTHER_KEY', value: { kind: 'inherit' } },
      ],
    };
    const { plan, start } = await launch(connection, { hostEnv: hostEnv(root) });
    if (start.kind !== 'stdio' || plan.kind !== 'stdio') throw new Error('It is a program.');
    expect(start.program.args).toEqual(['server.js', '--token=tok-1234', '--price=$5', '$HOME', '%PATH%']);
    expect(start.program.cwd).toBe(join(root, 'home'));
    expect(start.program.env).toMatchObject({
      LITERAL: 'a${b',
      NESTED: '${${TOOL}}',
      ONCE: 'x${MY_TOKEN}',
      NODE_OPTIONS: '--title=tool',
      OTHER_KEY: 'other-5678',
    });
    const shownArgs = plan.args.map((arg) => (arg.kind === 'shown' ? visibleToString(arg.value) : arg.kind));
    expect(shownArgs).toEqual(['server.js', '--token=${MY_TOKEN}', '--price=$5', '$HOME', '%PATH%']);
    const env = Object.fromEntries(plan.env.map(({ name, value, from }) => [visibleToString(name), { value, from }]));
    expect(env['OTHER_KEY']).toEqual({ value: { kind: 'hidden' }, from: 'this-computer' });
    expect(env['NODE_OPTIONS']?.value).toEqual({ kind: 'shown', value: toVisibleText('--title=tool') });
    expect(JSON.stringify(plan)).not.toContain('tok-1234');
    expect(JSON.stringify(plan)).not.toContain('other-5678');
  });

  const stops: [string, unknown, RegExp][] = [
    [
      'an unset one',
      { ...address, endpoint: 'https://a.example/?k=${GONE}' },
      /^The variable GONE, used in the address, is not set/,
    ],
    [
      'a line end',
      { ...address, headers: [{ name: 'X-K', value: literal('${EVIL}') }] },
      /^EVIL, used in the header X-K, holds a line end/,
    ],
    [
      'a value that was never typed',
      { ...address, inputs: [{ key: 'key', value: literal('') }] },
      /^The secret “key”, used in the header X-Input, is missing/,
    ],
    [
      'one that is to be passed on and is not there',
      { kind: 'stdio', command: 'tool', args: [], env: [{ name: 'GONE', value: { kind: 'inherit' } }] },
      /^The variable GONE is to be passed on from this computer, and is not set here/,
    ],
    [
      'a line end in one that is passed on',
      { kind: 'stdio', command: 'tool', args: [], env: [{ name: 'EVIL', value: { kind: 'inherit' } }] },
      /^The variable EVIL of this computer holds a line end/,
    ],
  ];
  test.each(stops)('S6 X7: %s keeps the server from starting', async (_what, connection, sentence) => {
    const { root, problem } = setUp();
    expect(await problem(connection, { hostEnv: hostEnv(root) })).toMatch(sentence);
  });

  const changes: [string, boolean, unknown, Record<string, string>][] = [
    ['the value behind a header', false, address, { MY_TOKEN: 'tok-other' }],
    ['the host behind the address', true, address, { MY_SERVER: 'https://evil.example' }],
    ['a default that no longer stands in', true, address, { UNSET_ONE: 'x' }],
    [
      'the value of an argument',
      true,
      { kind: 'stdio', command: 'tool', args: [literal('${MY_TOKEN}')], env: [] },
      { MY_TOKEN: 'x' },
    ],
    [
      'the value of a variable that changes what runs',
      true,
      { kind: 'stdio', command: 'tool', args: [], env: [{ name: 'NODE_OPTIONS', value: literal('${MY_TOKEN}') }] },
      { MY_TOKEN: '--require=/evil.js' },
    ],
  ];
  test.each(changes)('S6 T2: whether %s asks again: %s', async (_what, asks, connection, change) => {
    const { root, launch } = setUp();
    const before = await launch(connection, { hostEnv: hostEnv(root) });
    const after = await launch(connection, { hostEnv: { ...hostEnv(root), ...change } });
    expect(after.fingerprint !== before.fingerprint).toBe(asks);
  });

  test('S6 T2: naming another variable at the same place asks again', async () => {
    const { root, launch } = setUp();
    const before = await launch(address, { hostEnv: hostEnv(root) });
    const headers = [{ name: 'Authorization', value: literal('Bearer ${OTHER_KEY}') }, ...address.headers.slice(1)];
    expect((await launch({ ...address, headers }, { hostEnv: hostEnv(root) })).fingerprint).not.toBe(before.fingerprint);
  });
});

describe('S6 B74: an entry as other apps write it', () => {
  const fixture = readFileSync(new URL('../../fixtures/hostile/data/B74-vars.json', import.meta.url), 'utf8');
  const pasted = (name: string) => {
    const understood = understandTyped(fixture);
    const draft = understood.ok ? understood.value.drafts.find((each) => each.name === name) : undefined;
    if (!draft) throw new Error(`${name} is not in the fixture.`);
    return draft.connection;
  };
  const hostEnv = (root: string) => ({
    PATH: join(root, 'bin'),
    MY_URL: 'https://mcp.example.com',
    MY_TOKEN: 'tok-1234',
    OTHER_KEY: 'key-5678',
    NODE_BIN: 'tool',
    MY_TOKEN_WITH_DOLLAR: 'x${MY_TOKEN}',
  });

  test('S6 B74: the file keeps its placeholders, and nothing of them is taken for a secret', () => {
    expect(pasted('remote')).toMatchObject({
      endpoint: '${MY_URL}/mcp',
      headers: expect.arrayContaining([{ name: 'Authorization', value: literal('Bearer ${MY_TOKEN}') }]),
      inputs: [{ key: 'key', value: literal('') }],
    });
  });

  test('S6 B74: an unset variable keeps that server from starting, by field and name', async () => {
    const { root, problem } = setUp();
    const connection = { ...pasted('remote'), inputs: [{ key: 'key', value: secret('k') }] };
    const sentence = await problem(connection, { hostEnv: hostEnv(root) });
    expect(sentence).toMatch(/^The variable UNSET_TWO, used in the header X-Missing, is not set on this computer/);
    const set = await problem(connection, { hostEnv: { ...hostEnv(root), UNSET_TWO: 'there' } });
    expect(set).toBe('planned');
  });

  test('S6 B74: what is no variable stays, and no value is read twice', async () => {
    const { root, launch } = setUp();
    const { start } = await launch(pasted('local'), { hostEnv: hostEnv(root) });
    if (start.kind !== 'stdio') throw new Error('It is a program.');
    expect(start.program.args).toEqual(['--price=$5', '$HOME', '%PATH%', 'https://mcp.example.com']);
    expect(start.program.env).toMatchObject({ LITERAL: 'a${b', NESTED: '${${X}}', EVIL: 'x${MY_TOKEN}' });
  });
});

describe('E7: an address on this computer', () => {
  const local = { kind: 'http', endpoint: 'http://localhost:3000/mcp', headers: [{ name: 'Authorization', value: secret('b') }] };
  const texts = ({ plan }: FrozenLaunch) => plan.flags.map(({ text }) => text);

  test('E7: a secret over plain http is flagged, and one over https is not', async () => {
    const { launch } = setUp();
    expect(texts(await launch(local))).toEqual([expect.stringContaining('without encryption')]);
    expect(texts(await launch({ ...local, endpoint: 'https://localhost:3000/mcp' }))).toEqual([]);
    expect(texts(await launch({ ...local, headers: [{ name: 'X-Team', value: literal('blue') }] }))).toEqual([]);
  });

  test('E7 X16: a port that another user took after the approval asks before anything is sent', async () => {
    const { launch } = setUp();
    const asked: number[] = [];
    const taken = await launch(local, {
      foreignListener: async (port) => {
        asked.push(port);
        return 1001;
      },
    });
    const before = await launch(local, { foreignListener: async () => null });
    expect(asked).toEqual([3000]);
    expect(taken.fingerprint).not.toBe(before.fingerprint);
    expect(texts(taken)).toContainEqual(expect.stringMatching(/another user of this computer \(user number 1001\)/));
    expect((await launch(local)).fingerprint).toBe(before.fingerprint);
  });

  test('E7: nobody is looked up for an address that leaves', async () => {
    const { http, launch } = setUp();
    const asked: number[] = [];
    await launch(http, { foreignListener: async (port) => (asked.push(port), null) });
    expect(asked).toEqual([]);
  });
});
