// TypeScript of the project as scripts for plain Node, bundled with the build tool the app is built with.
import { join } from 'node:path';
import { build } from 'vite';
import { root } from './steps.mjs';

/** Bundles each of `entries` (name to file) into `folder` of node_modules/.cache and gives that folder's path. */
export async function bundleScripts(entries, folder) {
  const outDir = join(root, 'node_modules/.cache', folder);
  const external = ['electron', 'keytar'];
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    ssr: { noExternal: true, external },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      minify: false,
      chunkSizeWarningLimit: 100_000,
      rollupOptions: {
        external,
        input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(root, file)])),
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name].mjs' },
      },
    },
  });
  return outDir;
}
