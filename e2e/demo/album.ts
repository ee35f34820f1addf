import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RunningApp } from '../running-app';

const pictures = process.env.PORTCULLIS_DEMO_FOLDER ?? resolve(import.meta.dirname, '../../out/demo');

/** Numbers the pictures in the order they are taken, from `first` on, and names their theme. */
export function album(app: RunningApp, first = 1): (name: string) => Promise<void> {
  mkdirSync(pictures, { recursive: true });
  let next = first;
  return async (name) => {
    const dark = await app.window.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
    // The pointer leaves no trace in a picture.
    await app.window.mouse.move(0, 0);
    await app.window.waitForTimeout(250);
    const file = `${String(next).padStart(2, '0')}-${name}-${dark ? 'dark' : 'light'}.png`;
    next += 1;
    await app.window.screenshot({ path: join(pictures, file) });
  };
}
