// One TypeScript file of the project as a script for plain Node.
import { join } from 'node:path';
import { build } from 'vite';
import { root } from './steps.mjs';

/** Bundles `entry` into `folder` of node_modules/.cache and gives the script's path. */
export async function bundleScript(entry, folder) {
  const outDir = join(root, 'node_modules/.cache', folder);
  const external = ['electron', 'keytar'];
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    ssr: { noExternal: true, external },
    build: {
      ssr: join(root, entry),
      outDir,
      emptyOutDir: true,
      minify: false,
      chunkSizeWarningLimit: 100_000,
      rollupOptions: { external, output: { format: 'es', entryFileNames: 'script.mjs', chunkFileNames: 'chunks/[name].mjs' } },
    },
  });
  return join(outDir, 'script.mjs');
}
