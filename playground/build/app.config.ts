/** The pages of the playground. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { cssTarget, outDir } from './script.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig({
  root,
  base: './',
  logLevel: 'warn',
  build: {
    target: 'es2022',
    cssTarget,
    outDir,
    emptyOutDir: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: [`${root}index.html`] },
  },
});
