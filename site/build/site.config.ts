/** The script and the style of the site's pages. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { cssTarget } from '../../playground/build/script.ts';

export default defineConfig({
  logLevel: 'warn',
  publicDir: false,
  build: {
    target: 'es2022',
    cssTarget,
    outDir: fileURLToPath(new URL('../../dist/site/assets', import.meta.url)),
    emptyOutDir: false,
    reportCompressedSize: false,
    lib: {
      entry: fileURLToPath(new URL('../page/site.ts', import.meta.url)),
      formats: ['es'],
      fileName: () => 'site.js',
      cssFileName: 'site',
    },
  },
});
