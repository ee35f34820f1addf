import { describe, expect, test } from 'vitest';
import { exactStructuredText, parseJsonRpc } from '../../../src-main/sessions/exact-messages';

const LONG = '9007199254740993';
const replyOf = (result: string): { result: unknown } =>
  parseJsonRpc(`{"jsonrpc":"2.0","id":1,"result":${result}}`) as { result: unknown };

describe('numbers beyond 2^53 on the wire', () => {
  test('O6: structured content keeps the digits it came with, as long as its result is held', () => {
    const { result } = replyOf(`{"content":[],"structuredContent":{"id": ${LONG}, "text":"${LONG}"}}`);
    expect(exactStructuredText(result)).toBe(`{"id":${LONG},"text":"${LONG}"}`);
  });

  test.each([
    '{"structuredContent":{"id":1}}',
    `{"content":[{"type":"text","text":"${LONG}"}]}`,
    `{"structuredContent":null,"n":${LONG}}`,
    `[${LONG}]`,
  ])('O6: %s has nothing to keep', (result) => {
    expect(exactStructuredText(replyOf(result).result)).toBeUndefined();
  });

  test('O6: what is no message is refused as JSON is, and a foreign value has no text', () => {
    expect(() => parseJsonRpc('{')).toThrow(SyntaxError);
    expect(exactStructuredText(undefined)).toBeUndefined();
    expect(parseJsonRpc(LONG)).toBe(9007199254740992);
  });
});
