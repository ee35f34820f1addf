import { describe, expect, test } from 'vitest';
import { DISARMED, armingReducer, mayAllow, type ArmingEvent } from '../../../src-renderer/approvals/arming-reducer';

const after = (...events: ArmingEvent[]) => events.reduce(armingReducer, DISARMED);
const TAB: ArmingEvent = { kind: 'key', key: 'Tab' };
const ARMED: ArmingEvent = { kind: 'armed' };
const ON_ONCE: ArmingEvent = { kind: 'focused', button: 'once' };

describe('the arming of a sheet', () => {
  test('A5: a new sheet takes no allowing answer, by pointer or by keyboard', () => {
    expect(mayAllow(DISARMED, 'once', 'pointer')).toBe(false);
    expect(mayAllow(after(TAB, ON_ONCE), 'once', 'keyboard')).toBe(false);
  });

  test('A5: once armed, a click counts', () => {
    expect(mayAllow(after(ARMED), 'once', 'pointer')).toBe(true);
  });

  const refused: [because: string, events: ArmingEvent[]][] = [
    ['nobody moved to it', [ARMED]],
    ['focus came without a key', [ARMED, ON_ONCE]],
    ['focus came by a click', [ARMED, { kind: 'pointer' }, ON_ONCE]],
    ['a letter is not a step', [ARMED, { kind: 'key', key: 'a' }, ON_ONCE]],
    ['the user moved on', [ARMED, TAB, ON_ONCE, { kind: 'left' }]],
    ['the user tabbed to another button', [ARMED, TAB, { kind: 'focused', button: 'this-chat' }]],
    ['one step reaches one button only', [ARMED, TAB, { kind: 'focused', button: 'this-chat' }, { kind: 'left' }, ON_ONCE]],
  ];
  test.each(refused)('A5: the keyboard is refused when %s', (_because, events) => {
    expect(mayAllow(after(...events), 'once', 'keyboard')).toBe(false);
  });

  test.each(['Tab', 'ArrowLeft', 'ArrowRight'])('A5: the keyboard counts on a button reached by %s', (key) => {
    expect(mayAllow(after(ARMED, { kind: 'key', key }, ON_ONCE), 'once', 'keyboard')).toBe(true);
  });
});
