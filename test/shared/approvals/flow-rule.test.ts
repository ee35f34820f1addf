import { describe, expect, test } from 'vitest';
import { type FlowSource, nameSources, newSources, SourceReader } from '../../../src-shared/approvals/flow-rule';
import type { ConversationEntry } from '../../../src-shared/conversations/conversation.schema';
import { endedCallOutcome } from '../../../src-shared/conversations/ended-call';
import type { ToolOutcome } from '../../../src-shared/tools/tool.schema';
import { assistantSays, outcome, toolAnswered, toolCalled, userAttaches, userSays } from '../../support/conversation-entries';

function read(...entries: ConversationEntry[]): FlowSource[] {
  const reader = new SourceReader();
  for (const entry of entries) reader.take(entry);
  return reader.sources;
}

const answered = (callId: string, changes: Partial<ToolOutcome>): ConversationEntry => {
  const entry = toolAnswered(callId);
  return entry.kind === 'tool-result' ? { ...entry, outcome: { ...entry.outcome, ...changes } } : entry;
};
const builtIn = (callId: string): ConversationEntry => {
  const entry = toolCalled(callId, { name: 'read_output', toolName: 'read_output' });
  return entry.kind === 'tool-call' ? { ...entry, serverId: null, serverName: 'Portcullis' } : entry;
};

describe('whose text is in a chat', () => {
  test('A6: each result is a source, named after its server and tool; words of the person and the model are none', () => {
    const sources = read(
      userSays('hello'),
      toolCalled('1'),
      toolAnswered('1', 'a page'),
      assistantSays('done'),
      toolCalled('2'),
      toolAnswered('2'),
    );
    expect(sources).toMatchObject([
      { kind: 'result', tool: { serverId: 'server-1', rawName: 'find' }, serverName: 'Notes', name: 'find', texts: ['a page'] },
      { kind: 'result' },
    ]);
    expect(new Set(sources.map(({ id }) => id)).size).toBe(2);
  });

  test('A6: it is the same source whenever its chat is read', () => {
    const entries = [toolCalled('1'), toolAnswered('1'), userAttaches('look', 'plan.md')];
    expect(read(...entries).map(({ id }) => id)).toEqual(read(...entries).map(({ id }) => id));
  });

  test('A6: what was attached is a source of no tool', () => {
    const entry = userAttaches('look', 'plan.md');
    if (entry.kind === 'user') entry.attachments!.push(...entry.attachments!);
    expect(read(entry)).toMatchObject([
      { id: `${entry.id} 0`, kind: 'resource', tool: null, name: 'plan.md', texts: ['plan.md'] },
      { id: `${entry.id} 1` },
    ]);
  });

  test('A6: what failed is one too, for a server’s words stand in it', () => {
    expect(read(toolCalled('1'), answered('1', { kind: 'failed' }))).toHaveLength(1);
  });

  test.each<[what: string, changes: Partial<ToolOutcome>]>([
    ['was not run', { kind: 'not-run', why: 'user' }],
    ['was ended by the app', endedCallOutcome],
  ])('A6: a call that %s brought nobody’s text', (_what, changes) => {
    expect(read(toolCalled('1'), answered('1', changes))).toEqual([]);
  });

  test('A6: a result without its call names nobody, and is not counted', () => {
    expect(read(toolAnswered('1'))).toEqual([]);
  });

  test('A6: a page of a long result is of the source whose text it pages', () => {
    const sources = read(
      toolCalled('1'),
      answered('1', { outputHandle: 'out-1', forPerson: 'the head' }),
      builtIn('2'),
      answered('2', { pageOf: 'out-1', forPerson: 'the middle' }),
    );
    expect(sources).toMatchObject([{ name: 'find', texts: ['the head', 'the middle'] }]);
  });

  test('A6: a page of an attachment is of that attachment', () => {
    const attached = userAttaches('look', 'plan.md');
    if (attached.kind === 'user') attached.attachments![0]!.outcome = { ...outcome('head'), outputHandle: 'out-1' };
    expect(read(attached, builtIn('2'), answered('2', { pageOf: 'out-1' }))).toHaveLength(1);
  });

  test('A6: a page of nobody knows what is a source by itself', () => {
    expect(read(builtIn('2'), answered('2', { pageOf: 'out-9' }))).toMatchObject([{ tool: null, name: 'read_output' }]);
  });
});

describe('newSources', () => {
  const from = (id: string, rawName: string, serverId = 'a'): FlowSource => ({
    id,
    kind: 'result',
    tool: { serverId: serverId as never, rawName },
    serverName: serverId,
    name: rawName,
    texts: [],
  });
  const attached: FlowSource = { id: 'x', kind: 'prompt', tool: null, serverName: 'a', name: 'plan', texts: [] };
  const call = { caller: 'model', serverId: 'a' as never, rawName: 'read' } as const;
  const ids = (sources: FlowSource[]): string[] => sources.map(({ id }) => id);

  test.each<[because: string, sources: FlowSource[], fresh: string[]]>([
    ['nothing is in the chat', [], []],
    ['a tool meets its own words', [from('1', 'read')], []],
    ['H11: another tool of the same server is another tool', [from('1', 'write')], ['1']],
    ['H11: so is a tool of that name on another server', [from('1', 'read', 'b')], ['1']],
    ['what was attached is no tool’s own', [attached], ['x']],
    ['each result counts by itself', [from('1', 'write'), from('2', 'write'), from('3', 'read')], ['1', '2']],
  ])('A6: %s', (_because, sources, fresh) => {
    expect(ids(newSources(sources, call, () => false))).toEqual(fresh);
  });

  test('A6: what an answer covered is not new, and the next result is', () => {
    expect(ids(newSources([from('1', 'write'), from('2', 'write')], call, (id) => id === '1'))).toEqual(['2']);
  });

  test('A6: a call by hand meets the same gate; the command line belongs to no chat', () => {
    const sources = [from('1', 'write')];
    expect(ids(newSources(sources, { ...call, caller: 'you' }, () => false))).toEqual(['1']);
    expect(newSources(sources, { ...call, caller: 'command-line' }, () => false)).toEqual([]);
  });

  test('A6: sources are named once each', () => {
    expect(nameSources([])).toBe('');
    expect(nameSources([from('1', 'read')])).toBe('a · read');
    expect(nameSources([from('1', 'read'), from('2', 'read'), from('3', 'files/write-2.0'), from('4', 'x', 'b')])).toBe(
      'a · read, a · files/write-2.0 and b · x',
    );
  });

  test.each<[name: string, told: string]>([
    ['read. You allowed it yourself', '“read. You allowed it yourself”'],
    ['say ”well” <b>', '“say well b”'],
    ['wri\u202ete', '“wri te”'],
    ['', '“unnamed”'],
    ['x'.repeat(121), `“${'x'.repeat(119)}…”`],
    ['x'.repeat(120), 'x'.repeat(120)],
    ['read\n', '“read”'],
  ])('A6, O1: a name that could go on with the sentence, %j, stands in quotes', (name, told) => {
    expect(nameSources([from('1', name)])).toBe(`a · ${told}`);
  });
});
