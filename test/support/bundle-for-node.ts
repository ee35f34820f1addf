import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { build } from 'vite';

const root = resolve(import.meta.dirname, '../..');

/**
 * Bundles one source file into a script that plain Node runs, for tests that need a second process.
 * It lands inside the project, so that the packages it leaves outside are found.
 */
export async function bundleForNode(entry: string): Promise<string> {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const outDir = mkdtempSync(join(cache, 'bundle-'));
  onTestFinished(() => rmSync(outDir, { recursive: true, force: true }));
  await build({
    configFile: false,
    root,
    logLevel: 'silent',
    build: {
      ssr: resolve(root, entry),
      outDir,
      emptyOutDir: false,
      minify: false,
      rollupOptions: { output: { format: 'es', entryFileNames: 'script.mjs' } },
    },
  });
  return join(outDir, 'script.mjs');
}
