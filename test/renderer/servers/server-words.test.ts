import { describe, expect, test } from 'vitest';
import {
  claimChips,
  factWords,
  logAsText,
  logFromWords,
  retryWords,
  sourceWords,
  stateWords,
  toolStateWords,
  toolText,
  turnOnWords,
  whereWords,
} from '../../../src-renderer/servers/server-words';
import { tokenWords } from '../../../src-renderer/servers/review-words';
import { NOTHING_ABOUT, type ServerAbout } from '../../../src-shared/servers/server-about.schema';
import type { ServerRow, ServerSource, ServerStatus } from '../../../src-shared/servers/server.schema';
import type { ToolClaims, ToolState } from '../../../src-shared/tools/tool.schema';
import { sampleIds, serverRow } from '../sample-views';

const row = (change: Partial<ServerRow>): ServerRow => serverRow({ id: sampleIds.files, name: 'files', ...change });
const http = (endpoint: string): ServerRow['connection'] => ({ kind: 'http', endpoint, headers: [] });

const states: [status: ServerStatus, role: string, words: string][] = [
  [{ kind: 'on', connected: true }, 'stay', 'on'],
  [{ kind: 'on', connected: false }, 'stay', 'on · not started yet'],
  [{ kind: 'starting' }, 'off', 'starting…'],
  [{ kind: 'looking', phase: 'starting' }, 'off', 'starting, to look at its tools…'],
  [{ kind: 'looking', phase: 'ready' }, 'wait', 'looking at its tools'],
  [{ kind: 'off' }, 'off', 'off'],
  [{ kind: 'needs-review', because: 'never-approved' }, 'wait', 'needs review: never approved'],
  [{ kind: 'needs-review', because: 'changed-since-approved' }, 'wait', 'needs review: changed since you approved it'],
  [{ kind: 'needs-name', suggestion: 'meeting' }, 'wait', 'needs a short name'],
  [{ kind: 'refused', reason: 'Use an https address.' }, 'stop', 'refused: Use an https address.'],
  [{ kind: 'failed', problem: 'It ended.', log: [] }, 'stop', 'failed: It ended.'],
];
test.each(states)('S10: a server that is %j stands as %s, “%s”', (status, role, words) => {
  expect(stateWords(row({ status }))).toMatchObject({ role, words });
});

const waiting: [about: Partial<ServerAbout>, words: string][] = [
  [{ review: { changed: 2, added: 0, gone: 0 } }, '2 tools changed'],
  [{ review: { changed: 1, added: 3, gone: 0 } }, '1 tool changed, 3 new'],
  [{ review: { changed: 0, added: 1, gone: 0 } }, '1 new tool'],
  [{ review: { changed: 0, added: 0, gone: 1 } }, '1 tool is not listed any more'],
  [{ instructions: { state: 'changed', digest: null, told: true } }, 'its instructions changed'],
  [
    { review: { changed: 0, added: 2, gone: 2 }, instructions: { state: 'new', digest: null, told: false } },
    '2 new tools, 2 tools are not listed any more, it has new instructions',
  ],
];
test.each(waiting)('R4: a server that is on and of which %j waits needs review: %s', (about, words) => {
  const status = { kind: 'on', connected: true } as const;
  expect(stateWords(row({ status, about: { ...NOTHING_ABOUT, ...about } }))).toEqual({
    role: 'wait',
    words: `needs review: ${words}`,
  });
});

const costs: [tokens: number, words: string][] = [
  [0, 'about 0 tokens'],
  [1, 'about 1 token'],
  [999, 'about 999 tokens'],
  [1722, 'about 1.7k tokens'],
  [23_456, 'about 23k tokens'],
];
test.each(costs)('R7: %d tokens are “%s”', (tokens, words) => {
  expect(tokenWords(tokens)).toBe(words);
});

test('R7: a row says what its offered tools cost, and nothing where none is offered or not all are counted', () => {
  const on = (change: Partial<ServerRow>) =>
    factWords(row({ status: { kind: 'on', connected: true }, toolsTotal: 2, ...change }));
  const counted = { ...NOTHING_ABOUT, tokens: 300 };
  expect(on({ toolsOffered: 2, about: counted })).toEqual(['2 tools', 'about 300 tokens']);
  expect(on({ toolsOffered: 0, about: counted })).toEqual(['0 of 2 tools']);
  expect(on({ toolsOffered: 2 })).toEqual(['2 tools']);
});

test('E3: one that is on and leaves stands in the colour of leaving', () => {
  expect(stateWords(row({ status: { kind: 'on', connected: true }, leaves: true })).role).toBe('leave');
});

describe('the line of fact', () => {
  const facts: [change: Partial<ServerRow>, where: string, rest: string[]][] = [
    [{ status: { kind: 'on', connected: true }, toolsOffered: 13, toolsTotal: 14 }, 'runs here', ['13 of 14 tools']],
    [{ status: { kind: 'on', connected: true }, toolsOffered: 9, toolsTotal: 9 }, 'runs here', ['9 tools']],
    [{ status: { kind: 'on', connected: true } }, 'runs here', ['no tools']],
    [{ toolsTotal: 1 }, 'runs here', ['1 tool']],
    [{ leaves: true, where: 'mcp.example.com', connection: http('https://mcp.example.com/') }, 'leaves to mcp.example.com', []],
    [
      { where: '127.0.0.1:3000', connection: http('http://127.0.0.1:3000/') },
      'stays here',
      ['127.0.0.1:3000', 'another program on this computer receives it'],
    ],
    [{ source: { kind: 'imported', file: '/home/you/tools.json' } }, 'runs here', ['imported from tools.json']],
    [{ source: { kind: 'imported', file: 'C:\\you\\tools.json' } }, 'runs here', ['imported from tools.json']],
    [{ source: { kind: 'sample' } }, 'runs here', ['the sample']],
    [{ source: { kind: 'workspace', folder: '/home/you/app/' } }, 'runs here', ['from the workspace app']],
  ];
  test.each(facts)('E3, E7: of %j is “%s” and %j', (change, where, rest) => {
    expect([whereWords(row(change)), factWords(row(change))]).toEqual([where, rest]);
  });
});

const sources: [source: ServerSource, words: string][] = [
  [{ kind: 'you' }, 'you'],
  [{ kind: 'sample' }, 'you, as the sample server'],
  [{ kind: 'imported', file: '/home/you/tools.json' }, 'an import from /home/you/tools.json'],
  [{ kind: 'workspace', folder: '/home/you/app' }, 'the workspace /home/you/app'],
];
test.each(sources)('S8: %j was added by %s', (source, words) => {
  expect(sourceWords(source)).toBe(words);
});

const claims: [claims: ToolClaims, words: string[]][] = [
  [{}, []],
  [{ readOnly: true }, ['read-only']],
  [{ readOnly: false }, ['changes things']],
  [{ destructive: true }, ['destructive']],
  [{ idempotent: false, openWorld: false }, []],
  [{ destructive: false }, ['deletes nothing']],
  [{ readOnly: false, destructive: false }, ['changes things', 'deletes nothing']],
  [{ readOnly: true, destructive: false }, ['read-only']],
  [{ readOnly: true, destructive: true }, ['destructive', 'read-only']],
  [
    { readOnly: false, destructive: true, idempotent: true, openWorld: true },
    ['destructive', 'repeatable', 'reaches other systems'],
  ],
];
test.each(claims)('A3: the claims %j are shown as %j', (claimed, words) => {
  expect(claimChips(claimed).map((chip) => chip.words)).toEqual(words);
});

test('A3: only the claim that tightens is marked', () => {
  expect(claimChips({ destructive: true, readOnly: true, idempotent: true }).map(({ look }) => look)).toEqual([
    'warn',
    'plain',
    'plain',
  ]);
});

const toolStates: [state: ToolState, words: string | undefined][] = [
  ['on', undefined],
  ['off', 'off'],
  ['new', 'new'],
  ['changed', 'changed'],
  ['refused', 'refused'],
  ['skipped', 'skipped'],
];
test.each(toolStates)('R4: a tool that is %s says “%s”', (state, words) => {
  expect(toolStateWords(state)?.words).toBe(words);
});

test('R4: the button says how many tools it turns on', () => {
  expect([0, 1, 14].map(turnOnWords)).toEqual(['Turn on without tools', 'Turn on with 1 tool', 'Turn on with 14 tools']);
});

test('W5: a line of the log says whose words it holds', () => {
  expect((['stderr', 'stdout-noise', 'app'] as const).map(logFromWords)).toEqual([
    'the server',
    'the server, among its answers',
    'Portcullis',
  ]);
});

const texts: [rawName: string, title: string, description: string, shown: string, because: string][] = [
  ['write_file', 'Write File', 'Create a new file.', 'Create a new file.', 'the title repeats the name'],
  ['write_file', 'Save text', 'Create a new file.', 'Save text · Create a new file.', 'the title says more'],
  ['write_file', '', 'Create a new file.', 'Create a new file.', 'there is no title'],
  ['write_file', 'Save text', ' ', 'Save text', 'there is no description'],
  ['write_file', 'Write-File', '', '', 'there is nothing but the name'],
  ['найти', 'Поиск', 'Ищет.', 'Поиск · Ищет.', 'letters of every script count'],
];
test.each(texts)(
  'the line under %s with title “%s” and description “%s” reads “%s” (%s)',
  (rawName, title, description, shown) => {
    const text = toolText({ rawName, title, description });
    expect(text.title + text.rest).toBe(shown);
  },
);

test('W6: when a server that is down is tried again', () => {
  expect(retryWords(undefined)).toBe('The next call tries it again.');
  expect(retryWords(new Date(2026, 8, 3, 14, 3, 20).getTime())).toBe('The next call tries it again, from 14:03:20 on.');
});

test('W5: a log is copied with the time and the voice of each line', () => {
  const lines = [
    { at: 0, from: 'stderr', text: 'no disk' },
    { at: 1000, from: 'message', text: 'error: full' },
  ] as const;
  expect(logAsText(lines)).toBe(
    '1970-01-01T00:00:00.000Z the server: no disk\n1970-01-01T00:00:01.000Z the server, as a log message: error: full',
  );
});
