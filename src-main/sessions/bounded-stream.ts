/** Bytes of one reply after decompression, as the door hands them out. */
export interface ByteSource {
  headers: Record<string, string | string[] | undefined>;
  body: AsyncIterable<Buffer>;
  destroy(): void;
}

/** A reply passed its bound (W2). Nothing of it reached a decoder. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
  readonly code = 'REPLY_TOO_LARGE';
  constructor(readonly capBytes: number) {
    super(`The reply is larger than the limit of ${sizeInWords(capBytes)}.`);
  }
}

/** `2 MiB`, `1.5 MiB`, `4 KiB`: a size as a person reads it. */
export function sizeInWords(bytes: number): string {
  const [value, unit] =
    bytes >= 1024 * 1024 ? [bytes / (1024 * 1024), 'MiB'] : bytes >= 1024 ? [bytes / 1024, 'KiB'] : [bytes, 'bytes'];
  return `${Math.round(value * 10) / 10} ${unit}`;
}

/** The first value of a header, whatever its case; undefined when it is absent. */
export function headerOf(headers: ByteSource['headers'], name: string): string | undefined {
  const key = Object.hasOwn(headers, name) ? name : Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
  const value = key === undefined ? undefined : headers[key];
  return Array.isArray(value) ? value[0] : value;
}

/** Refuses a reply whose declared length is over the cap before a byte of it is read. */
export function refuseDeclaredSize(source: ByteSource, capBytes: number): void {
  const declared = headerOf(source.headers, 'content-length');
  if (declared === undefined || !/^\d+$/.test(declared) || Number(declared) <= capBytes) return;
  source.destroy();
  throw new TooLargeError(capBytes);
}

/** Reads a whole reply. A declared, a lying and an absent length all meet the same cap, and at the cap the reply is torn down. */
export async function readBounded(source: ByteSource, capBytes: number): Promise<Buffer> {
  refuseDeclaredSize(source, capBytes);
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of source.body) {
    total += chunk.length;
    if (total > capBytes) {
      source.destroy();
      throw new TooLargeError(capBytes);
    }
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, total);
}

/** Reads at most the first bytes of a reply and drops the rest: all that an error body is worth. */
export async function readHead(source: ByteSource, keepBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  try {
    for await (const chunk of source.body) {
      chunks.push(chunk.subarray(0, keepBytes - total));
      total += chunk.length;
      if (total >= keepBytes) break;
    }
  } catch {
    // The status is known already; what arrived of the body is enough to quote.
  }
  if (total >= keepBytes) source.destroy();
  return Buffer.concat(chunks);
}
