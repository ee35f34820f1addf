import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/{shared,main,renderer,architecture,attacks}/**/*.test.{ts,tsx}'],
          environment: 'node',
          pool: 'forks',
          // Many tests wait for real programs, so more of them than cores can run at a time.
          maxWorkers: 4,
        },
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
