import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SseReader, type SseEvent } from '../../../src-main/sessions/sse-reader';
import { TooLargeError } from '../../../src-main/sessions/bounded-stream';

function read(pieces: (string | Buffer)[], capBytes = 1000) {
  const events: SseEvent[] = [];
  const reader = new SseReader({ capBytes, onEvent: (event) => events.push(event) });
  for (const piece of pieces) reader.push(Buffer.from(piece));
  return { events, reader };
}

const streams: [text: string, events: [type: string, data: string][], because: string][] = [
  ['data: a\n\n', [['message', 'a']], 'one line'],
  ['data: a\ndata:b\n\n', [['message', 'a\nb']], 'lines joined with LF, the blank after the colon optional'],
  ['data:  a\n\n', [['message', ' a']], 'only one blank removed'],
  [
    'data: a\r\n\r\ndata: b\r\rdata: c\n\n',
    [
      ['message', 'a'],
      ['message', 'b'],
      ['message', 'c'],
    ],
    'three kinds of line end',
  ],
  ['\uFEFFdata: a\n\n', [['message', 'a']], 'a byte order mark at the start'],
  ['data: a\n\n\uFEFFdata: b\n\n', [['message', 'a']], 'a byte order mark elsewhere makes another field name'],
  [': comment\n:\n\nevent: ping\n\ndata: a\n\n', [['message', 'a']], 'comments, and an event without data'],
  ['event: ping\ndata: {}\n\n', [['ping', '{}']], 'a named event'],
  ['data\n\n', [['message', '']], 'a field without a colon'],
  ['data: a', [], 'an event that never ended'],
  ['foo: bar\ndata: a\n\n', [['message', 'a']], 'an unknown field'],
];

describe('events', () => {
  test.each(streams)('W1: reads %j as %j (%s)', (text, expected) => {
    expect(read([text]).events.map(({ type, data }) => [type, data])).toEqual(expected);
  });

  test('W1: however the bytes are cut, the events are the same', () => {
    const whole = Buffer.from('\uFEFFid: 7\r\nevent: x\rdata: 日本語🙂\r\ndata: ж\n\r\n: c\n\ndata: end\r\r');
    const expected = read([whole]).events;
    expect(expected).toHaveLength(2);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: whole.length }), { maxLength: 12 }), (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), whole.length];
        const pieces = edges.slice(1).map((edge, index) => whole.subarray(edges[index], edge));
        expect(read(pieces).events).toEqual(expected);
      }),
    );
  });
});

describe('what to resume by', () => {
  test('keeps the last id, also of an event without data, and ignores one with NUL', () => {
    expect(read(['id: a\ndata:\n\n', 'id: b\n\n', 'id: c\0\n\n']).reader.lastEventId).toBe('b');
  });

  test.each([
    ['0', 500],
    ['100', 500],
    ['2000', 2000],
    ['999999999', 30_000],
    ['-1', undefined],
    ['1e3', undefined],
    ['', undefined],
  ])('W2: a wait of %j becomes %s ms', (text, ms) => {
    expect(read([`retry: ${text}\n`]).reader.retryMs).toBe(ms);
  });
});

describe('bounds', () => {
  test('W2: data of exactly the cap is an event', () => {
    expect(read([`data: ${'a'.repeat(100)}\n\n`], 100).events).toHaveLength(1);
  });

  const tooLarge: [pieces: string[], because: string][] = [
    [Array.from({ length: 40 }, () => 'aaaaa'), 'a line that never ends'],
    [[`:${'c'.repeat(200)}\n`], 'a comment'],
    [Array.from({ length: 30 }, () => 'data: aaaaa\n'), 'an event of many lines'],
    [['data\n'.repeat(200)], 'an event of many empty lines'],
  ];
  test.each(tooLarge)('W2: %j is stopped at the cap (%s)', (pieces) => {
    expect(() => read(pieces, 100)).toThrow(TooLargeError);
  });

  test('W2: many small events over the cap together are fine', () => {
    expect(
      read(
        Array.from({ length: 100 }, () => 'data: aaaaa\n\n'),
        100,
      ).events,
    ).toHaveLength(100);
  });

  test('W2: a line in very many pieces takes linear time', () => {
    const startedAt = performance.now();
    const { events } = read(['data: ', ...Array.from({ length: 20_000 }, () => 'a'.repeat(50)), '\n\n'], 2_000_000);
    expect(events[0]!.data).toHaveLength(1_000_000);
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});
