import { defineConfig } from 'vitest/config';

// The rules are judged by their own tests alone: what only a test of another part would notice counts as unnoticed.
export default defineConfig({ test: { include: ['test/shared/**/*.test.ts'], environment: 'node' } });
