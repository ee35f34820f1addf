import { describe, expect, test } from 'vitest';
import type { GrantFacts } from '../../../src-main/approvals/chat-grants';
import { FlowGate } from '../../../src-main/approvals/flow-gate';
import type { ConversationId } from '../../../src-shared/conversations/conversation.schema';
import type { ServerId } from '../../../src-shared/servers/server.schema';
import { userAttaches } from '../../support/conversation-entries';

const chat = 'chat-1' as ConversationId;

describe('FlowGate', () => {
  const tool: GrantFacts = {
    conversationId: chat,
    caller: 'model',
    serverId: 'issues' as ServerId,
    rawName: 'create_issue',
    fingerprint: 'f',
    definition: 'd' as never,
  };
  const changes: [what: string, change: Partial<GrantFacts>][] = [
    ['another chat', { conversationId: 'chat-2' as never }],
    ['another kind of caller', { caller: 'you' }],
    ['another server', { serverId: 'notes' as never }],
    ['another tool', { rawName: 'delete' }],
    ['a server that would start differently', { fingerprint: 'g' }],
    ['a definition that changed', { definition: 'e' as never }],
  ];
  const covered = () => {
    const gate = new FlowGate(() => [userAttaches('look', 'plan.md')]);
    const sources = gate.sourcesIn(chat);
    gate.cover(tool, sources);
    return { gate, sources };
  };

  test.each(changes)('A6: what is covered is new to %s', (_what, change) => {
    const { gate, sources } = covered();
    expect(gate.newFor(tool, sources)).toEqual([]);
    expect(gate.newFor({ ...tool, ...change }, sources)).toHaveLength(1);
  });

  test('A6: a chat and a server take what was covered with them', () => {
    const first = covered();
    first.gate.forgetConversation(chat);
    expect(first.gate.newFor(tool, first.sources)).toHaveLength(1);
    const second = covered();
    second.gate.forgetServer(tool.serverId);
    expect(second.gate.newFor(tool, second.sources)).toHaveLength(1);
  });

  test('A6: what comes in later is not among what was looked at', () => {
    const entries = [userAttaches('look', 'plan.md')];
    const gate = new FlowGate(() => entries);
    const before = gate.sourcesIn(chat);
    entries.push(userAttaches('and', 'more.md'));
    expect([before.length, gate.sourcesIn(chat).length]).toEqual([1, 2]);
  });
});
