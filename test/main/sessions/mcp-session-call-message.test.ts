import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkArguments } from '../../../src-shared/tools/argument-check';
import { callMessage, readApproved } from '../../../src-main/sessions/mcp-session-call-message';
import { ExchangeError } from '../../../src-main/sessions/session-problem';

const LONG = '9007199254740993';

describe('a call as it leaves', () => {
  test('A5, O6: its arguments are the approved bytes, with every digit', () => {
    const frozenText = `{"id":${LONG},"x":1.10}`;
    const { text } = callMessage(7, { rawName: 'a"b', frozenText }, {}, {}, {});
    expect(text).toBe(
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a\\"b","arguments":${frozenText},"_meta":{"progressToken":7}}}`,
    );
  });

  test('W1: the stateless era carries its envelope, and a round its answers', () => {
    const envelope = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const answers = { inputResponses: { a: { action: 'decline' as const } }, requestState: 's"' };
    const { message, text } = callMessage(7, { rawName: 'find', frozenText: '{"q":1}' }, { q: 1 }, envelope, answers);
    expect(JSON.parse(text)).toEqual(message);
    expect(message.params).toEqual({
      name: 'find',
      arguments: { q: 1 },
      inputResponses: { a: { action: 'decline' } },
      requestState: 's"',
      _meta: { ...envelope, progressToken: 7 },
    });
  });

  test('A5: text and message say the same for any arguments that can be approved, and so do the bytes', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (given, rawName) => {
        const checked = checkArguments({}, JSON.stringify(given));
        if (!checked.ok) return;
        const { frozenText } = checked.value;
        const { message, text } = callMessage(1, { rawName, frozenText }, readApproved(frozenText), {}, {});
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(message)));
        expect(text).toContain(`"arguments":${frozenText},"_meta"`);
        expect(text).not.toContain('\n');
      }),
      { numRuns: 300 },
    );
  });
});

describe('approved bytes', () => {
  test.each([['{}'], ['{"b":1,"a":[null]}'], [`{"id":${LONG}}`], ['{"x":0.12345678901234567}'], ['{"t":"a\\nb"}']])(
    'A5: %s leaves as it is',
    (frozenText) => {
      expect(readApproved(frozenText)).toEqual(JSON.parse(frozenText));
    },
  );

  const refused: [frozenText: string, because: string][] = [
    ['', 'nothing'],
    ['[]', 'no object'],
    ['null', 'no object'],
    ['{"a":1', 'half of one'],
    ['{}}', 'more than one'],
    ['{"a":1},"name":"other"', 'it would name another tool'],
    ['{"a":1,"a":2}', 'one name twice: a server can take the other value'],
    ['{"a": 1}', 'another way to write it'],
    ['{"a":1e2}', 'another way to write it'],
    [`{"id":\n${LONG}}`, 'a line break ends the message of a program'],
    [`{"a":1,"a":${LONG}}`, 'one name twice, beside a long number'],
  ];
  test.each(refused)('A5: %j does not (%s)', (frozenText) => {
    expect(() => readApproved(frozenText)).toThrow(ExchangeError);
  });
});
