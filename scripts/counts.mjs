// How many tests passed and failed, told by each part to whoever sums them.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number }} Counts */

/** Prints the line every test command ends with, and hands the numbers to npm test when that is who asked. */
export function reportCounts({ passed, failed }) {
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  const file = process.env.PORTCULLIS_COUNTS;
  if (file) appendFileSync(file, `${JSON.stringify({ passed, failed })}\n`);
}

/** Sums what was reported into a file; null when nothing was. @returns {Counts | null} */
export function readCounts(file) {
  if (!existsSync(file)) return null;
  const reports = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  if (reports.length === 0) return null;
  return reports.reduce((sum, report) => ({ passed: sum.passed + report.passed, failed: sum.failed + report.failed }));
}
