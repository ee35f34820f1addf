import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Digest } from './digest.schema';

/** SHA-256 of the text's UTF-8 bytes. A lone surrogate counts as U+FFFD: encode as JSON first where that matters. */
export function sha256Hex(text: string): Digest {
  return bytesToHex(sha256(utf8ToBytes(text))) as Digest;
}
