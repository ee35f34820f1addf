import { expect } from 'vitest';
import { stripInvisible } from '../../src-shared/tools/strip-invisible';
import { hostile, type HostileServer } from '../support/hostile-host';
import { eachMode, oneCase, type HostileCase } from './hostile-case';

const MIB = 1024 * 1024;
/** Control, bidi, zero-width, tag and variation characters: what no model is to be given. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e0fff}]/u;

/** Shape, words a model must read, whether it failed. */
const SHAPES: [tool: string, words: string, failed: boolean][] = [
  ['structured_only', '{"ship":"x"}', false],
  ['empty_content_structured', '{"status":"available"}', false],
  ['wrapped_tool_result', 'old shape', false],
  ['content_string', 'just a string', false],
  ['content_object', 'not in an array', false],
  ['content_null', '(empty result)', false],
  ['nothing', '(empty result)', false],
  ['null_in_content', 'after null', false],
  ['text_without_text', 'text without text', false],
  ['text_is_number', 'text without text', false],
  ['empty_text', '(empty result)', false],
  ['error_without_content', '(the tool failed without a message)', true],
  ['error_empty_text', '(the tool failed without a message)', true],
  ['is_error_string', 'x', true],
  ['structured_array', '[1,2]', false],
];

/** Kind d: results. */
export const resultCases: HostileCase[] = [
  oneCase('B44', 'O5', 'a result of any shape is read, and never empty', async () => {
    const server = await hostile('B44');
    expect(await server.names()).toHaveLength(SHAPES.length);
    for (const [tool, words, isFailed] of SHAPES) {
      const { outcome, problem } = await server.call(tool);
      expect([tool, problem, outcome.kind]).toEqual([tool, null, isFailed ? 'failed' : 'answered']);
      expect(outcome.forModel).toContain(words);
    }
    expect((await server.call('null_in_content')).outcome.forModel).toContain('a block that is null');
  }),

  oneCase('B45', 'O5', 'a picture is what its bytes are, and everything else is described', async () => {
    const server = await hostile('B45');
    await server.tools();
    const read = async (tool: string) => {
      const { outcome, problem } = await server.call(tool);
      expect(problem).toBeNull();
      expect(outcome.forModel).toContain('see image');
      return outcome.parts[1];
    };
    for (const tool of ['good_png', 'data_url', 'no_mime', 'upper_mime', 'newlines'])
      expect([tool, await read(tool)]).toMatchObject([tool, { kind: 'image', mimeType: 'image/png' }]);
    expect(await read('jpeg_as_png')).toMatchObject({ kind: 'image', mimeType: 'image/jpeg' });
    for (const tool of ['svg', 'not_base64', 'empty', 'html_as_image'])
      expect([tool, await read(tool)]).toMatchObject([tool, { kind: 'unknown', claimed: expect.stringMatching(/^image\b/) }]);
  }),

  oneCase('B47', 'O5', 'every kind of part is given or named, and nothing is fetched', async () => {
    const server = await hostile('B47');
    await server.tools();
    const { outcome } = await server.call('mixed');
    const [first] = outcome.parts;
    expect([first, outcome.parts.at(-1)]).toMatchObject([
      { kind: 'text', text: 'first' },
      { kind: 'text', text: 'last' },
    ]);
    expect(outcome.parts).toHaveLength(10);
    for (const word of ['a.png', '# inside resource', 'file:///x.bin', 'file:///empty', 'audio', 'video', 'without a type'])
      expect(outcome.forModel).toContain(word);
    const only = (await server.call('link_only')).outcome;
    expect(only.forModel).toContain('https://example.com/a.png');
    expect(only.forModel).not.toContain('(empty result)');
    expect(server.hosts()).toEqual([]);
  }),

  oneCase(
    'B48',
    'O3',
    'twenty million characters are kept whole and shown by head and tail, or refused over the cap',
    async () => {
      const server = await hostile('B48', { limits: { maxReplyBytes: 64 * MIB } });
      const text = await shownByItsEnds(server);
      expect(text.startsWith('€€€')).toBe(true);
      expect(text.endsWith('xxx')).toBe(true);
      expect(text).not.toContain('\ufffd');
      const { problem, outcome } = await (await hostile('B48')).call('big');
      expect(problem).toMatchObject({ kind: 'too-large' });
      expect(outcome.forModel).toContain('Notes sent a reply larger than its limit of 2 MiB, so it was cut off.');
    },
  ),

  ...eachMode(
    'B48',
    ['lines'],
    'O3',
    'four hundred thousand lines are shown by head and tail, or refused over the cap',
    async (mode) => {
      const text = await shownByItsEnds(await hostile('B48', { mode, limits: { maxReplyBytes: 64 * MIB } }));
      expect(text.startsWith('row 0\nrow 1\n')).toBe(true);
      expect(text.endsWith('row 399999')).toBe(true);
      expect((await (await hostile('B48', { mode })).call('big')).problem).toMatchObject({ kind: 'too-large' });
    },
  ),

  oneCase('B49', 'O1', 'what cannot be seen reaches no model, is counted, and stays in the raw view', async () => {
    const server = await hostile('B49');
    const { offered } = await server.tools();
    for (const { definition } of offered)
      expect(stripInvisible(`${definition.title ?? ''}${definition.description}`).text).not.toMatch(UNSEEN);
    const { outcome, raw } = await server.call('weather');
    expect(outcome.forModel).toContain('sunny');
    for (const words of [outcome.forModel, outcome.forPerson, ...outcome.parts.flatMap((part) => Object.values(part))])
      expect(String(words)).not.toMatch(UNSEEN);
    expect(outcome.removedCharacters).toBeGreaterThan(100);
    expect(outcome.rawHandle).toBe('kept-1');
    expect(JSON.stringify(raw)).toMatch(UNSEEN);
    expect(outcome.forModel).not.toContain('example.com/x');
  }),
];

/** The words a model is given of a long answer, without the frame. */
async function shownByItsEnds(server: HostileServer): Promise<string> {
  await server.session();
  const { outcome, problem, ms } = await server.call('big');
  expect(problem).toBeNull();
  expect(ms).toBeLessThan(20_000);
  expect(outcome.forModel.length).toBeLessThan(9000);
  expect(outcome.forPerson).toMatch(/\[[\d,]+ characters, about [\d,]+ tokens, are missing here\./);
  expect(outcome.outputHandle).toBe('kept-1');
  return outcome.forPerson;
}
