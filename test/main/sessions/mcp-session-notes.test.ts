import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { NoteSieve } from '../../../src-main/sessions/mcp-session-notes';
import { FakeClock } from '../../support/fake-clock';

const note = (method: string): JSONRPCMessage => ({ jsonrpc: '2.0', method });

function sieve() {
  const clock = new FakeClock();
  const notes = new NoteSieve(clock);
  const late: string[] = [];
  const send = (method: string, count: number): number => {
    let passed = 0;
    for (let each = 0; each < count; each += 1) if (notes.admits(note(method), () => late.push(method))) passed += 1;
    return passed;
  };
  return { clock, notes, late, send };
}

describe('a server that sends notifications without end', () => {
  test('X24, W2: of a million notes a hundred a second reach the protocol client, and the rest is counted', () => {
    const { clock, notes, send } = sieve();
    expect(send('notifications/message', 1_000_000)).toBe(100);
    expect(notes.dropped).toBe(999_900);
    clock.advance(1000);
    expect(send('notifications/message', 500)).toBe(100);
  });

  test('W3: a flood of one kind takes nothing from the others', () => {
    const { send } = sieve();
    send('notifications/message', 1000);
    expect(send('notifications/progress', 5)).toBe(5);
  });

  test('X24: names made up by the server share one pace once there are many of them', () => {
    const { send } = sieve();
    let passed = 0;
    for (let each = 0; each < 10_000; each += 1) passed += send(`notifications/made-up-${each}`, 1);
    expect(passed).toBeLessThanOrEqual(32 + 100);
  });

  test('R3: the last word about a changed list is late and never lost', () => {
    const { clock, notes, late, send } = sieve();
    send('notifications/tools/list_changed', 1000);
    expect(late).toEqual([]);
    clock.advance(1000);
    expect(late).toEqual(['notifications/tools/list_changed']);
    expect(notes.dropped).toBe(0);
  });

  test('W5: after the end nothing is brought', () => {
    const { clock, notes, late, send } = sieve();
    send('notifications/tools/list_changed', 1000);
    notes.close();
    clock.advance(5000);
    expect(late).toEqual([]);
  });

  test.each<[string, JSONRPCMessage]>([
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }],
    ['a request', { jsonrpc: '2.0', id: 1, method: 'ping' }],
  ])('W1: %s always goes on', (_name, message) => {
    const { notes } = sieve();
    for (let each = 0; each < 1000; each += 1) expect(notes.admits(message, () => undefined)).toBe(true);
  });
});
