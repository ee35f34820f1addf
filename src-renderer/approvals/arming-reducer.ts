/** How far a sheet is from taking an allowing answer (A5). A new sheet starts from `DISARMED` again. */
export interface Arming {
  armed: boolean;
  /** The allow button the user moved to with the keyboard, if any. */
  tabbedTo: string | null;
  /** How focus was last sent on its way. */
  lastInput: 'tab' | 'other';
}

export type ArmingEvent =
  { kind: 'key'; key: string } | { kind: 'pointer' } | { kind: 'armed' } | { kind: 'focused'; button: string } | { kind: 'left' };

export const DISARMED: Arming = { armed: false, tabbedTo: null, lastInput: 'other' };

const MOVES_FOCUS: ReadonlySet<string> = new Set(['Tab', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']);

export function armingReducer(state: Arming, event: ArmingEvent): Arming {
  switch (event.kind) {
    case 'armed':
      return { ...state, armed: true };
    case 'key':
      return MOVES_FOCUS.has(event.key) ? { ...state, lastInput: 'tab' } : state;
    case 'pointer':
      return { ...state, lastInput: 'other', tabbedTo: null };
    case 'focused':
      // Focus that a script or a closing window moved here is not the user's own step.
      return { ...state, tabbedTo: state.lastInput === 'tab' ? event.button : null, lastInput: 'other' };
    case 'left':
      return { ...state, tabbedTo: null };
  }
}

/** Whether pressing an allow button counts: never before it armed, and from the keyboard only when tabbed to. */
export function mayAllow(state: Arming, button: string, by: 'pointer' | 'keyboard'): boolean {
  return state.armed && (by === 'pointer' || state.tabbedTo === button);
}
