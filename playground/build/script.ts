/** How scripts are built that are one file each, to be started from their text. */
import { fileURLToPath } from 'node:url';
import type { UserConfig } from 'vite';

export const outDir = fileURLToPath(new URL('../../dist/playground', import.meta.url));

/** Browsers that know `light-dark()`: what would be written for older ones works in no shadow tree. */
export const cssTarget = ['chrome123', 'firefox120', 'safari17.5'];

export function script(name: string, entry: string, format: 'iife' | 'es' = 'iife'): UserConfig {
  return {
    logLevel: 'warn',
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      target: 'es2022',
      cssTarget,
      outDir,
      emptyOutDir: false,
      minify: true,
      reportCompressedSize: false,
      lib: { entry, formats: [format], name: 'waymark', fileName: () => `${name}.js` },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  };
}
