// One line for each hostile server in each of its modes, with what it took.
import { secondsSince } from './steps.mjs';

export default class CaseReporter {
  #failures = [];
  #startedAt = performance.now();

  onTestCaseResult(testCase) {
    const { state, errors } = testCase.result();
    if (state === 'skipped') return;
    const seconds = ((testCase.diagnostic()?.duration ?? 0) / 1000).toFixed(1);
    process.stdout.write(`${state === 'passed' ? 'passed' : 'FAILED'}  ${seconds.padStart(5)} s  ${testCase.name}\n`);
    if (state !== 'passed') this.#failures.push({ name: testCase.name, errors: errors ?? [] });
  }

  onTestRunEnd(modules, unhandled) {
    process.stdout.write(`${secondsSince(this.#startedAt)} s in all\n`);
    for (const testModule of modules) {
      const errors = testModule.errors();
      if (errors.length > 0) this.#failures.push({ name: testModule.relativeModuleId, errors });
    }
    if (unhandled.length > 0) this.#failures.push({ name: 'Outside of any case', errors: unhandled });
    for (const { name, errors } of this.#failures) {
      process.stderr.write(`\n${name}\n`);
      for (const { message, diff, stack } of errors)
        process.stderr.write(`${[message, diff, stack].filter(Boolean).join('\n')}\n`);
    }
  }
}
