import { createHash } from 'node:crypto';
import { type BigIntStats, constants, createReadStream } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export const MAX_HASHED_BYTES = 256 * 1024 * 1024;
/** File times are coarse: a file touched more recently than this could change again without its times showing it. */
const SETTLED_MS = 2_000;
const REMEMBERED_FILES = 64;

const remembered = new Map<string, string>();

/**
 * SHA-256 of a regular file that the user, or a program of the user's, can change or replace; null for any other path (T2).
 * A file over 256 MiB or one that cannot be read is told by its identity and times instead: any write to it still shows.
 */
export async function digestIfWritable(path: string, maxHashedBytes = MAX_HASHED_BYTES): Promise<string | null> {
  const file = await regularFile(path);
  if (!file || !(await userCanReplace(file.path))) return null;
  const identity = [file.path, ...identityOf(file.facts)].join('\0');
  if (file.facts.size > maxHashedBytes) return sha256(`too large to read\0${identity}`);

  const known = remembered.get(identity);
  if (known !== undefined) return known;
  const settled = Date.now() - Number(file.facts.ctimeMs) > SETTLED_MS;
  try {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file.path)) hash.update(chunk as Buffer);
    const digest = hash.digest('hex');
    if (settled) remember(identity, digest);
    return digest;
  } catch {
    return sha256(`not readable\0${identity}`);
  }
}

async function regularFile(path: string): Promise<{ path: string; facts: BigIntStats } | null> {
  try {
    const real = await realpath(path);
    const facts = await stat(real, { bigint: true });
    return facts.isFile() ? { path: real, facts } : null;
  } catch {
    return null;
  }
}

// Whoever owns a file can make it writable, and whoever can write a folder above it can put another in its place.
async function userCanReplace(path: string): Promise<boolean> {
  const me = process.getuid?.();
  for (let place = path; ; place = dirname(place)) {
    const { uid } = await stat(place);
    if (uid === me || (await isWritable(place))) return true;
    if (place === dirname(place)) return false;
  }
}

const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  );

// The change time moves with every write and cannot be set back by an ordinary program.
const identityOf = (facts: BigIntStats): bigint[] => [facts.dev, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs];

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function remember(identity: string, digest: string): void {
  const oldest = remembered.size >= REMEMBERED_FILES ? remembered.keys().next().value : undefined;
  if (oldest !== undefined) remembered.delete(oldest);
  remembered.set(identity, digest);
}
