// The app's own TypeScript as scripts for plain Node, bundled with the build tool the app is built with.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { root } from '../scripts/steps.mjs';

const subjects = join(root, 'bench/subjects');

/** Bundles every file of bench/subjects and gives the folder with the scripts. */
export async function bundleSubjects() {
  const folder = join(root, 'node_modules/.cache/portcullis-bench');
  const entries = readdirSync(subjects).filter((file) => file.endsWith('.ts'));
  const external = ['electron', 'keytar'];
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    ssr: { noExternal: true, external },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      chunkSizeWarningLimit: 100_000,
      rollupOptions: {
        external,
        input: Object.fromEntries(entries.map((file) => [file.slice(0, -3), join(subjects, file)])),
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name].mjs' },
      },
    },
  });
  return folder;
}
