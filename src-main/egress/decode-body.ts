import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { UnreadableResponseError } from './egress-errors';

/** Small pieces, so that a reader that stops at its limit stops the inflation within one piece of it (W2). */
const PIECE_BYTES = 16 * 1024;
const MAX_CODINGS = 3;

const DECODERS = new Map<string, () => Transform>([
  ['gzip', () => createGunzip({ chunkSize: PIECE_BYTES })],
  ['x-gzip', () => createGunzip({ chunkSize: PIECE_BYTES })],
  ['deflate', () => createInflate({ chunkSize: PIECE_BYTES })],
  ['br', () => createBrotliDecompress({ chunkSize: PIECE_BYTES })],
]);

/** The body as its sender wrote it: every coding in `content-encoding` undone, piece by piece, never all at once. */
export function decodeBody(body: AsyncIterable<Buffer>, contentEncoding: string | string[] | undefined): AsyncIterable<Buffer> {
  const codings = [contentEncoding ?? []]
    .flat()
    .flatMap((line) => line.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  return codings.length === 0 ? body : decoded(body, codings);
}

async function* decoded(body: AsyncIterable<Buffer>, codings: readonly string[]): AsyncGenerator<Buffer> {
  const makers = codings.map((coding) => DECODERS.get(coding));
  const known = makers.filter((maker) => maker !== undefined);
  const pieces = body[Symbol.asyncIterator]();
  if (known.length < makers.length || codings.length > MAX_CODINGS) {
    await pieces.return?.();
    throw new UnreadableResponseError(
      `The answer came packed as ${codings.join(', ').slice(0, 100)}, which this app cannot unpack.`,
    );
  }
  // A reply without a body, such as a 204, can still name a coding.
  const first = await pieces.next();
  if (first.done) return;

  const packed = Readable.from(chain(first.value, pieces), { objectMode: false });
  // The last coding named was applied last, so it is undone first.
  const decoders = known.reverse().map((make) => make());
  const last = decoders.at(-1) as Transform;
  pipeline([packed, ...decoders], () => {
    // The reader below gets the error from the last stream; this call only ties the streams' ends together.
  });
  try {
    for await (const piece of last) yield piece as Buffer;
  } finally {
    packed.destroy();
    await pieces.return?.();
  }
}

async function* chain(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
