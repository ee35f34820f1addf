import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS, ServerLimitsSchema } from '../../../src-shared/servers/server.schema';
import { MAX_CALL_MS } from '../../../src-main/sessions/mcp-session-call';

const MIB = 1024 * 1024;

describe('the bounds of one server', () => {
  test('W3: a call has 20 seconds, a look 10, the start of a program 60, and progress extends a call to 10 minutes', () => {
    const { callTimeoutMs, discoveryTimeoutMs, startTimeoutMs } = DEFAULT_LIMITS;
    expect([callTimeoutMs, discoveryTimeoutMs, startTimeoutMs, MAX_CALL_MS]).toEqual([20_000, 10_000, 60_000, 600_000]);
  });

  test('W2, R3: a reply has 2 MiB and a list 100 tools, unless the user says otherwise', () => {
    expect([DEFAULT_LIMITS.maxReplyBytes, DEFAULT_LIMITS.maxTools]).toEqual([2 * MIB, 100]);
  });

  const given: [what: string, limits: object, read: object][] = [
    ['the most a reply can have', { maxReplyBytes: 64 * MIB }, { maxReplyBytes: 64 * MIB }],
    ['more than a reply can have', { maxReplyBytes: 64 * MIB + 1 }, {}],
    ['no bound on a reply', { maxReplyBytes: 0 }, {}],
    ['ten minutes for a call', { callTimeoutMs: 600_000 }, { callTimeoutMs: 600_000 }],
    ['longer than ten minutes', { callTimeoutMs: 600_001, discoveryTimeoutMs: 1e9, startTimeoutMs: 1e9 }, {}],
    ['no time at all', { callTimeoutMs: 0, discoveryTimeoutMs: -1, startTimeoutMs: 0.5 }, {}],
    ['words', { maxReplyBytes: '64 MiB', callTimeoutMs: 'long', maxTools: null }, {}],
  ];
  test.each(given)('W2, W3: %s', (_what, limits, read) => {
    expect(ServerLimitsSchema.parse({ ...DEFAULT_LIMITS, ...limits })).toEqual({ ...DEFAULT_LIMITS, ...read });
  });
});
