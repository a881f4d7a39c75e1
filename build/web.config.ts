/** Builds the library for pages without a bundler: few files, which import nothing else. */
import { defineConfig } from 'vite';
import { bytesPlugin } from './bytes-plugin.ts';
import { ENTRIES } from './entries.ts';
import { hostPlugin } from './host-plugin.ts';
import { liftPlugin } from './lift-plugin.ts';
import { defined } from './version.ts';

export default defineConfig({
  plugins: [hostPlugin({ as: 'browser', workerText: 'dist/web/program-worker.js' }), liftPlugin(), bytesPlugin()],
  define: defined,
  build: {
    target: 'es2022',
    outDir: 'dist/web',
    emptyOutDir: false,
    lib: { entry: ENTRIES, formats: ['es'] },
    rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: 'parts/[name]-[hash].js' } },
    minify: true,
  },
});
