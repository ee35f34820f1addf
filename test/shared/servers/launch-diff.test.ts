import { describe, expect, test } from 'vitest';
import type { LaunchPlan } from '../../../src-shared/approvals/approval.schema';
import type { DiffText } from '../../../src-shared/base/diff-text.schema';
import { toVisibleText } from '../../../src-shared/base/visible-text';
import { diffLaunches, planToKeep } from '../../../src-shared/servers/launch-diff';

type Program = Extract<LaunchPlan, { kind: 'stdio' }>;
const text = (value: string) => ({ kind: 'shown' as const, value: toVisibleText(value) });
const program = (args: string[], more: Partial<Program> = {}): Program => ({
  kind: 'stdio',
  command: toVisibleText('uvx'),
  realPath: toVisibleText('/usr/bin/uvx'),
  args: args.map(text),
  cwd: toVisibleText('/home/you'),
  env: [],
  flags: [],
  ...more,
});
const address = (url: string, more: Partial<Extract<LaunchPlan, { kind: 'http' }>> = {}): LaunchPlan => ({
  kind: 'http',
  host: new URL(url).host,
  address: toVisibleText(url),
  headers: [],
  flags: [],
  ...more,
});
const plain = (side: DiffText | null): string | null => side?.map((segment) => segment.text).join('') ?? null;
const rowsOf = (before: LaunchPlan, after: LaunchPlan): string[] =>
  diffLaunches(before, after)
    .rows.filter(({ changed }) => changed)
    .map((row) => `${row.part}: ${plain(row.before)} > ${plain(row.after)}`);

describe('diffLaunches', () => {
  const table: [because: string, before: LaunchPlan, after: LaunchPlan, rows: string[]][] = [
    ['nothing', program(['a']), program(['a']), []],
    [
      'a version and one argument more (H8)',
      program(['photo==2.1.0', '--root', '/home/you']),
      program(['photo==2.2.0', '--root', '/home/you', '--allow-upload']),
      ['argument 1: photo==2.1.0 > photo==2.2.0', 'argument 4: null > --allow-upload'],
    ],
    ['an argument put in front', program(['a', 'b']), program(['x', 'a', 'b']), ['argument 1: null > x']],
    ['an argument taken away', program(['a', 'b', 'c']), program(['a', 'c']), ['argument 2 of then: b > null']],
    [
      'two that changed places',
      program(['a', 'b']),
      program(['b', 'a']),
      ['argument 1 of then: a > null', 'argument 2: null > a'],
    ],
    [
      'the program itself (H2)',
      program([]),
      program([], { realPath: toVisibleText('/tmp/uvx') }),
      ['program: /usr/bin/uvx > /tmp/uvx'],
    ],
    ['the folder', program([]), program([], { cwd: toVisibleText('/') }), ['folder: /home/you > /']],
    [
      'a variable (X8)',
      program([], { env: [{ name: toVisibleText('PATH'), value: text('/usr/bin'), from: 'this-computer' }] }),
      program([], {
        env: [
          { name: toVisibleText('PATH'), value: text('/usr/bin'), from: 'this-computer' },
          { name: toVisibleText('NODE_OPTIONS'), value: text('--import x'), from: 'entry' },
        ],
      }),
      ['NODE_OPTIONS: null > --import x'],
    ],
    [
      'a secret for a plain value',
      program([], { env: [{ name: toVisibleText('KEY'), value: { kind: 'secret' }, from: 'entry' }] }),
      program([], { env: [{ name: toVisibleText('KEY'), value: text('plain'), from: 'entry' }] }),
      ['KEY: a secret, from the keychain > plain'],
    ],
    [
      'an address',
      address('https://a.example/mcp'),
      address('https://b.example/mcp'),
      ['address: https://a.example/mcp > https://b.example/mcp'],
    ],
    [
      'a header',
      address('https://a.example/mcp'),
      address('https://a.example/mcp', { headers: [{ name: 'X-Key', value: { kind: 'secret' } }] }),
      ['header X-Key: null > a secret, from the keychain'],
    ],
    [
      'the transport',
      address('https://a.example/mcp'),
      address('https://a.example/mcp', { flags: [{ on: { kind: 'command' }, text: 'Over SSE.' }] }),
      ['remark “Over SSE.”: null > Over SSE.'],
    ],
    [
      'where a variable comes from',
      address('https://a.example/mcp', {
        variables: [{ name: toVisibleText('T'), from: 'default', usedIn: 'the address', value: { kind: 'hidden' } }],
      }),
      address('https://a.example/mcp', {
        variables: [{ name: toVisibleText('T'), from: 'keychain', usedIn: 'the address', value: { kind: 'secret' } }],
      }),
      ['T, into the address: the default in the entry > a secret, from the keychain'],
    ],
    [
      'a program for an address',
      program([]),
      address('https://a.example/mcp'),
      [
        'address: null > https://a.example/mcp',
        'program: /usr/bin/uvx > null',
        'command as typed: uvx > null',
        'folder: /home/you > null',
      ],
    ],
  ];
  test.each(table)('T2: %s', (_because, before, after, rows) => {
    expect(rowsOf(before, after)).toEqual(rows);
    expect(diffLaunches(before, after).changed).toBe(rows.length);
  });

  test('T2: what runs is listed whole beside what changed, and what merely surrounds it is not', () => {
    const diff = diffLaunches(program(['a', 'b']), program(['a', 'c']));
    expect(diff.rows.map(({ part, changed }) => `${part} ${changed}`)).toEqual([
      'program false',
      'argument 1 false',
      'argument 2 true',
    ]);
  });

  test('T2: a plan that is too long is not kept', () => {
    expect(planToKeep(program(['a']))).toEqual(program(['a']));
    expect(planToKeep(program(['a'.repeat(70_000)]))).toBeNull();
  });
});
