import { defineConfig } from 'vitest/config';

const UNIT_TESTS = ['test/{shared,main,renderer,architecture,attacks}/**/*.test.{ts,tsx}'];
/** Each of these changes its process for good. */
const ALONE = ['test/**/*.alone.test.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: UNIT_TESTS,
          exclude: ALONE,
          environment: 'node',
          pool: 'forks',
          // These leave nothing behind in their process, so modules are loaded once per process: half the time.
          isolate: false,
          // Many tests wait for real programs, so more of them than cores can run at a time.
          maxWorkers: 4,
        },
      },
      {
        test: { name: 'unit-alone', include: ALONE, environment: 'node', pool: 'forks', maxWorkers: 4 },
      },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          environment: 'node',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          pool: 'forks',
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'hostile',
          include: ['test/hostile/**/*.test.ts'],
          environment: 'node',
          testTimeout: 90_000,
          hookTimeout: 60_000,
          pool: 'forks',
          // A few at a time: most of them wait.
          maxWorkers: 3,
        },
      },
    ],
  },
});
