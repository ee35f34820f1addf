import { watch, type FSWatcher, lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../../src-shared/base/clock';

/** Editors make several events of one save. */
const SETTLE_MS = 100;
/** Where the system gives no events, and for what has no folder to watch yet. */
const LOOK_MS = 2_000;

/**
 * Calls `changed` a moment after one of the named files of a root was written, replaced or removed. Makes and follows nothing:
 * a folder that is a link is not watched.
 */
export function followFiles(root: string, names: readonly string[], clock: Clock, changed: () => void): () => void {
  const follower = new Follower(root, names, clock, changed);
  return () => follower.stop();
}

class Follower {
  readonly #folders: readonly string[];
  readonly #watchers = new Map<string, FSWatcher>();
  #seen: string;
  #stopped = false;
  #cancelSoon: (() => void) | null = null;
  #cancelLook: () => void = () => undefined;

  constructor(
    private readonly root: string,
    private readonly names: readonly string[],
    private readonly clock: Clock,
    private readonly changed: () => void,
  ) {
    this.#folders = [...new Set(names.map((name) => dirname(join(root, ...name.split('/')))))];
    this.#seen = this.#look();
    this.#watchFolders();
    this.#lookLater();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelSoon?.();
    this.#cancelLook();
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #watchFolders(): void {
    for (const folder of this.#folders) {
      if (this.#watchers.has(folder)) continue;
      try {
        if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) continue;
        const watcher = watch(folder, { persistent: false }, () => this.#soon());
        const drop = (): void => {
          watcher.close();
          this.#watchers.delete(folder);
        };
        watcher.on('error', drop);
        this.#watchers.set(folder, watcher);
      } catch {
        // The system has run out of watches: the look in turns is enough.
      }
    }
  }

  #soon(): void {
    this.#cancelSoon?.();
    this.#cancelSoon = this.clock.after(SETTLE_MS, () => this.#compare());
  }

  #lookLater(): void {
    this.#cancelLook = this.clock.after(LOOK_MS, () => {
      this.#compare();
      if (!this.#stopped) this.#lookLater();
    });
  }

  #compare(): void {
    if (this.#stopped) return;
    this.#watchFolders();
    const now = this.#look();
    if (now === this.#seen) return;
    this.#seen = now;
    this.changed();
  }

  /** What the directory says of the files; none is opened for it. */
  #look(): string {
    return JSON.stringify(
      this.names.map((name) => {
        try {
          const { ino, size, mtimeMs, ctimeMs, mode } = lstatSync(join(this.root, ...name.split('/')));
          return [ino, size, mtimeMs, ctimeMs, mode];
        } catch {
          return null;
        }
      }),
    );
  }
}
