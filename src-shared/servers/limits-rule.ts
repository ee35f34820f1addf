import { failed, ok, type Result } from '../base/result';
import type { ServerLimits } from './server.schema';

type LimitName = keyof ServerLimits;

interface LimitWords {
  /** As a person writes it: MiB, seconds, a number. */
  unit: string;
  /** What one of that unit is in what is stored. */
  factor: number;
  min: number;
  max: number;
  problem: string;
}

/** What a server can be held to, in the units a person sets it in (W2, W3, R3). */
export const LIMITS: { readonly [N in LimitName]: LimitWords } = {
  maxReplyBytes: {
    unit: 'MiB',
    factor: 1024 * 1024,
    min: 1024,
    max: 64 * 1024 * 1024,
    problem: 'Set the largest reply to between 0.001 and 64 MiB.',
  },
  callTimeoutMs: { unit: 'seconds', factor: 1000, min: 100, max: 600_000, problem: timeProblem('a call') },
  discoveryTimeoutMs: { unit: 'seconds', factor: 1000, min: 100, max: 600_000, problem: timeProblem('a list') },
  startTimeoutMs: { unit: 'seconds', factor: 1000, min: 100, max: 600_000, problem: timeProblem('a start') },
  maxTools: {
    unit: 'tools',
    factor: 1,
    min: 1,
    max: 5000,
    problem: 'Set the number of tools to between 1 and 5,000, without a fraction.',
  },
};
export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[];

/** Reads one limit as it was typed, into what is stored. */
export function readLimit(name: LimitName, typed: string): Result<number, string> {
  const { factor, min, max, problem } = LIMITS[name];
  const text = typed.trim().replace(',', '.');
  const value = Number(text) * factor;
  const stored = factor === 1 ? value : Math.round(value);
  return /^\d+(?:\.\d+)?$/.test(text) && Number.isInteger(stored) && stored >= min && stored <= max
    ? ok(stored)
    : failed(problem);
}

/** A stored limit as a person reads it; reading it back gives the same. */
export function writeLimit(name: LimitName, stored: number): string {
  return String(Number((stored / LIMITS[name].factor).toFixed(7)));
}

/** Says what is wrong with the first limit that is out of bounds; null when all hold. */
export function limitsProblem(limits: { readonly [N in LimitName]: number }): string | null {
  const wrong = LIMIT_NAMES.find((name) => {
    const { min, max } = LIMITS[name];
    return !Number.isInteger(limits[name]) || limits[name] < min || limits[name] > max;
  });
  return wrong === undefined ? null : LIMITS[wrong].problem;
}

function timeProblem(what: string): string {
  return `Set the time for ${what} to between 0.1 and 600 seconds.`;
}
