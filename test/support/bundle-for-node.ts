import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { tempFolder } from './temp-folder';

const root = resolve(import.meta.dirname, '../..');

/** Bundles one source file into a script that plain Node runs, for tests that need a second process. Outside a test, name the folder. */
export async function bundleForNode(entry: string, folder = tempFolder()): Promise<string> {
  await build({
    configFile: false,
    root,
    logLevel: 'silent',
    ssr: { noExternal: true, external: ['electron', 'keytar'] },
    build: {
      ssr: resolve(root, entry),
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rollupOptions: {
        external: ['electron', 'keytar'],
        output: {
          format: 'es',
          entryFileNames: 'script.mjs',
          // From the script's folder the project's packages cannot be found by name.
          paths: { keytar: pathToFileURL(createRequire(import.meta.url).resolve('keytar')).href },
        },
      },
    },
  });
  return join(folder, 'script.mjs');
}
