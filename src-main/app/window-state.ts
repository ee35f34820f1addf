import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the window stood when it was last closed, in screen points. */
export interface WindowState {
  width: number;
  height: number;
  x?: number | undefined;
  y?: number | undefined;
  maximised: boolean;
}

export interface WindowPlace {
  read(): WindowState;
  write(state: WindowState): void;
}

const FIRST: WindowState = { width: 1280, height: 820, maximised: false };
const FURTHEST = 20_000;
const SMALLEST_SIDE = 200;

/**
 * A file that cannot be read costs the window its place, nothing more. The read waits for no library, because the window
 * waits for it; the write goes the way of every other document.
 */
export function openWindowPlace(folder: string): WindowPlace {
  const file = join(folder, 'window.json');
  return {
    read() {
      try {
        return windowStateFrom(JSON.parse(readFileSync(file, 'utf8')));
      } catch {
        return FIRST;
      }
    },
    write(state) {
      void import('./window-document').then(({ writeWindowDocument }) => writeWindowDocument(file, windowStateFrom(state)));
    },
  };
}

/** What a value says about the window, with the first place for what it does not say. */
export function windowStateFrom(value: unknown): WindowState {
  const { width, height, x, y, maximised } =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return {
    width: within(width, SMALLEST_SIDE) ?? FIRST.width,
    height: within(height, SMALLEST_SIDE) ?? FIRST.height,
    x: within(x, -FURTHEST),
    y: within(y, -FURTHEST),
    maximised: maximised === true,
  };
}

function within(value: unknown, least: number): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= FURTHEST ? value : undefined;
}
