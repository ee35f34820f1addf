import { expect, test } from 'vitest';
import {
  headerOf,
  readBounded,
  readHead,
  sizeInWords,
  TooLargeError,
  type ByteSource,
} from '../../../src-main/sessions/bounded-stream';

interface Watched extends ByteSource {
  destroyed: boolean;
  pulled: number;
}

function sourceOf(chunks: (string | Buffer | Error)[], headers: ByteSource['headers'] = {}): Watched {
  const pull = (): void => void (source.pulled += 1);
  const source: Watched = {
    headers,
    destroyed: false,
    pulled: 0,
    destroy: () => {
      source.destroyed = true;
    },
    body: (async function* () {
      for (const chunk of chunks) {
        pull();
        if (chunk instanceof Error) throw chunk;
        yield Buffer.from(chunk);
      }
    })(),
  };
  return source;
}

test('W2: a reply of exactly the cap is read whole', async () => {
  expect((await readBounded(sourceOf(['abcd', 'efgh'], { 'content-length': '8' }), 8)).toString()).toBe('abcdefgh');
});

test('W2: a declared length over the cap is refused before a byte is read', async () => {
  const source = sourceOf(['abc'], { 'Content-Length': '9' });
  await expect(readBounded(source, 8)).rejects.toThrow(TooLargeError);
  expect(source).toMatchObject({ destroyed: true, pulled: 0 });
});

const liars: [header: string | undefined, because: string][] = [
  [undefined, 'none is declared'],
  ['3', 'a smaller one is declared'],
  ['-1', 'the declared one is no number'],
  ['0x1', 'the declared one is no decimal number'],
];
test.each(liars)('W2: declared %s, the running total stops the reply at the cap (%s)', async (declared) => {
  const source = sourceOf(['aaaa', 'bbbb', 'c', 'never read'], { 'content-length': declared });
  await expect(readBounded(source, 8)).rejects.toMatchObject({ code: 'REPLY_TOO_LARGE', capBytes: 8 });
  expect(source).toMatchObject({ destroyed: true, pulled: 3 });
});

test('W2: only the head of an error body is kept, and the rest is not read', async () => {
  const source = sourceOf(['12345', '67890', 'never read']);
  expect((await readHead(source, 7)).toString()).toBe('1234567');
  expect(source).toMatchObject({ destroyed: true, pulled: 2 });
});

test('W2: an error body that breaks off is quoted as far as it came', async () => {
  expect((await readHead(sourceOf(['why', new Error('reset')]), 100)).toString()).toBe('why');
});

test('finds a header whatever its case', () => {
  expect(headerOf({ 'Mcp-Session-ID': ['s-1', 's-2'] }, 'mcp-session-id')).toBe('s-1');
  expect(headerOf({}, 'toString')).toBeUndefined();
});

test.each([
  [512, '512 bytes'],
  [4096, '4 KiB'],
  [2 * 1024 * 1024, '2 MiB'],
  [1.5 * 1024 * 1024, '1.5 MiB'],
])('says %i bytes as %s', (bytes, words) => {
  expect(sizeInWords(bytes)).toBe(words);
});
