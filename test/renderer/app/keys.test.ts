import { expect, test } from 'vitest';
import { shortcutOf, type Shortcut } from '../../../src-renderer/app/keys';

const press = (key: string, held: string) => ({
  key,
  ctrlKey: held.includes('ctrl'),
  metaKey: held.includes('meta'),
  shiftKey: held.includes('shift'),
  altKey: held.includes('alt'),
});

const known: [key: string, held: string, platform: string, shortcut: Shortcut][] = [
  ['n', 'ctrl', 'linux', 'new-chat'],
  ['n', 'meta', 'darwin', 'new-chat'],
  [',', 'ctrl', 'win32', 'settings'],
  ['.', 'ctrl', 'linux', 'stop'],
  ['P', 'ctrl shift', 'linux', 'privacy'],
  ['T', 'meta shift', 'darwin', 'run-a-tool'],
];
test.each(known)('%s with %s on %s is %s', (key, held, platform, shortcut) => {
  expect(shortcutOf(press(key, held), platform)).toBe(shortcut);
});

const unknown: [key: string, held: string, platform: string, because: string][] = [
  ['n', '', 'linux', 'a letter alone is text'],
  ['n', 'meta', 'linux', 'the other platform'],
  ['n', 'ctrl', 'darwin', 'the other platform'],
  ['n', 'ctrl alt', 'linux', 'AltGr writes characters'],
  ['N', 'ctrl shift', 'linux', 'not ours'],
  ['p', 'ctrl', 'linux', 'not ours'],
];
test.each(unknown)('%s with %s on %s is nothing (%s)', (key, held, platform) => {
  expect(shortcutOf(press(key, held), platform)).toBeNull();
});
