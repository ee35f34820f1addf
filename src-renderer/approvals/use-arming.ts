import { useEffect, useReducer, useRef, type KeyboardEvent, type MouseEvent } from 'react';
import { ARMING_MS, type ApprovalId } from '../../src-shared/approvals/approval.schema';
import { host } from '../host/host';
import { DISARMED, armingReducer, mayAllow } from './arming-reducer';

export interface AllowProps {
  'data-allows': string;
  'aria-disabled': boolean;
  onFocus(): void;
  onBlur(): void;
  onClick(event: MouseEvent): void;
}

export interface ArmingControl {
  armed: boolean;
  sheet: { onShown(): void; onKeyDownCapture(event: KeyboardEvent): void; onPointerDownCapture(): void };
  /** What makes a button an allowing one. `ready` is a further condition, such as a typed name. */
  allow(button: string, act: () => void, ready?: boolean): AllowProps;
}

/** Lets a sheet take an allowing answer only once it has stood in sight, and from the keyboard only when tabbed to (A5). */
export function useArming(id: ApprovalId): ArmingControl {
  const [arming, dispatch] = useReducer(armingReducer, DISARMED);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  return {
    armed: arming.armed,
    sheet: {
      // Main counts from the moment it hears of the sheet, so this window starts counting only after main has heard.
      onShown: () =>
        void host.call('approvals.shown', { id }).then(() => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => dispatch({ kind: 'armed' }), ARMING_MS);
        }),
      onKeyDownCapture: (event) => dispatch({ kind: 'key', key: event.key }),
      onPointerDownCapture: () => dispatch({ kind: 'pointer' }),
    },
    allow: (button, act, ready = true) => ({
      'data-allows': button,
      'aria-disabled': !arming.armed || !ready,
      onFocus: () => dispatch({ kind: 'focused', button }),
      onBlur: () => dispatch({ kind: 'left' }),
      onClick: (event) => {
        const by = event.detail === 0 ? 'keyboard' : 'pointer';
        if (ready && event.nativeEvent.isTrusted && mayAllow(arming, button, by)) act();
      },
    }),
  };
}
