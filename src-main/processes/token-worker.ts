import { parentPort } from 'node:worker_threads';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { MAX_COUNTED_CHARS, PIECE_CHARS } from './token-bounds';

// The whole program of the counting thread. Reading the table of words takes most of a second, and here it holds nobody up.

parentPort?.on('message', ({ id, texts }: { id: number; texts: string[] }) => {
  parentPort?.postMessage({ id, counts: texts.map(countBounded) });
});

/** In pieces: a long run without a blank takes time by the square of its length. */
function countBounded(text: string): number {
  let count = 0;
  for (let at = 0; at < Math.min(text.length, MAX_COUNTED_CHARS); at += PIECE_CHARS) {
    // Every text is plain text here: a marker of the model's own format is counted as the letters it is written with.
    count += countTokens(text.slice(at, at + PIECE_CHARS), { disallowedSpecial: new Set() });
  }
  return text.length > MAX_COUNTED_CHARS ? Math.round((count * text.length) / MAX_COUNTED_CHARS) : count;
}
