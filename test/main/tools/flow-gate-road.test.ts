import { describe, expect, test } from 'vitest';
import type { Question, Settled } from '../../../src-main/approvals/approval-broker';
import { ServerPauses } from '../../../src-main/approvals/server-pauses';
import { FlowGate } from '../../../src-main/approvals/flow-gate';
import type { McpSession } from '../../../src-main/sessions/mcp-session';
import type { ToolCallRequest } from '../../../src-main/tools/call-decision';
import type { OfferedTool } from '../../../src-main/tools/tool-catalog';
import { ToolPipeline } from '../../../src-main/tools/tool-pipeline';
import type { ToolApproval } from '../../../src-shared/approvals/approval.schema';
import { visibleToString } from '../../../src-shared/base/visible-text';
import { ok } from '../../../src-shared/base/result';
import type { ConversationEntry, ConversationId } from '../../../src-shared/conversations/conversation.schema';
import type { ServerId } from '../../../src-shared/servers/server.schema';
import { definitionDigest } from '../../../src-shared/tools/definition-digest';
import { toolForModel } from '../../../src-shared/tools/description-rule';
import type { ToolClaims } from '../../../src-shared/tools/tool.schema';
import { userAttaches } from '../../support/conversation-entries';
import { FakeClock } from '../../support/fake-clock';

const chat = 'chat-1' as ConversationId;
const STANDUP = 'Gate fails when a folder is renamed while it is open. Nobody has looked at it.';
const LONG = 'x'.repeat(30_000);

function offered(serverId: string, rawName: string, claims: ToolClaims = {}): OfferedTool {
  const definition = { rawName, description: '', inputSchema: { type: 'object' }, claims };
  const offer = {
    published: `${serverId}__${rawName}`,
    serverId: serverId as ServerId,
    serverName: serverId,
    rawName,
    definition,
    digest: definitionDigest(definition),
  };
  return { ...offer, forModel: toolForModel(offer) };
}

/** Two servers, every tool of which is allowed already, in this chat or always. */
function setUp({ answers = [] as Settled[], grant = 'this-chat' as 'this-chat' | 'always' | 'none' } = {}) {
  const tools = [
    offered('files', 'read_text_file', { readOnly: true }),
    offered('files', 'write_file'),
    offered('files', 'read_log'),
    offered('issues', 'create_issue', { readOnly: true, destructive: false }),
    offered('issues', 'delete_issue', { destructive: true }),
  ];
  const entries: ConversationEntry[] = [];
  const asked: ToolApproval[] = [];
  const marked = new Set<string>();
  const kept = new Map<string, string>();
  const state = { autopilot: false, said: STANDUP };
  const session = {
    transportKind: 'http',
    callTool: async () => ({
      ok: true,
      raw: { content: [{ type: 'text', text: state.said }] },
      figures: { ms: 1, bytesOut: 1, bytesIn: 1, address: null },
    }),
  } as unknown as McpSession;
  const flow = new FlowGate(() => entries);
  const pipelineWith = (gate: FlowGate) =>
    new ToolPipeline({
      clock: new FakeClock(),
      catalog: {
        offered: () => tools,
        findPublished: (name) => tools.find((tool) => tool.published === name) ?? null,
        findPicked: (id, rawName) => tools.find((tool) => tool.serverId === id && tool.rawName === rawName) ?? null,
        isStillOffered: () => true,
      },
      broker: {
        pauses: new ServerPauses(() => undefined),
        ask: async (question: Question) => {
          if (question.kind === 'tool-call') asked.push(question as ToolApproval);
          return answers.shift() ?? { kind: 'refused', why: 'user' };
        },
      },
      grants: { standing: () => grant, use: () => 'allowed in this chat', remember: () => 'allowed it once' },
      flow: gate,
      isMarkedReadsOnly: ({ published }) => marked.has(published),
      isAutopilotOn: () => state.autopilot,
      faceOf: (id) => ({ name: id, namespace: id, where: `/usr/bin/${id}`, leaves: false, fingerprint: 'f' }),
      useSession: async () => ok(session),
      conversations: { append: (_id, entry) => entries.push(entry) > 0 },
      kept: {
        keep: (_id, text) => {
          kept.set('out-1', text);
          return 'out-1';
        },
        read: (_id, handle) => kept.get(handle),
      },
      mask: (text) => text.replaceAll('hunter2', '[secret]'),
      recordProgramCall: () => ({ done: () => undefined }),
    });
  let pipeline = pipelineWith(flow);
  let calls = 0;
  const call = (name: string, args: object = {}, changes: Partial<ToolCallRequest> = {}) =>
    pipeline.call({
      conversationId: chat,
      caller: 'model',
      callId: `call-${(calls += 1)}`,
      target: { kind: 'named', name },
      argumentsText: JSON.stringify(args),
      signal: new AbortController().signal,
      ...changes,
    });
  const restart = (): void => void (pipeline = pipelineWith(new FlowGate(() => entries)));
  return { call, asked, entries, marked, state, flow, restart };
}

const once: Settled = { kind: 'allowed', reach: 'once' };
const namesOf = (sheet: ToolApproval | undefined): string[] =>
  (sheet?.sources ?? []).map(({ serverName, name, fresh }) => `${serverName} · ${visibleToString(name)} ${fresh}`);

describe('the flow gate on the road to a tool', () => {
  test.each(['this-chat', 'always'] as const)(
    'X9, H11: a tool of B that is allowed %s asks after a result of A, and names A',
    async (grant) => {
      const { call, asked } = setUp({ grant });
      expect(await call('files__read_text_file')).toMatchObject({ kind: 'answered' });
      expect(asked).toEqual([]);
      expect(await call('issues__create_issue')).toMatchObject({ kind: 'not-run', why: 'user' });
      expect(namesOf(asked[0])).toEqual(['files · read_text_file 1']);
      expect(asked[0]?.because.join(' ')).toContain('Text from files · read_text_file is in this chat');
    },
  );

  test('X9, H11: so does A’s own writer, and the reader itself does not', async () => {
    const { call, asked } = setUp();
    await call('files__read_text_file');
    await call('files__read_text_file');
    expect(asked).toEqual([]);
    await call('files__write_file');
    expect(namesOf(asked[0])).toEqual(['files · read_text_file 2']);
  });

  test('A6: answered once it does not ask again for that source; what came since is on one sheet', async () => {
    const { call, asked, marked } = setUp({ answers: [once, once] });
    for (const name of ['files__read_text_file', 'files__read_log']) marked.add(name);
    await call('files__read_text_file');
    await call('issues__create_issue');
    await call('issues__create_issue');
    expect(asked).toHaveLength(1);
    await call('files__read_text_file');
    await call('files__read_log');
    await call('files__read_log');
    expect(asked).toHaveLength(1);
    await call('issues__create_issue');
    expect(namesOf(asked[1])).toEqual(['files · read_text_file 1', 'files · read_log 2']);
    await call('issues__create_issue');
    expect(asked).toHaveLength(2);
  });

  test('A6: a reader that nobody marked asks for the answer of the writer', async () => {
    const { call, asked } = setUp({ answers: [once] });
    await call('files__read_text_file');
    await call('issues__create_issue');
    await call('files__read_text_file');
    expect(namesOf(asked[1])).toEqual(['issues · create_issue 1']);
  });

  test('A6: a refusal covers nothing', async () => {
    const { call, asked } = setUp();
    await call('files__read_text_file');
    await call('issues__create_issue');
    await call('issues__create_issue');
    expect(asked).toHaveLength(2);
  });

  test('A6: what is covered for one tool, caller or chat is new to another', async () => {
    const { call, asked } = setUp({ answers: [once] });
    await call('files__read_text_file');
    await call('issues__create_issue');
    await call('files__write_file');
    await call('issues__create_issue', {}, { caller: 'you' });
    expect(asked).toHaveLength(3);
  });

  test('A6: a call by hand asks too, though a person wrote it', async () => {
    const { call, asked } = setUp();
    await call('files__read_text_file', {}, { caller: 'you' });
    await call('issues__create_issue', {}, { caller: 'you' });
    expect(namesOf(asked[0])).toEqual(['files · read_text_file 1']);
  });

  test('A6: the command line belongs to no chat', async () => {
    const { call, asked } = setUp();
    await call('files__read_text_file');
    expect(await call('issues__create_issue', {}, { caller: 'command-line' })).toMatchObject({ kind: 'answered' });
    expect(asked).toEqual([]);
  });

  test('A6: what the user attached is a source for every tool', async () => {
    const { call, asked, entries } = setUp();
    entries.push(userAttaches('look', 'plan.md'));
    await call('files__read_text_file');
    expect(namesOf(asked[0])).toEqual(['Notes · plan.md 1']);
  });

  test('A6, O3: read_output asks nothing, and a page of A is text of A', async () => {
    const { call, asked, state } = setUp({ answers: [once] });
    state.said = LONG;
    await call('files__read_text_file');
    await call('issues__create_issue');
    expect(await call('read_output', { handle: 'out-1', offset: 9000 })).toMatchObject({ kind: 'answered', pageOf: 'out-1' });
    await call('issues__create_issue');
    expect(asked, 'no new source').toHaveLength(1);
    await call('files__write_file');
    expect(namesOf(asked[1])).toEqual(['files · read_text_file 1', 'issues · create_issue 2']);
  });

  test('A6: only the mark of the user exempts a tool, and no hint does', async () => {
    const { call, asked, marked } = setUp();
    await call('files__read_text_file');
    await call('issues__create_issue');
    expect(asked, 'it claims to read only').toHaveLength(1);
    marked.add('issues__create_issue');
    expect(await call('issues__create_issue')).toMatchObject({ kind: 'answered' });
    expect(asked).toHaveLength(1);
  });

  test('A6: the mark exempts from this gate and from no other', async () => {
    const { call, asked, marked } = setUp();
    for (const name of ['issues__create_issue', 'issues__delete_issue']) marked.add(name);
    await call('issues__create_issue', { body: 'AKIA' + 'ABCDEFGHIJKLMNOP' });
    await call('issues__delete_issue');
    expect(asked.map(({ strength }) => strength)).toEqual(['ask', 'ask-harder']);
  });

  test('A4, A6: autopilot opens nothing of a server, with or without text of others', async () => {
    const none = setUp({ grant: 'none' });
    none.state.autopilot = true;
    await none.call('files__read_text_file');
    expect(none.asked).toHaveLength(1);
    const granted = setUp();
    granted.state.autopilot = true;
    await granted.call('files__read_text_file');
    await granted.call('issues__create_issue');
    expect(granted.asked).toHaveLength(1);
  });

  test('A6: after a restart the sources of a stored chat count as new', async () => {
    const { call, asked, restart } = setUp({ answers: [once, once] });
    await call('files__read_text_file');
    await call('issues__create_issue');
    restart();
    await call('issues__create_issue');
    expect(namesOf(asked[1])).toEqual(['files · read_text_file 1']);
  });

  test('A6: of calls made at once, none is held for what another one brings in', async () => {
    const { call, asked } = setUp();
    await Promise.all([call('files__read_text_file'), call('issues__create_issue')]);
    expect(asked).toEqual([]);
  });

  test('A6: the sheet says in which argument a source’s words stand, and marks them', async () => {
    const { call, asked } = setUp();
    await call('files__read_text_file');
    await call('issues__create_issue', { title: 'Gate fails', body: `Seen today:\n${STANDUP}\nAda` });
    const [title, body] = asked[0]!.arguments;
    expect(title?.value.some(({ source }) => source !== undefined)).toBe(false);
    expect(body?.value.filter(({ source }) => source === 0).map(({ text }) => text)).toEqual([STANDUP]);
    expect(visibleToString(body!.value)).toBe(`Seen today:\n${STANDUP}\nAda`);
  });

  test('A6, A7: a key inside of a source’s words is marked as both', async () => {
    const { call, asked, state } = setUp();
    const key = 'AKIA' + 'ABCDEFGHIJKLMNOP';
    state.said = `The key of the staging account is ${key} and nobody rotates it.`;
    await call('files__read_text_file');
    await call('issues__create_issue', { body: state.said });
    const both = asked[0]!.arguments[0]!.value.filter(({ marked, source }) => marked && source === 0);
    expect(both.map(({ text }) => text)).toEqual([key]);
    expect(asked[0]!.offers).toEqual(['once']);
  });

  test('A6: words of a source that was covered are told of too, and hold nothing', async () => {
    const { call, asked } = setUp({ grant: 'none', answers: [once, once, once] });
    await call('files__read_text_file');
    await call('issues__create_issue');
    await call('issues__create_issue', { body: STANDUP });
    expect(namesOf(asked[2])).toEqual(['files · read_text_file 0']);
    expect(asked[2]!.because.join(' ')).not.toContain('Text from');
  });
});
