import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';

interface Frame {
  width: number;
  height: number;
  /** Blue, green, red and one unused byte for each dot. */
  dots: Buffer;
}

/** What the display shows now, from the X window dump that Xvfb keeps in a file (XWDFile.h). */
export function readFrame(file: string): Frame {
  const dump = readFileSync(file);
  const [headerBytes, width, height, rowBytes, colours] = [0, 16, 20, 48, 76].map((at) => dump.readUInt32BE(at)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const from = headerBytes + colours * 12;
  return { width, height, dots: dump.subarray(from, from + rowBytes * height) };
}

/** The share of dots that differ, from 0 to 1. */
export function difference(one: Frame, other: Frame): number {
  let differing = 0;
  for (let at = 0; at < one.dots.length; at += 4) if (one.dots.readUInt32LE(at) !== other.dots.readUInt32LE(at)) differing += 1;
  return differing / (one.dots.length / 4);
}

/** As a PNG (ISO/IEC 15948), for a person to look at. */
export function toPng({ width, height, dots }: Frame): Buffer {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * 4;
      const to = y * (width * 3 + 1) + 1 + x * 3;
      rows[to] = dots[from + 2] ?? 0;
      rows[to + 1] = dots[from + 1] ?? 0;
      rows[to + 2] = dots[from] ?? 0;
    }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
