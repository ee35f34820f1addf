import { describe, expect, test } from 'vitest';
import { planMcpTest, type TypedOptions } from '../../../src-main/cli/mcp-test-options';

const typed = (more: Partial<TypedOptions>): TypedOptions => ({ command: 'node', arg: [], env: [], header: [], ...more });

describe('the options of portcullis mcp test', () => {
  const times: [text: string, ms: number, because: string][] = [
    ['5s', 5000, 'seconds by their unit'],
    ['2.5s', 2500, 'half a second counts'],
    ['750', 750, 'milliseconds when nothing is said'],
    ['750ms', 750, 'milliseconds by their unit'],
    ['600s', 600_000, 'the longest there is'],
  ];
  test.each(times)('W3: a deadline of %s is %d milliseconds (%s)', (text, ms) => {
    const plan = planMcpTest(typed({ startTimeout: text, discoveryTimeout: text, callTimeout: text }), '/');
    expect(plan.ok && plan.value.limits).toMatchObject({ startTimeoutMs: ms, discoveryTimeoutMs: ms, callTimeoutMs: ms });
  });

  const refused: [text: string, because: string][] = [
    ['99', 'shorter than any answer'],
    ['601s', 'longer than a wait may be'],
    ['5m', 'no unit this command knows'],
    ['', 'nothing'],
    ['-5s', 'before it began'],
  ];
  test.each(refused)('W3: a deadline of %j is refused (%s)', (text) => {
    const plan = planMcpTest(typed({ discoveryTimeout: text }), '/');
    expect(plan.ok ? '' : plan.problem).toMatch(/^Write --discovery-timeout as /);
  });

  test('W1: an address is spoken to as it is found out, unless something else is typed', () => {
    const { command: _command, ...address } = typed({ url: 'https://a.example/mcp' });
    const wireOf = (more: Partial<TypedOptions>) => {
      const plan = planMcpTest({ ...address, ...more }, '/');
      return plan.ok ? plan.value.wire : plan.problem;
    };
    expect(wireOf({})).toEqual({ protocol: 'auto', era: 'auto' });
    expect(wireOf({ transport: 'sse' })).toEqual({ protocol: 'sse', era: 'auto' });
    expect(wireOf({ transport: 'streamable-http', era: 'modern' })).toEqual({ protocol: 'streamable-http', era: 'modern' });
    expect(wireOf({ transport: 'ws' })).toBe('Write --transport as auto, streamable-http or sse.');
    expect(wireOf({ era: 'old' })).toBe('Write --era as auto, modern or legacy.');
  });

  test('W1: a program has an era and no transport to choose', () => {
    expect(planMcpTest(typed({ era: 'legacy' }), '/')).toMatchObject({ ok: true, value: { wire: { era: 'legacy' } } });
    expect(planMcpTest(typed({ transport: 'sse' }), '/')).toEqual({
      ok: false,
      problem: 'The option --transport belongs to --url, not to --command.',
    });
  });
});
