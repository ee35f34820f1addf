/** What a base64 text holds, judged by its first bytes and never by what was claimed of it (O5). */
export interface MediaReading {
  /** Null when the bytes are of no kind known here. */
  mimeType: string | null;
  bytes: number;
  /** Without prefix, blanks and line ends, in the standard alphabet. */
  base64: string;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const HEAD_CHARACTERS = 32;

/** The first bytes of each kind, as a pattern over bytes written as characters. */
const SIGNATURES: [head: RegExp, mimeType: string][] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[^]{4}WEBP/, 'image/webp'],
  [/^RIFF[^]{4}WAVE/, 'audio/wav'],
  [/^OggS/, 'audio/ogg'],
  [/^fLaC/, 'audio/flac'],
  [/^(?:ID3|\xff[\xfb\xf3\xf2])/, 'audio/mpeg'],
  [/^[^]{4}ftypM4A/, 'audio/mp4'],
  [/^%PDF-/, 'application/pdf'],
  [/^PK\x03\x04/, 'application/zip'],
  [/^\x1f\x8b/, 'application/gzip'],
];

/** Null when the text is not base64. A `data:` prefix, line ends and the alphabet of addresses (RFC 4648, 5) are taken as meant. */
export function readMedia(data: string): MediaReading | null {
  const body = data.startsWith('data:') ? data.slice(data.indexOf(',') + 1) : data;
  const plain = body
    .replace(/[\t\n\r ]+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '');
  if (/[^A-Za-z0-9+/]/.test(plain) || plain.length % 4 === 1) return null;
  const head = firstBytes(plain);
  return {
    mimeType: SIGNATURES.find(([pattern]) => pattern.test(head))?.[1] ?? null,
    bytes: Math.floor((plain.length * 3) / 4),
    base64: plain + '='.repeat((4 - (plain.length % 4)) % 4),
  };
}

/** As characters of one byte each. */
function firstBytes(base64: string): string {
  let bytes = '';
  let bits = 0;
  let held = 0;
  for (const character of base64.slice(0, HEAD_CHARACTERS)) {
    held = ((held << 6) | ALPHABET.indexOf(character)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += String.fromCharCode((held >> bits) & 0xff);
  }
  return bytes;
}
