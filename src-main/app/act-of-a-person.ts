/** What is read of an input event. Electron says the key of a key event, though its types leave that out. */
export interface WindowInput {
  type: string;
  modifiers?: readonly string[];
  key?: unknown;
}

const PRESSES = new Set(['mouseDown', 'mouseUp', 'gestureTap']);
const KEYS_GOING_DOWN = new Set(['keyDown', 'rawKeyDown']);
const KEYS_THAT_PRESS = new Set<unknown>(['Enter', ' ']);

/**
 * True for what presses a button: a click, a tap, Enter or Space. A key that is held down presses once, and one that only
 * types stands for nothing but its letter (A9).
 */
export function isActOfAPerson(input: WindowInput): boolean {
  if (PRESSES.has(input.type)) return true;
  if (!KEYS_GOING_DOWN.has(input.type) || !KEYS_THAT_PRESS.has(input.key)) return false;
  return !input.modifiers?.includes('isautorepeat');
}
