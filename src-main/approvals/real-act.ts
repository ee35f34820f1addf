import type { Clock } from '../../src-shared/base/clock';

/** How old the click or key press behind an act is allowed to be, in milliseconds (A9). */
export const INPUT_MAX_AGE_MS = 1000;

/** The last click or key press the system delivered to the window, as main itself saw it. */
export interface InputWitness {
  lastInputAt(): number;
  windowFocused(): boolean;
}

/** True right after a person pressed something in the focused window, which no script in the page can bring about (A9). */
export function cameFromAPerson(input: InputWitness, clock: Clock): boolean {
  return input.windowFocused() && clock.now() - input.lastInputAt() <= INPUT_MAX_AGE_MS;
}

/** Why an act that opens something is refused; null when a person is behind it (A9). */
export function noActProblem(input: InputWitness, clock: Clock): string | null {
  if (cameFromAPerson(input, clock)) return null;
  return 'That came without a click or a key press in this window. Use the switch yourself.';
}
