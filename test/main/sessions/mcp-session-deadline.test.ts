import { expect, test } from 'vitest';
import { Deadline } from '../../../src-main/sessions/mcp-session-deadline';
import { FakeClock } from '../../support/fake-clock';

function setUp(stepMs = 20, totalMs = 100) {
  const clock = new FakeClock();
  const deadline = new Deadline(clock, stepMs, totalMs, () => undefined);
  return { clock, deadline };
}

test('W3: it passes after its step, and signs of life carry it to its total and no further', () => {
  const { clock, deadline } = setUp();
  for (let passed = 0; passed < 90; passed += 15) {
    clock.advance(15);
    deadline.extend();
  }
  expect(deadline.passed).toBe(false);
  clock.advance(10);
  expect(deadline.passed).toBe(true);
  expect(deadline.waitedMs).toBe(100);
});

test('W3: it stands still for as long as it is told, and has as much left afterwards', () => {
  const { clock, deadline } = setUp();
  clock.advance(15);
  const resume = deadline.pause();
  clock.advance(100_000);
  expect(deadline.passed).toBe(false);
  resume();
  resume();
  clock.advance(4);
  expect(deadline.passed).toBe(false);
  clock.advance(1);
  expect(deadline.passed).toBe(true);
  expect(deadline.waitedMs).toBe(20);
});

test('W3: a sign of life while it stands still gives a whole step, and the total stands still too', () => {
  const { clock, deadline } = setUp(20, 30);
  clock.advance(15);
  const resume = deadline.pause();
  clock.advance(500);
  deadline.extend();
  resume();
  clock.advance(14);
  expect(deadline.passed).toBe(false);
  clock.advance(1);
  expect(deadline.passed).toBe(true);
});

test('W3: stopped while it stands still, it never passes', () => {
  const { clock, deadline } = setUp();
  const resume = deadline.pause();
  deadline.stop();
  resume();
  deadline.extend();
  clock.advance(10_000);
  expect([deadline.passed, clock.waiting]).toEqual([false, 0]);
});

test('W3: two dialogs at once hold it until both are closed', () => {
  const { clock, deadline } = setUp();
  clock.advance(15);
  const first = deadline.pause();
  clock.advance(100);
  const second = deadline.pause();
  clock.advance(100);
  first();
  clock.advance(100);
  second();
  clock.advance(4);
  expect(deadline.passed).toBe(false);
  clock.advance(1);
  expect(deadline.passed).toBe(true);
});
