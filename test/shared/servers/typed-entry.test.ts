import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ServerDraft, ServerDraftSchema } from '../../../src-shared/servers/server.schema';
import { nameForCommand, splitByQuotes, type Understood, understandTyped } from '../../../src-shared/servers/typed-entry';

function understood(text: string): Understood {
  const result = understandTyped(text);
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}
const literal = (value: string) => ({ kind: 'literal', value });
const secret = (value: string) => ({ kind: 'new-secret', value });
const only = (text: string): ServerDraft => {
  const { drafts } = understood(text);
  expect(drafts).toHaveLength(1);
  return drafts[0]!;
};

const split: [line: string, words: string[]][] = [
  ['npx -y pkg', ['npx', '-y', 'pkg']],
  ['  npx\t-y \n pkg ', ['npx', '-y', 'pkg']],
  ['node "my server.js" --x', ['node', 'my server.js', '--x']],
  [`node 'it is "quoted"'`, ['node', 'it is "quoted"']],
  [`node "it's"`, ['node', "it's"]],
  ['node --name="a b"c', ['node', '--name=a bc']],
  ['node "" x', ['node', '', 'x']],
  ['C:\\tools\\server.exe "C:\\my files"', ['C:\\tools\\server.exe', 'C:\\my files']],
  [
    'echo $HOME ~ *.js `id` $(id) ; rm && x | y > z',
    ['echo', '$HOME', '~', '*.js', '`id`', '$(id)', ';', 'rm', '&&', 'x', '|', 'y', '>', 'z'],
  ],
];
test.each(split)('S9: %j is split by quotes only', (line, words) => {
  expect(splitByQuotes(line)).toEqual({ ok: true, value: words });
});

test.each([`node "a`, `node 'a"`, `node a'`])('S9: an unclosed quote is an error: %s', (line) => {
  const result = understandTyped(line);
  expect(result.ok ? '' : result.problem).toMatch(/opened and never closed/);
});

describe('a command line', () => {
  test.each(['--token=1;touch x', '--api-key=$(id)', '--secret=a|b', '--password=a b', '--token=`id`'])(
    'T1: an argument that a shell could read as a command stays in sight: %s',
    (argument) => {
      const entry = { command: 'sh', args: ['-c', '--', argument, '--token', argument.slice(argument.indexOf('=') + 1)] };
      const { connection } = only(JSON.stringify({ mcpServers: { a: entry } }));
      expect(connection).toMatchObject({ args: entry.args.map(literal) });
    },
  );

  test('S9: gives its parts, and says what was understood', () => {
    expect(understood('npx -y @scope/server-files@1.2.3 "/home/you/my notes"')).toEqual({
      kind: 'command',
      said: 'A command: npx, with 3 arguments. It runs on this computer.',
      notes: [],
      drafts: [
        {
          name: 'server-files',
          connection: {
            kind: 'stdio',
            command: 'npx',
            args: ['-y', '@scope/server-files@1.2.3', '/home/you/my notes'].map(literal),
            env: [],
          },
        },
      ],
    });
  });

  test('S9 S5: variables before it are its environment, and likely secrets are proposed as such', () => {
    expect(only('GITHUB_TOKEN=abc DEBUG=1 my-server --api-key xyz --token=t --level info').connection).toMatchObject({
      env: [
        { name: 'GITHUB_TOKEN', value: secret('abc') },
        { name: 'DEBUG', value: literal('1') },
      ],
      args: [literal('--api-key'), secret('xyz'), secret('--token=t'), literal('--level'), literal('info')],
    });
  });
});

const names: [command: string, args: string[], name: string][] = [
  ['npx', ['-y', '@scope/server-files@1.2.3', '/x'], 'server-files'],
  ['npx', ['pkg'], 'pkg'],
  ['uvx', ['mcp-server-git==1.0'], 'mcp-server-git'],
  ['docker', ['run', '-i', '--rm', '-e', 'TOKEN', 'ghcr.io/org/app:1.2'], 'app'],
  ['node', ['/opt/my/server.js'], 'server'],
  ['/usr/local/bin/github-mcp', ['stdio'], 'github-mcp'],
  ['C:\\tools\\Notes.exe', [], 'Notes'],
  ['npx', [], 'npx'],
];
test.each(names)('%s %j is first called %s', (command, args, name) => {
  expect(nameForCommand(command, args)).toBe(name);
});

test('E1 S9: an address is judged at once', () => {
  expect(understood(' https://bücher.example/mcp\n')).toEqual({
    kind: 'address',
    said: 'An address: xn--bcher-kva.example, which leaves this computer.',
    notes: [],
    drafts: [
      { name: 'xn--bcher-kva.example', connection: { kind: 'http', endpoint: 'https://xn--bcher-kva.example/mcp', headers: [] } },
    ],
  });
  expect(understood('http://localhost:3000/mcp').said).toBe('An address: localhost:3000, which stays on this computer.');
});

const refused: [text: string, reason: RegExp][] = [
  ['', /Enter an address, a command line/],
  ['   ', /Enter an address/],
  ['http://mcp.example.com', /Use an https address/],
  ['http:localhost', /starts with https/],
  ['ftp://x', /starts with https/],
  ['http:\\\\localhost', /starts with https/],
  ['A=1', /Enter the command/],
  ['""', /Enter the command/],
  ['{', /cannot be read as JSON\. Line 1, column 2: the text ends|Line 1, column 2/],
  ['\n{ "a": { "command": "x" }\r\n  "b": {} }', /Line 3, column 3: a comma or } is missing here\.$/],
  ['{"env":{"A":"1"},"type":"http"}', /No server was found/],
  ['{"url":"https://a.example","serverUrl":"https://b.example"}', /two different addresses/],
  ['{}', /No server was found/],
  ['[]', /No server was found/],
  ['{"mcpServers":{}}', /No server was found/],
  ['{"a":{"b":1}}', /No server was found/],
  ['{"url":"https://a.example","command":"x"}', /an address and a command/],
  ['{"mcpServers":{"a":{"serverUrl":"https://a.example","command":"x"}}}', /“a” was left out.*an address and a command/],
  ['{"url":"http://a.example"}', /Use an https address/],
  ['{"url":7}', /not in a form/],
  ['{"command":[]}', /not in a form/],
  ['{"command":"x","args":[{}]}', /not in a form/],
  ['{"command":"x","env":["A=1"]}', /not in a form/],
  ['{"command":"x","env":{"A B":"1"}}', /cannot stand there/],
  ['{"command":"x","type":"carrier-pigeon"}', /type is not one/],
  ['{"command":"x","type":"http"}', /do not fit/],
  ['{"url":"https://a.example","type":"stdio"}', /do not fit/],
  [`{"mcpServers":{${Array.from({ length: 51 }, (_, n) => `"s${n}":{"command":"x"}`).join(',')}}}`, /more than 50/],
  ['x'.repeat(262_145), /256 KiB/],
];
test.each(refused)('S9: refuses %.60j', (text, reason) => {
  const result = understandTyped(text);
  expect(result.ok ? '' : result.problem).toMatch(reason);
});

describe('pasted JSON', () => {
  const one = { name: 'files', connection: { kind: 'stdio', command: 'npx', args: [literal('-y'), literal('pkg')], env: [] } };
  const shapes: [what: string, text: string][] = [
    ['mcpServers', '{"mcpServers":{"files":{"command":"npx","args":["-y","pkg"]}}}'],
    ['servers', '{"servers":{"files":{"type":"stdio","command":"npx","args":["-y","pkg"]}}}'],
    ['mcp.servers', '{"mcp":{"servers":{"files":{"command":"npx","args":["-y","pkg"]}}}}'],
    ['a map alone', '{"files":{"command":"npx","args":["-y","pkg"]}}'],
    ['a map without braces', '"files": {"command":"npx","args":["-y","pkg"]}'],
    ['a list', '[{"name":"files","command":"npx","args":["-y","pkg"]}]'],
    ['one entry', '{"name":"files","command":"npx","args":["-y","pkg"]}'],
    ['command as a list', '{"files":{"type":"local","command":["npx","-y","pkg"],"environment":{}}}'],
    ['a byte order mark and CRLF', '\uFEFF{\r\n"files":{"command":"npx","args":["-y","pkg"]}}\r\n'],
  ];
  test.each(shapes)('S9: reads %s', (_what, text) => {
    expect(only(text)).toEqual(one);
  });

  test.each(['http', 'streamable-http', 'streamableHttp', 'streamable_http', 'sse', 'remote', undefined])(
    'S9: reads an address of type %s',
    (type) => {
      const entry = {
        ...(type ? { type } : {}),
        url: 'https://a.example/mcp',
        headers: { Authorization: 'Bearer x', 'X-Team': 7 },
      };
      expect(only(JSON.stringify({ mcpServers: { a: entry } })).connection).toEqual({
        kind: 'http',
        endpoint: 'https://a.example/mcp',
        headers: [
          { name: 'Authorization', value: secret('Bearer x') },
          { name: 'X-Team', value: literal('7') },
        ],
      });
    },
  );

  test('S9: numbers and booleans become texts, likely secrets are proposed, names that change what runs never are', () => {
    const env = {
      PORT: 1,
      DEBUG: true,
      MY_API_KEY: 'k',
      NODE_OPTIONS: '--x',
      npm_config_token: 't',
      GIT_PASSWORD: 'g',
      EMPTY_TOKEN: '',
      LATER_KEY: '${KEY}',
    };
    const result = understood(JSON.stringify({ command: 'x', env }));
    const { connection } = result.drafts[0]!;
    expect(
      connection.kind === 'stdio' &&
        connection.env.map(({ name, value }) => [name, value.kind, 'value' in value ? value.value : '']),
    ).toEqual([
      ['PORT', 'literal', '1'],
      ['DEBUG', 'literal', 'true'],
      ['MY_API_KEY', 'new-secret', 'k'],
      ['NODE_OPTIONS', 'literal', '--x'],
      ['npm_config_token', 'literal', 't'],
      ['GIT_PASSWORD', 'literal', 'g'],
      ['EMPTY_TOKEN', 'literal', ''],
      ['LATER_KEY', 'literal', '${KEY}'],
    ]);
    expect(result.notes).toEqual([
      '“x” uses KEY of this computer. The value is filled in when it starts, and its review shows where it goes.',
    ]);
  });

  test('S1 S9 S11: what another app turned on, allowed or numbered means nothing', () => {
    const entry = {
      id: 'chosen',
      command: 'x',
      enabled: true,
      disabled: false,
      autoApprove: ['*'],
      alwaysAllow: true,
      trusted: true,
      namespace: 'github',
      source: { kind: 'you' },
    };
    const result = understood(JSON.stringify({ mcpServers: { a: entry } }));
    expect(result.drafts).toEqual([{ name: 'a', connection: { kind: 'stdio', command: 'x', args: [], env: [] } }]);
    expect(result.notes).toEqual([
      'Of “a” this was left out: id, enabled, disabled, autoApprove, alwaysAllow, trusted, namespace, source.',
    ]);
  });

  test('S4: one bad entry costs that entry', () => {
    const result = understood('{"mcpServers":{"a":{"command":"x"},"b":{"url":"http://b.example"},"__proto__":{"command":"y"}}}');
    expect(result.drafts.map(({ name }) => name)).toEqual(['a', '__proto__']);
    expect(result.said).toBe('2 entries: a, __proto__. All are added off.');
    expect(result.notes).toEqual([
      '“b” was left out. Use an https address. Plain http works only for servers on this computer: localhost, 127.0.0.1 or [::1].',
    ]);
  });
});

test('S2: whatever is typed, nothing throws, and each draft is one the store can take', () => {
  const json = fc.oneof(
    fc.json(),
    fc.jsonValue().map((value) => JSON.stringify({ mcpServers: { a: value, b: { command: 'x', args: value, env: value } } })),
  );
  fc.assert(
    fc.property(fc.oneof(fc.string(), json), (text) => {
      const result = understandTyped(text);
      if (!result.ok) expect(result.problem).toMatch(/\.$/);
      else for (const draft of result.value.drafts) expect(ServerDraftSchema.parse(draft)).toEqual(draft);
    }),
  );
});
