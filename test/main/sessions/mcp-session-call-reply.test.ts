import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { readReply } from '../../../src-main/sessions/mcp-session-call-reply';

const reply = (more: object): JSONRPCMessage => ({ jsonrpc: '2.0', id: 1, ...more }) as JSONRPCMessage;
const read = (more: object, isStateless = false) => readReply(reply(more), isStateless);

const whole: [result: object, stateless: boolean, because: string][] = [
  [{}, false, 'nothing in it'],
  [{ content: 'text' }, false, 'no list of blocks'],
  [{ content: [null, { type: 'from-the-future' }], isError: 'true' }, true, 'blocks nobody knows'],
  [{ resultType: 'complete', content: [] }, true, 'complete by its own word'],
  [{ resultType: 'task', content: [] }, false, 'the session era has no kinds'],
  [{ _meta: 7, content: [] }, true, 'what stands beside the result is not judged'],
];
test.each(whole)('W6, B44: %j is a result as it is, stateless %j (%s)', (result, stateless) => {
  expect(read({ result }, stateless)).toEqual({ kind: 'complete', raw: result });
});

test('W6: a result counts beside an error that says nothing, and an error beside such a result', () => {
  expect(read({ result: { content: [] }, error: null })).toMatchObject({ kind: 'complete' });
  expect(() => read({ result: null, error: { code: 3, message: 'full' } })).toThrow('full');
});

test.each([[{ result: 'text' }], [{ result: null }], [{ result: [] }], [{ error: 'no' }], [{ error: null }], [{}]])(
  'W6: %j is no reply at all',
  (more) => {
    expect(() => read(more)).toThrow(expect.objectContaining({ code: 'INVALID_RESULT' }) as Error);
  },
);

test.each([
  [{ code: -32000, message: 'disk full', data: { status: 404 } }, -32000, 'disk full'],
  [{ code: '7', message: 'disk full' }, 0, 'disk full'],
  [{ code: -32042, message: 'open', data: { elicitations: [] } }, -32042, 'open'],
  [{ code: 1, message: { a: 1 } }, 1, ''],
])('W8: error %j is an error with its own words and nothing else of it', (error, code, message) => {
  const thrown = ((): unknown => {
    try {
      return read({ error });
    } catch (caught) {
      return caught;
    }
  })();
  expect(thrown).toMatchObject({ code, message });
  expect(thrown).not.toHaveProperty('data');
});

test.each([
  ['task', 'UNSUPPORTED_RESULT_TYPE'],
  [7, 'INVALID_RESULT'],
  [null, 'INVALID_RESULT'],
  ['input_required', 'INVALID_RESULT'],
])('W8: in the stateless era a result of kind %j without more is no answer', (resultType, code) => {
  expect(() => read({ result: { resultType, content: [] } }, true)).toThrow(expect.objectContaining({ code }) as Error);
});

test('W8: what a server wants first is told with its state as it came', () => {
  const wanted = { resultType: 'input_required', inputRequests: { a: { method: 'x' } }, requestState: 's' };
  expect(read({ result: wanted }, true)).toEqual({ kind: 'input', requests: { a: { method: 'x' } }, state: 's' });
  expect(read({ result: { resultType: 'input_required', requestState: '' } }, true)).toEqual({
    kind: 'input',
    requests: {},
    state: '',
  });
  const error = { code: -32042, message: 'open', data: { elicitations: [{ mode: 'url' }] } };
  expect(read({ error })).toEqual({ kind: 'addresses', elicitations: [{ mode: 'url' }] });
});
