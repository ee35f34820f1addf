import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isAlive, takeLock } from './file-lock';
import { makeFolder, readIfThere } from './private-folder';

const ClaimNoteSchema = z.object({ pid: z.number().int().positive() });

/** A name in a folder that one process has to itself until it lets go or ends. */
export interface NameClaim {
  readonly name: string;
  release(): void;
}

/**
 * Claims the first of `base`, `base-2`, `base-3`, ... that no living process holds. Throws when the folder cannot be written.
 * A number that another program was given since its holder died reads as held: that costs a name, and never shares one.
 */
export function claimName(folder: string, base: string): NameClaim {
  makeFolder(folder);
  const turn = takeLock(join(folder, base));
  if (!turn) throw new Error(`Another program is choosing a name in ${folder}.`);
  try {
    for (let nth = 1; ; nth++) {
      const name = nth === 1 ? base : `${base}-${nth}`;
      const note = join(folder, `${name}.held`);
      if (isHeld(note)) continue;
      writeFileSync(note, JSON.stringify({ pid: process.pid }), { mode: 0o600 });
      return { name, release: () => rmSync(note, { force: true }) };
    }
  } finally {
    turn.release();
  }
}

function isHeld(note: string): boolean {
  try {
    const read = ClaimNoteSchema.safeParse(JSON.parse(readIfThere(note) ?? 'null'));
    return read.success && isAlive(read.data.pid);
  } catch {
    // Cut off by a crash while it was written: within the turn nobody else is writing it.
    return false;
  }
}
