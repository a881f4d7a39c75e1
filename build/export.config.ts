/** Builds the runtime of modules that `waymark export` writes, as one text. */
import { defineConfig } from 'vite';
import { bytesPlugin } from './bytes-plugin.ts';
import { hostPlugin } from './host-plugin.ts';
import { liftPlugin } from './lift-plugin.ts';
import { defined } from './version.ts';

export default defineConfig({
  plugins: [hostPlugin({ as: 'browser' }), liftPlugin(), bytesPlugin()],
  define: defined,
  build: {
    target: 'es2022',
    outDir: 'dist/web',
    emptyOutDir: false,
    lib: { entry: { exported: 'src/modules/exported.ts' }, formats: ['iife'], name: 'waymark' },
    rolldownOptions: { output: { entryFileNames: '[name].js' } },
    minify: true,
  },
});
