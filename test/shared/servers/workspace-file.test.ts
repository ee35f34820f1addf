import { describe, expect, test } from 'vitest';
import { readWorkspaceFile } from '../../../src-shared/servers/workspace-file';

const folder = '/home/you/app';
const read = (file: unknown) => {
  const found = readWorkspaceFile(typeof file === 'string' ? file : JSON.stringify(file), folder);
  if (!found.ok) throw new Error(found.problem);
  return found.value;
};
const drafts = (file: unknown) => read(file).map(({ key, draft }) => [key, draft.ok ? draft.value.connection : draft.problem]);
const literal = (value: string) => ({ kind: 'literal', value });

describe('readWorkspaceFile', () => {
  test('T3: a program runs in the folder of the workspace, unless the entry says where', () => {
    const servers = {
      plain: { command: './server.sh' },
      inside: { command: 'node', cwd: 'tools' },
      elsewhere: { command: 'node', cwd: '/opt/x' },
      variable: { command: 'node', cwd: '${BASE}/x' },
    };
    expect(drafts({ servers }).map(([key, connection]) => [key, (connection as { cwd: string }).cwd])).toEqual([
      ['plain', folder],
      ['inside', `${folder}/tools`],
      ['elsewhere', '/opt/x'],
      ['variable', '${BASE}/x'],
    ]);
  });

  test('S6: the folder itself is put where an entry names it, and never into an address', () => {
    const mcpServers = {
      a: { command: '${workspaceFolder}/run', args: ['--root=${workspaceFolder}'], env: { ROOT: '${workspaceFolder}' } },
      b: { url: 'https://a.example/?at=${workspaceFolder}' },
    };
    expect(drafts({ mcpServers })).toEqual([
      [
        'a',
        {
          kind: 'stdio',
          command: `${folder}/run`,
          args: [literal(`--root=${folder}`)],
          env: [{ name: 'ROOT', value: literal(folder) }],
          cwd: folder,
        },
      ],
      ['b', { kind: 'http', endpoint: 'https://a.example/?at=${workspaceFolder}', headers: [] }],
    ]);
  });

  test('T1: an argument that would be hidden in the review is refused, whatever it holds', () => {
    const [entry] = read({ servers: { a: { command: 'run', args: ['x', '--token=abc123'] } } });
    expect(entry?.draft).toMatchObject({
      ok: false,
      problem: expect.stringContaining('no argument is hidden in a review') as string,
    });
  });

  test('S2, S9: each entry that breaks a rule keeps its reason and costs no other', () => {
    const servers = {
      both: { command: 'x', url: 'https://a.example' },
      plain: { url: 'http://a.example' },
      asks: { url: 'https://a.example', headers: { 'X-Key': '${input:key}' } },
      text: 'x',
      good: { command: 'x' },
    };
    expect(read({ servers, inputs: [{ id: 'key' }] }).map(({ key, draft }) => [key, draft.ok])).toEqual([
      ['both', false],
      ['plain', false],
      ['asks', false],
      ['text', false],
      ['good', true],
    ]);
  });

  test('S11: of two entries with one name each has a key of its own', () => {
    const servers = [
      { name: 'a', command: 'x' },
      { name: 'a', command: 'y' },
    ];
    expect(read({ servers }).map(({ key }) => key)).toEqual(['a', 'a (2)']);
  });

  test.each(['{"servers": {}, "inputs": []}', '{}', '[]', '{"mcpServers": []}'])(
    'S9: %s lists nothing, and nothing is wrong',
    (text) => {
      expect(read(text)).toEqual([]);
    },
  );

  test.each([
    ['', 'It cannot be read as JSON.'],
    ['{"servers": {', 'It cannot be read as JSON.'],
    [
      JSON.stringify({ servers: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`s${n}`, { command: 'x' }])) }),
      '50 entries',
    ],
  ])('T3: %.20s is refused whole', (text, words) => {
    expect(readWorkspaceFile(text, folder)).toMatchObject({ ok: false, problem: expect.stringContaining(words) as string });
  });
});
