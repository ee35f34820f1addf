import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBounded, readHead, TooLargeError, type ByteSource } from '../../../src-main/sessions/bounded-stream';
import { LineReader } from '../../../src-main/sessions/line-reader';
import { SseReader, type SseEvent } from '../../../src-main/sessions/sse-reader';
import { fuzz, FUZZ_TIMEOUT_MS } from '../../support/fuzz-run';
import { hostileStreams } from '../../support/hostile-bytes';

test(
  'W2, W5: the line reader cuts any bytes as a plain split would, and stops at its bound',
  { timeout: FUZZ_TIMEOUT_MS },
  async () => {
    await fuzz('byte streams to the line reader', hostileStreams, ({ whole, pieces, capBytes }) => {
      const lines: string[] = [];
      let longest = 0;
      let tooLarge = 0;
      const reader = new LineReader({
        maxLineBytes: capBytes,
        onLine: (line, bytes) => {
          if (tooLarge > 0) throw new Error('A line was told after the bound was passed.');
          lines.push(line);
          longest = Math.max(longest, bytes);
        },
        onTooLarge: () => (tooLarge += 1),
      });
      for (const each of pieces) reader.push(each);
      const expected = splitLines(whole, capBytes);
      expect(tooLarge).toBe(expected.tooLarge ? 1 : 0);
      expect(longest).toBeLessThanOrEqual(capBytes + 1);
      expect(lines.map(withoutMark).filter(isSaid)).toEqual(expected.lines);
    });
  },
);

test(
  'W2: the event stream reader reads any bytes as the standard says, and stops at its bound',
  { timeout: FUZZ_TIMEOUT_MS },
  async () => {
    await fuzz('byte streams to the event stream reader', hostileStreams, ({ whole, pieces, capBytes }) => {
      const events: SseEvent[] = [];
      const reader = new SseReader({ capBytes, onEvent: (event) => events.push(event) });
      let tooLarge = false;
      try {
        for (const each of pieces) reader.push(each);
      } catch (error) {
        expect(error).toBeInstanceOf(TooLargeError);
        tooLarge = true;
      }
      const expected = parseEvents(whole, capBytes);
      expect({ events, tooLarge, id: reader.lastEventId }).toEqual(expected);
      for (const { data } of events) expect(Buffer.byteLength(data)).toBeLessThanOrEqual(capBytes);
      const { retryMs = 500 } = reader;
      expect(retryMs >= 500 && retryMs <= 30_000).toBe(true);
    });
  },
);

const lengths = fc.oneof(fc.constant('none'), fc.constant('true'), fc.nat(1_000).map(String), fc.string({ maxLength: 6 }));

test('W2: a whole reply is read up to its bound, whatever length it declares', { timeout: FUZZ_TIMEOUT_MS }, async () => {
  await fuzz(
    'replies to the bounded reader',
    fc.tuple(hostileStreams, lengths),
    async ([{ whole, pieces, capBytes }, length]) => {
      const declared = length === 'none' ? undefined : length === 'true' ? String(whole.length) : length;
      const reply = replyOf(pieces, declared);
      const read = await readBounded(reply.source, capBytes).catch((error: unknown) => {
        expect(error).toBeInstanceOf(TooLargeError);
        return null;
      });
      const refused = declared !== undefined && /^\d+$/.test(declared) && Number(declared) > capBytes;
      expect(read === null).toBe(refused || whole.length > capBytes);
      if (read === null) expect(reply.seen.destroyed).toBe(true);
      else expect(read.equals(whole)).toBe(true);
      if (refused) expect(reply.seen.bytes).toBe(0);
      expect(reply.seen.bytes).toBeLessThanOrEqual(capBytes + Math.max(0, ...pieces.map((each) => each.length)));

      const head = await readHead(replyOf(pieces, declared).source, capBytes);
      expect(head.equals(whole.subarray(0, capBytes))).toBe(true);
    },
  );
});

function replyOf(pieces: readonly Buffer[], declared: string | undefined) {
  const seen = { bytes: 0, destroyed: false };
  const source: ByteSource = {
    headers: { 'Content-Length': declared },
    body: (async function* () {
      for (const each of pieces) {
        if (seen.destroyed) return;
        seen.bytes += each.length;
        yield each;
      }
    })(),
    destroy: () => void (seen.destroyed = true),
  };
  return { seen, source };
}

const withoutMark = (line: string): string => line.replace(/^\uFEFF+/, '');
const isSaid = (line: string): boolean => line.trim() !== '';

/** The same framing, said plainly: cut at line feeds, drop what says nothing. */
function splitLines(whole: Buffer, capBytes: number): { lines: string[]; tooLarge: boolean } {
  const segments = whole.toString('latin1').split('\n');
  const over = segments.findIndex((segment) => segment.length > capBytes);
  const complete = over === -1 ? segments.slice(0, -1) : segments.slice(0, over);
  const texts = complete.map((segment) => withoutMark(decoded(segment)).replace(/\r$/, ''));
  return { lines: texts.filter(isSaid), tooLarge: over !== -1 };
}

/** The same parsing, said plainly, over the whole stream at once (WHATWG HTML, 9.2.6). */
function parseEvents(whole: Buffer, capBytes: number): { events: SseEvent[]; tooLarge: boolean; id: string | undefined } {
  const lines = whole.toString('latin1').split(/\r\n|\r|\n/);
  const events: SseEvent[] = [];
  let data: string[] = [];
  let type = '';
  let id: string | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.length > capBytes + 64) return { events, tooLarge: true, id };
    if (index === lines.length - 1) break;
    const said = decoded(index === 0 ? line.replace(/^\xef\xbb\xbf/, '') : line);
    if (said === '') {
      if (data.length > 0) events.push({ type: type || 'message', data: data.join('\n') });
      data = [];
      type = '';
      continue;
    }
    const [, name = '', value = ''] = /^([^:]*)(?:: ?([^]*))?$/.exec(said) ?? [];
    if (name === 'event') type = value;
    if (name === 'id' && !value.includes('\0')) id = value;
    if (name !== 'data') continue;
    data.push(value);
    if (Buffer.byteLength(data.join('\n')) > capBytes) return { events, tooLarge: true, id };
  }
  return { events, tooLarge: false, id };
}

const decoded = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('utf8');
