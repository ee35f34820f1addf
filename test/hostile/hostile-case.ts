import { describe, test } from 'vitest';

/** One fixture in one mode, and what must be true of the app when it meets it. */
export interface HostileCase {
  id: string;
  mode: string;
  /** The rule that decides. */
  rule: string;
  /** What holds, as the rest of a sentence. */
  holds: string;
  check(): Promise<void>;
}

/** The same check for several modes of one fixture. */
export function eachMode(
  id: string,
  modes: readonly string[],
  rule: string,
  holds: string,
  check: (mode: string) => Promise<void>,
): HostileCase[] {
  return modes.map((mode) => ({ id, mode, rule, holds, check: () => check(mode) }));
}

export const oneCase = (id: string, rule: string, holds: string, check: () => Promise<void>): HostileCase => ({
  id,
  mode: '',
  rule,
  holds,
  check,
});

/** Runs each case as one test, named by its rule. */
export function runCases(kind: string, cases: readonly HostileCase[]): void {
  describe(kind, () => {
    for (const { id, mode, rule, holds, check } of cases) test(`${rule}: ${id}${mode === '' ? '' : ` ${mode}`}, ${holds}`, check);
  });
}
