import { describe, expect, test } from 'vitest';
import { readResultParts } from '../../../src-shared/tools/result-parts';
import { ResultPartSchema } from '../../../src-shared/tools/tool.schema';

const EMPTY = '(empty result)';
const FAILED = '(the tool failed without a message)';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const base64Of = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('base64');

describe('readResultParts', () => {
  const shapes: [name: string, raw: unknown, text: string, isError: boolean][] = [
    ['text', { content: [{ type: 'text', text: 'hi' }] }, 'hi', false],
    [
      'two texts',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      'a\nb',
      false,
    ],
    ['structured_only', { structuredContent: { a: 1 } }, '{"a":1}', false],
    ['empty_content_structured', { content: [], structuredContent: { a: 1 } }, '{"a":1}', false],
    ['wrapped_tool_result', { toolResult: { content: [{ type: 'text', text: 'in' }] } }, 'in', false],
    ['wrapped error', { toolResult: { content: [], isError: true } }, FAILED, true],
    ['wrapped text', { toolResult: 'in' }, 'in', false],
    ['content_string', { content: 'plain' }, 'plain', false],
    ['content_object', { content: { type: 'text', text: 'one' } }, 'one', false],
    ['content_null', { content: null }, EMPTY, false],
    ['nothing', {}, EMPTY, false],
    ['undefined', undefined, EMPTY, false],
    ['a bare text', 'bare', 'bare', false],
    [
      'null_in_content',
      { content: [null, { type: 'text', text: 'x' }] },
      '[a part this app cannot show: a block that is null]\nx',
      false,
    ],
    ['a number in content', { content: [4] }, '[a part this app cannot show: a block that is a number]', false],
    ['a list in content', { content: [[]] }, '[a part this app cannot show: a block that is a list]', false],
    ['text_without_text', { content: [{ type: 'text' }] }, '[a part this app cannot show: text without text]', false],
    ['text_is_number', { content: [{ type: 'text', text: 5 }] }, '[a part this app cannot show: text without text]', false],
    ['empty_text', { content: [{ type: 'text', text: '' }] }, EMPTY, false],
    ['error_without_content', { isError: true }, FAILED, true],
    ['error_empty_text', { isError: true, content: [{ type: 'text', text: ' ' }] }, FAILED, true],
    ['is_error_string', { isError: 'true', content: [] }, FAILED, true],
    ['isError 1 is no error', { isError: 1, content: 'x' }, 'x', false],
    ['structured_array', { structuredContent: [1, 2] }, '[1,2]', false],
    ['structured null', { structuredContent: null }, EMPTY, false],
    ['structured false', { structuredContent: false }, 'false', false],
    [
      'structured repeated as text',
      { content: [{ type: 'text', text: '{\n  "b": 2,\n  "a": 1\n}' }], structuredContent: { a: 1, b: 2 } },
      '{\n  "b": 2,\n  "a": 1\n}',
      false,
    ],
    [
      'structured that only wraps the text',
      { content: [{ type: 'text', text: 'a.txt\nb.txt' }], structuredContent: { content: 'a.txt\nb.txt' } },
      'a.txt\nb.txt',
      false,
    ],
    [
      'structured that wraps another text',
      { content: [{ type: 'text', text: 'a.txt' }], structuredContent: { content: 'b.txt' } },
      'a.txt\n{"content":"b.txt"}',
      false,
    ],
    [
      'structured that differs from the text',
      { content: [{ type: 'text', text: '{"a":1}' }], structuredContent: { a: 2 } },
      '{"a":1}\n{"a":2}',
      false,
    ],
    [
      'structured beside a sentence',
      { content: [{ type: 'text', text: 'It is 4.' }], structuredContent: { a: 4 } },
      'It is 4.\n{"a":4}',
      false,
    ],
  ];
  test.each(shapes)('O5 (B44): %s', (_name, raw, text, isError) => {
    const read = readResultParts(raw);
    expect({ text: read.text, isError: read.isError }).toEqual({ text, isError });
    expect(ResultPartSchema.array().safeParse(read.parts).success).toBe(true);
  });

  const blocks: [name: string, block: unknown, words: string][] = [
    ['image', { type: 'image', mimeType: 'image/png', data: PNG }, '[image, image/png, 70 bytes]'],
    [
      'image as a data URL',
      { type: 'image', mimeType: 'IMAGE/PNG; q=1', data: `data:image/png;base64,${PNG}` },
      '[image, image/png, 70 bytes]',
    ],
    ['image over several lines', { type: 'image', data: PNG.replace(/(.{20})/g, '$1\n') }, '[image, image/png, 70 bytes]'],
    [
      'JPEG that is called PNG',
      { type: 'image', mimeType: 'image/png', data: base64Of('\xff\xd8\xff\xe0') },
      '[image, image/jpeg, 4 bytes]',
    ],
    ['GIF', { type: 'image', data: base64Of('GIF89a') }, '[image, image/gif, 6 bytes]'],
    ['WebP', { type: 'image', data: base64Of('RIFF1234WEBP') }, '[image, image/webp, 12 bytes]'],
    [
      'SVG',
      { type: 'image', mimeType: 'image/svg+xml', data: base64Of('<svg/>') },
      '[a part this app cannot show: image, said to be image/svg+xml, 6 bytes, of no kind that is shown here]',
    ],
    [
      'HTML as an image',
      { type: 'image', data: base64Of('<script>1</script>') },
      '[a part this app cannot show: image, type not given, 18 bytes, of no kind that is shown here]',
    ],
    ['image that is not base64', { type: 'image', data: '%%%' }, '[a part this app cannot show: image that is not base64]'],
    ['empty image', { type: 'image', data: '' }, '[a part this app cannot show: image with no bytes]'],
    [
      'image in a resource',
      { type: 'resource', resource: { uri: 'file:///a', blob: PNG } },
      '[image file:///a, image/png, 70 bytes]',
    ],
    ['image without data', { type: 'image', mimeType: 'image/png' }, '[a part this app cannot show: image without data]'],
    ['audio', { type: 'audio', mimeType: 'audio/wav', data: base64Of('RIFF1234WAVE') }, '[audio, audio/wav, 12 bytes]'],
    ['resource text', { type: 'resource', resource: { uri: 'file:///a', text: 'body' } }, '[resource file:///a]\nbody'],
    [
      'resource blob',
      { type: 'resource', resource: { uri: 'file:///a.bin', mimeType: 'x/y', blob: 'AAAA' } },
      '[file file:///a.bin, said to be x/y, 3 bytes]',
    ],
    [
      'resource without body',
      { type: 'resource', resource: { uri: 'file:///a' } },
      '[a part this app cannot show: a resource without a body, file:///a]',
    ],
    ['resource missing', { type: 'resource' }, '[a part this app cannot show: a resource without a body]'],
    [
      'resource_link',
      { type: 'resource_link', uri: 'https://x.example/y', name: 'y' },
      '[link to y: https://x.example/y; not fetched]',
    ],
    [
      'resource_link without an address',
      { type: 'resource_link', name: 'y' },
      '[a part this app cannot show: a link without an address]',
    ],
    ['video', { type: 'video', data: 'x' }, '[a part this app cannot show: "video"]'],
    ['block without type', { text: 'x' }, '[a part this app cannot show: a block without a type]'],
  ];
  test.each(blocks)('O5 (B47): %s is told in words, between the texts around it', (_name, block, words) => {
    const around = { type: 'text', text: '-' };
    const read = readResultParts({ content: [around, block, around] });
    expect(read.text).toBe(`-\n${words}\n-`);
    expect(read.parts).toHaveLength(3);
    expect(ResultPartSchema.array().safeParse(read.parts).success).toBe(true);
  });

  test('O5: structured content nested without end is described, not followed', () => {
    const deep = JSON.parse('['.repeat(5000) + ']'.repeat(5000)) as unknown;
    expect(readResultParts({ structuredContent: deep }).text).toBe(
      '[a part this app cannot show: structured content nested too deeply]',
    );
    const text = '['.repeat(5000) + ']'.repeat(5000);
    expect(readResultParts({ content: [{ type: 'text', text }], structuredContent: { a: 1 } }).parts).toHaveLength(2);
  });
});

test('O5: a small image goes along to be shown; a large one is told by its type and size', () => {
  const image = (data: string) => readResultParts({ content: [{ type: 'image', data }] }).parts[0];
  expect(image(`data:image/png;base64,${PNG}`)).toMatchObject({ kind: 'image', data: PNG });
  const large = image(Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(400_000)]).toString('base64'));
  expect(large).toEqual({ kind: 'image', mimeType: 'image/png', bytes: 400_070 });
});
