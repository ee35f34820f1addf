import { join, resolve } from 'node:path';
import { build } from 'vite';

const root = resolve(import.meta.dirname, '../..');

/**
 * Bundles one source file into a script that plain Node runs, for tests that need a second process.
 * It lands inside the project, so that the packages it leaves outside are found.
 */
export async function bundleForNode(entry: string): Promise<string> {
  const outDir = join(root, 'node_modules/.cache/test-scripts', entry.replaceAll(/[^a-z0-9-]+/g, '-'));
  await build({
    configFile: false,
    root,
    logLevel: 'silent',
    build: {
      ssr: resolve(root, entry),
      outDir,
      minify: false,
      rollupOptions: { output: { format: 'es', entryFileNames: 'script.mjs' } },
    },
  });
  return join(outDir, 'script.mjs');
}
