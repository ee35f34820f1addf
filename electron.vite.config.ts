import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const root = import.meta.dirname ?? process.cwd();

// Only what cannot be bundled stays outside: Electron itself and the one native module.
const outside = ['electron', 'keytar'];

export default defineConfig({
  main: {
    build: {
      externalizeDeps: false,
      outDir: 'out/main',
      rollupOptions: {
        external: outside,
        input: {
          main: resolve(root, 'src-main/app/main.ts'),
          'keychain-process': resolve(root, 'src-main/secrets/keychain-process.ts'),
          'schema-worker': resolve(root, 'src-main/processes/schema-worker.ts'),
          'token-worker': resolve(root, 'src-main/processes/token-worker.ts'),
          portcullis: resolve(root, 'src-main/cli/portcullis.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      rollupOptions: {
        input: { preload: resolve(root, 'src-main/app/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: resolve(root, 'src-renderer'),
    base: './',
    plugins: [react()],
    resolve: {
      // Its browser build decodes through innerHTML, which the page's content policy forbids: one `&amp;` would blank the window.
      alias: { 'decode-named-character-reference': resolve(root, 'node_modules/decode-named-character-reference/index.js') },
    },
    build: {
      outDir: resolve(root, 'out/renderer'),
      rollupOptions: {
        input: { index: resolve(root, 'src-renderer/index.html') },
        // What the first sight of the window needs is one file; the rest is read when it is shown.
        output: { codeSplitting: { groups: [{ name: 'window', tags: ['$initial'] }] } },
      },
      assetsInlineLimit: 0,
      // Read by the window at every start: less to parse is sooner to be seen.
      minify: true,
      modulePreload: false,
      // One sheet of styles for all chunks, so that which rule wins does not depend on what was opened first.
      cssCodeSplit: false,
    },
  },
});
