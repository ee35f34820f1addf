import type { Destination } from './navigation-store';

export type Shortcut = Destination | 'settings' | 'stop';

export interface PressedKey {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

const PLAIN: { readonly [key: string]: Shortcut } = { n: 'new-chat', ',': 'settings', '.': 'stop' };
const SHIFTED: { readonly [key: string]: Shortcut } = { p: 'privacy', t: 'run-a-tool' };

/** What a key means in this window, or null. Command on a Mac, Control elsewhere; with both, neither. */
export function shortcutOf(pressed: PressedKey, platform: string): Shortcut | null {
  const wanted = platform === 'darwin' ? pressed.metaKey && !pressed.ctrlKey : pressed.ctrlKey && !pressed.metaKey;
  if (!wanted || pressed.altKey) return null;
  return (pressed.shiftKey ? SHIFTED : PLAIN)[pressed.key.toLowerCase()] ?? null;
}
