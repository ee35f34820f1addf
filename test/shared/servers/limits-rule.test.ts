import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src-shared/servers/server.schema';
import { LIMIT_NAMES, LIMITS, limitsProblem, readLimit, writeLimit } from '../../../src-shared/servers/limits-rule';

type Name = (typeof LIMIT_NAMES)[number];

describe('limits of a server', () => {
  const accepted: [name: Name, typed: string, stored: number][] = [
    ['maxReplyBytes', '64', 67_108_864],
    ['maxReplyBytes', '0.5', 524_288],
    ['callTimeoutMs', '0.1', 100],
    ['callTimeoutMs', ' 600 ', 600_000],
    ['startTimeoutMs', '1,5', 1500],
    ['maxTools', '5000', 5000],
  ];
  test.each(accepted)('W2, W3, R3: %s takes %j', (name, typed, stored) => {
    expect(readLimit(name, typed)).toEqual({ ok: true, value: stored });
  });

  const rejected: [name: Name, typed: string][] = [
    ['maxReplyBytes', '64.1'],
    ['maxReplyBytes', '0'],
    ['maxReplyBytes', ''],
    ['callTimeoutMs', '601'],
    ['callTimeoutMs', '-1'],
    ['discoveryTimeoutMs', '1e2'],
    ['startTimeoutMs', 'Infinity'],
    ['maxTools', '0'],
    ['maxTools', '1.5'],
    ['maxTools', '5001'],
  ];
  test.each(rejected)('W2, W3, R3: %s does not take %j, and says what it takes', (name, typed) => {
    expect(readLimit(name, typed)).toEqual({ ok: false, problem: LIMITS[name].problem });
  });

  test('S2: what is stored is judged by the same bounds', () => {
    expect(limitsProblem(DEFAULT_LIMITS)).toBeNull();
    for (const name of LIMIT_NAMES) {
      for (const broken of [LIMITS[name].min - 1, LIMITS[name].max + 1, Number.NaN, 1000.5]) {
        expect(limitsProblem({ ...DEFAULT_LIMITS, [name]: broken })).toBe(LIMITS[name].problem);
      }
    }
  });

  test('W2: a limit that is written and read again is the same', () => {
    const any = fc.constantFrom(...LIMIT_NAMES).chain((name) => fc.integer(LIMITS[name]).map((stored) => ({ name, stored })));
    fc.assert(
      fc.property(any, ({ name, stored }) => {
        expect(readLimit(name, writeLimit(name, stored))).toEqual({ ok: true, value: stored });
      }),
    );
  });
});
