import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineReader } from '../../../src-main/sessions/line-reader';

function setUp(maxLineBytes = 1_000_000) {
  const lines: string[] = [];
  const seen = { tooLarge: 0 };
  const reader = new LineReader({ maxLineBytes, onLine: (line) => lines.push(line), onTooLarge: () => (seen.tooLarge += 1) });
  return { reader, lines, seen };
}

const framed: [because: string, bytes: string, lines: string[]][] = [
  ['two lines in one piece', 'one\ntwo\n', ['one', 'two']],
  ['an unfinished line waits', 'one\ntwo', ['one']],
  ['CR before LF is dropped', 'one\r\ntwo\r\n', ['one', 'two']],
  ['blank lines say nothing', '\r\n\n   \r\none\n\t\n', ['one']],
  ['a byte order mark in front is dropped', '\uFEFFone\n', ['one']],
  ['a byte order mark after blank lines is dropped', '\r\n\r\n\uFEFFone\r\n', ['one']],
  ['a later byte order mark is content', 'one\n\uFEFFtwo\n', ['one', '\uFEFFtwo']],
  ['only one byte order mark is dropped', '\uFEFF\uFEFFone\n', ['\uFEFFone']],
  ['CR within a line is content', 'on\re\n', ['on\re']],
  ['characters of any length are whole', '日本語🙂ж\n', ['日本語🙂ж']],
];

describe('framing', () => {
  test.each(framed)('B02, B04: %s', (_because, bytes, expected) => {
    const { reader, lines } = setUp();
    reader.push(Buffer.from(bytes));
    expect(lines).toEqual(expected);
  });

  test.each(framed)('B04: %s, byte by byte', (_because, bytes, expected) => {
    const { reader, lines } = setUp();
    for (const byte of Buffer.from(bytes)) reader.push(Buffer.from([byte]));
    expect(lines).toEqual(expected);
  });

  test('B04: how a stream is cut into pieces makes no difference', () => {
    const text = fc.array(fc.string({ unit: 'grapheme', maxLength: 20_000 }), { maxLength: 4 });
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 9_000 }), { minLength: 1, maxLength: 8 }), (parts, sizes) => {
        const bytes = Buffer.from(`${parts.join('\n')}\n`);
        const whole = setUp();
        whole.reader.push(bytes);
        const pieces = setUp();
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          pieces.reader.push(bytes.subarray(at, at + size));
          at += size;
        }
        expect(pieces.lines).toEqual(whole.lines);
      }),
      { numRuns: 60 },
    );
  });

  test('each line is told with its bytes as they came', () => {
    const told: [string, number][] = [];
    const reader = new LineReader({
      maxLineBytes: 100,
      onLine: (line, bytes) => told.push([line, bytes]),
      onTooLarge: () => undefined,
    });
    reader.push(Buffer.from('\uFEFFone\r\nж'));
    reader.push(Buffer.from('ж\n'));
    expect(told).toEqual([
      ['one', 8],
      ['жж', 5],
    ]);
  });
});

describe('bounds', () => {
  test('W2: a line of exactly the cap passes, one byte more is refused', () => {
    const exact = setUp(10);
    exact.reader.push(Buffer.from(`${'x'.repeat(10)}\n`));
    expect([exact.lines, exact.seen.tooLarge]).toEqual([['x'.repeat(10)], 0]);
    const over = setUp(10);
    over.reader.push(Buffer.from(`${'x'.repeat(11)}\n`));
    expect([over.lines, over.seen.tooLarge]).toEqual([[], 1]);
  });

  test('W2: the cap holds for a line in many pieces, is told once, and nothing is read after it', () => {
    const { reader, lines, seen } = setUp(1000);
    for (let turn = 0; turn < 50; turn += 1) reader.push(Buffer.alloc(100, 'x'));
    reader.push(Buffer.from('\nnext\n'));
    expect([lines, seen.tooLarge]).toEqual([[], 1]);
  });

  test('W2: lines that came whole before the large one are delivered', () => {
    const { reader, lines, seen } = setUp(10);
    reader.push(Buffer.from(`one\ntwo\n${'x'.repeat(11)}`));
    expect([lines, seen.tooLarge]).toEqual([['one', 'two'], 1]);
  });

  test('the cap is for one line, not for the stream', () => {
    const { reader, lines, seen } = setUp(10);
    for (let turn = 0; turn < 100; turn += 1) reader.push(Buffer.from('12345\n'));
    expect([lines.length, seen.tooLarge]).toEqual([100, 0]);
  });

  test('a line handler that closes the reader gets no further line', () => {
    const lines: string[] = [];
    const reader: LineReader = new LineReader({
      maxLineBytes: 100,
      onLine: (line) => {
        lines.push(line);
        reader.close();
      },
      onTooLarge: () => undefined,
    });
    reader.push(Buffer.from('one\ntwo\n'));
    expect(lines).toEqual(['one']);
  });

  test('B13: time grows with the length of a line, not with its square', () => {
    const chunk = Buffer.alloc(16_384, 'z');
    const timeFor = (chunks: number) => {
      const { reader, lines } = setUp(chunks * chunk.length + 1);
      const startedAt = performance.now();
      for (let turn = 0; turn < chunks; turn += 1) reader.push(chunk);
      reader.push(Buffer.from('\n'));
      expect(lines[0]?.length).toBe(chunks * chunk.length);
      return performance.now() - startedAt;
    };
    timeFor(512);
    const eight = Math.min(timeFor(512), timeFor(512), timeFor(512));
    const fortyEight = Math.min(timeFor(3072), timeFor(3072), timeFor(3072));
    expect(eight).toBeLessThan(2_000);
    expect(fortyEight).toBeLessThan(Math.max(eight * 16, 500));
  });

  test('W2: single bytes cost bytes, not objects', () => {
    const { reader, lines } = setUp(3_000_000);
    const byte = Buffer.from('x');
    const before = process.memoryUsage();
    for (let turn = 0; turn < 2_000_000; turn += 1) reader.push(byte);
    const after = process.memoryUsage();
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(2_000_000 + 16 * 1024 * 1024);
    reader.push(Buffer.from('\n'));
    expect(lines[0]?.length).toBe(2_000_000);
  });
});
