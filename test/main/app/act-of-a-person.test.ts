import { expect, test } from 'vitest';
import { isActOfAPerson, type WindowInput } from '../../../src-main/app/act-of-a-person';

const acts: WindowInput[] = [
  { type: 'mouseDown', modifiers: ['leftbuttondown'] },
  { type: 'mouseUp' },
  { type: 'gestureTap', modifiers: [] },
  { type: 'rawKeyDown', key: 'Enter', modifiers: [] },
  { type: 'keyDown', key: 'Enter', modifiers: ['iskeypad'] },
  { type: 'keyDown', key: ' ' },
];
test.each(acts)('A9: $type $key $modifiers is a press', (input) => {
  expect(isActOfAPerson(input)).toBe(true);
});

const others: WindowInput[] = [
  { type: 'keyDown', key: 'Enter', modifiers: ['isautorepeat'] },
  { type: 'rawKeyDown', key: ' ', modifiers: ['shift', 'isautorepeat'] },
  { type: 'keyDown', key: 'a' },
  { type: 'rawKeyDown', key: 'Tab' },
  { type: 'rawKeyDown' },
  { type: 'keyUp', key: ' ' },
  { type: 'char', key: 'Enter' },
  { type: 'mouseMove', modifiers: ['leftbuttondown'] },
  { type: 'mouseWheel' },
  // Scrolling with a finger begins and ends like this too.
  { type: 'touchStart' },
  { type: 'touchEnd' },
  { type: 'gestureScrollEnd' },
];
test.each(others)('A9: $type $key $modifiers is none', (input) => {
  expect(isActOfAPerson(input)).toBe(false);
});
