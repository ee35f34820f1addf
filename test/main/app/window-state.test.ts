import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openWindowPlace, windowStateFrom } from '../../../src-main/app/window-state';

const FIRST = { width: 1280, height: 820, x: undefined, y: undefined, maximised: false };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'window-state-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['nothing', undefined, FIRST],
  ['a list', [1, 2], FIRST],
  ['a side too small to hold', { width: 10, height: 700 }, { ...FIRST, height: 700 }],
  ['a side that is no whole number', { width: 900.5, height: '700' }, FIRST],
  ['a place beyond every screen', { x: -20_001, y: 40 }, { ...FIRST, y: 40 }],
  ['a maximised that is no yes or no', { maximised: 'yes' }, FIRST],
  [
    'a whole place',
    { width: 900, height: 700, x: -5, y: 6, maximised: true },
    { width: 900, height: 700, x: -5, y: 6, maximised: true },
  ],
])('%s says about the window only what holds', (_name, value, state) => {
  expect(windowStateFrom(value)).toEqual(state);
});

test('the window comes back where it was closed', async () => {
  const state = { width: 900, height: 700, x: 5, y: 6, maximised: true };
  openWindowPlace(folder).write(state);
  await vi.waitFor(() => expect(openWindowPlace(folder).read()).toEqual(state));
});

test('a file that cannot be read costs the window its place, and is left as it is', async () => {
  const file = join(folder, 'window.json');
  writeFileSync(file, '{ not json');
  const place = openWindowPlace(folder);
  expect(place.read()).toEqual({ width: 1280, height: 820, maximised: false });
  place.write({ width: 900, height: 700, maximised: false });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(readFileSync(file, 'utf8')).toBe('{ not json');
});
