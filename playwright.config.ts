import { defineConfig } from '@playwright/test';

export default defineConfig({
  outputDir: 'test-results',
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  projects: [
    { name: 'e2e', testDir: 'e2e/specs' },
    { name: 'proof', testDir: 'e2e/proof', timeout: 180_000, outputDir: 'out/proof-results' },
    { name: 'demo', testDir: 'e2e/demo', testMatch: '**/*.ts', timeout: 300_000, outputDir: 'out/demo-results' },
  ],
});
