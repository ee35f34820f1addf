import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConversationEntry } from '../../../src-shared/conversations/conversation.schema';
import { endedCallOutcome } from '../../../src-shared/conversations/ended-call';
import { toModelHistory, type ModelMessage } from '../../../src-shared/conversations/history';
import { assistantSays, toolAnswered, toolCalled, userAttaches, userSays } from '../../support/conversation-entries';

const user = (text: string): ModelMessage => ({ role: 'user', text });
const tool = (callId: string, text = `result of ${callId}`): ModelMessage => ({ role: 'tool', callId, text });
const assistant = (text: string, ...callIds: string[]): ModelMessage => ({
  role: 'assistant',
  text,
  toolCalls: callIds.map((callId) => ({ callId, name: 'notes__find', argumentsText: '{"q":"a"}' })),
});
const byHand = { caller: 'you' as const };

const tellings: [because: string, entries: ConversationEntry[], messages: ModelMessage[]][] = [
  ['nothing', [], []],
  [
    'what was attached, in the turn of the user and under the name of its server (W8)',
    [userAttaches('look', 'Plan'), userAttaches('', 'Map')],
    [
      user(
        'look\n\nThe user attached the resource "Plan" from the "Notes" MCP server:\nPlan\n\n' +
          'The user attached the resource "Map" from the "Notes" MCP server:\nMap',
      ),
    ],
  ],
  ['question and answer', [userSays('q'), assistantSays('a')], [user('q'), assistant('a')]],
  [
    'a call and its result, then the answer',
    [userSays('q'), assistantSays('', 'tool-calls'), toolCalled('1'), toolAnswered('1'), assistantSays('a')],
    [user('q'), assistant('', '1'), tool('1'), assistant('a')],
  ],
  [
    'two calls of one turn, answered the other way round',
    [assistantSays('t', 'tool-calls'), toolCalled('1'), toolCalled('2'), toolAnswered('2'), toolAnswered('1')],
    [assistant('t', '1', '2'), tool('1'), tool('2')],
  ],
  [
    'calls logged one after another with their results',
    [assistantSays('t', 'tool-calls'), toolCalled('1'), toolAnswered('1'), toolCalled('2'), toolAnswered('2')],
    [assistant('t', '1', '2'), tool('1'), tool('2')],
  ],
  [
    'a call that was never answered',
    [assistantSays('', 'tool-calls'), toolCalled('1'), userSays('next')],
    [assistant('', '1'), tool('1', endedCallOutcome.forModel), user('next')],
  ],
  [
    'a call without an assistant’s message',
    [userSays('q'), toolCalled('1'), toolAnswered('1')],
    [user('q'), assistant('', '1'), tool('1')],
  ],
  [
    'a result twice, and one of no call',
    [assistantSays('', 'tool-calls'), toolCalled('1'), toolAnswered('1'), toolAnswered('1', 'again'), toolAnswered('9')],
    [assistant('', '1'), tool('1')],
  ],
  [
    'a result that comes after the next question',
    [assistantSays('', 'tool-calls'), toolCalled('1'), userSays('next'), toolAnswered('1')],
    [assistant('', '1'), tool('1', endedCallOutcome.forModel), user('next')],
  ],
  [
    'the same call id in two turns',
    [
      assistantSays('', 'tool-calls'),
      toolCalled('1'),
      toolAnswered('1', 'x'),
      assistantSays('', 'tool-calls'),
      toolCalled('1'),
      toolAnswered('1', 'y'),
    ],
    [assistant('', '1'), tool('1', 'x'), assistant('', '1'), tool('1', 'y')],
  ],
  [
    'an answer that was stopped before its first word',
    [userSays('q'), assistantSays('', 'stopped'), userSays('r')],
    [user('q\n\nr')],
  ],
];
test.each(tellings)('A8: tells %s', (_because, entries, messages) => {
  expect(toModelHistory(entries)).toEqual(messages);
});

describe('what the user ran by hand', () => {
  test('is told as the user’s word, with arguments and result', () => {
    const history = toModelHistory([toolCalled('1', byHand), toolAnswered('1', '<tool_output>r</tool_output>')]);
    expect(history).toEqual([
      user('The user ran notes__find by hand with these arguments: {"q":"a"}\nIt answered:\n<tool_output>r</tool_output>'),
    ]);
  });

  test('A8: does not come between the model’s calls and their results', () => {
    const entries = [
      assistantSays('', 'tool-calls'),
      toolCalled('1'),
      toolCalled('hand', byHand),
      toolAnswered('hand'),
      toolCalled('2'),
      toolAnswered('1'),
      toolAnswered('2'),
    ];
    expect(toModelHistory(entries).map((message) => message.role)).toEqual(['assistant', 'tool', 'tool', 'user']);
  });

  test('is told as open while it runs', () => {
    expect(toModelHistory([toolCalled('1', byHand)])).toEqual([
      expect.objectContaining({ text: expect.stringContaining('has not answered') }),
    ]);
  });
});

const repaired: [
  because: string,
  call: { name?: string; argumentsText?: string },
  told: { name: string; argumentsText: string },
][] = [
  ['no arguments', { argumentsText: '' }, { name: 'notes__find', argumentsText: '{}' }],
  ['broken arguments', { argumentsText: '{"q":' }, { name: 'notes__find', argumentsText: '{}' }],
  ['arguments that are no object', { argumentsText: '[1]' }, { name: 'notes__find', argumentsText: '{}' }],
  [
    'a large number',
    { argumentsText: '{"n":12345678901234567890}' },
    { name: 'notes__find', argumentsText: '{"n":12345678901234567890}' },
  ],
  ['a name no provider takes', { name: 'notes.find it' }, { name: 'notes_find_it', argumentsText: '{"q":"a"}' }],
  ['no name', { name: '' }, { name: 'unknown', argumentsText: '{"q":"a"}' }],
  ['a name that is too long', { name: 'n'.repeat(70) }, { name: 'n'.repeat(64), argumentsText: '{"q":"a"}' }],
];
test.each(repaired)('N5: keeps the history legal for every provider with %s', (_because, call, told) => {
  expect(toModelHistory([toolCalled('1', call), toolAnswered('1')])[0]).toEqual({
    role: 'assistant',
    text: '',
    toolCalls: [{ callId: '1', ...told }],
  });
});

test('A8: whatever the log, each tool use is followed by exactly one result, in order, before anyone speaks', () => {
  const anyEntry = fc.oneof(
    fc.constantFrom('q', 'r').map(userSays),
    fc.constantFrom('', 'a').map((text) => assistantSays(text)),
    fc
      .record({ callId: fc.constantFrom('1', '2', '3'), caller: fc.constantFrom('model' as const, 'you' as const) })
      .map(({ callId, caller }) => toolCalled(callId, { caller })),
    fc.constantFrom('1', '2', '3').map((callId) => toolAnswered(callId)),
  );
  fc.assert(
    fc.property(fc.array(anyEntry, { maxLength: 30 }), (entries) => {
      const owed: string[] = [];
      for (const message of toModelHistory(entries)) {
        if (message.role === 'tool') {
          expect(message.callId).toBe(owed.shift());
          continue;
        }
        expect(owed).toEqual([]);
        if (message.role === 'assistant') owed.push(...message.toolCalls.map(({ callId }) => callId));
      }
      expect(owed).toEqual([]);
    }),
  );
});
