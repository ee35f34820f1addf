import fc from 'fast-check';

const WORDS = [
  ...['\n', '\r', '\r\n', '\n\n', '\r\r', '\n\r', '\uFEFF', ' ', '\t', ':', ': a comment'],
  ...[
    'data: ',
    'data:',
    'data',
    'data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n',
    'event: ping',
    'event',
    'id: 7',
    'id',
    'id: a\0b',
  ],
  ...['retry: 10', 'retry: 700', 'retry: 99999999999999999999', 'retry: -1', 'nothing: here', 'Data: x'],
  ...['{"jsonrpc":"2.0","id":1,"result":{}}', '{"jsonrpc":', '[', '"', '\\', '日本語', '🙂', 'é', '\u2028'],
].map((text) => Buffer.from(text));

/** What no UTF-8 text holds: a lone continuation, a start without its end, a coded surrogate, an overlong slash, half a mark. */
const NOT_TEXT = [[0x80], [0xf0, 0x9f], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xff, 0xfe], [0xef, 0xbb]].map((bytes) =>
  Buffer.from(bytes),
);

const run = (min: number, max: number): fc.Arbitrary<Buffer> =>
  fc.tuple(fc.integer({ min, max }), fc.nat(255)).map(([length, byte]) => Buffer.alloc(length, byte));

const piece = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 10, arbitrary: fc.constantFrom(...NOT_TEXT) },
  { weight: 20, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 10, arbitrary: run(1, 300) },
  // Past what a reader copies together, and past the room it copies into.
  { weight: 2, arbitrary: run(4_000, 70_000) },
);

export interface HostileStream {
  whole: Buffer;
  /** The same bytes as they arrive. */
  pieces: Buffer[];
  capBytes: number;
}

/** Bytes a stranger sends: line ends, marks and fields in any order, text that is none, in pieces of any size. */
export const hostileStreams: fc.Arbitrary<HostileStream> = fc
  .record({
    parts: fc.array(piece, { maxLength: 24 }),
    sizes: fc.array(fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 9_000 })), {
      minLength: 1,
      maxLength: 6,
    }),
    capBytes: fc.oneof(fc.nat(64), fc.nat(400), fc.nat(80_000)),
  })
  .map(({ parts, sizes, capBytes }) => {
    const whole = Buffer.concat(parts);
    const pieces: Buffer[] = [];
    for (let at = 0, turn = 0; at < whole.length; turn += 1) {
      // A long run in single bytes would only be slow.
      const size = Math.max(sizes[turn % sizes.length] ?? 1, Math.ceil(whole.length / 500));
      pieces.push(whole.subarray(at, at + size));
      at += size;
    }
    return { whole, pieces, capBytes };
  });
