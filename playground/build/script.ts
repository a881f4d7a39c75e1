/** How scripts are built that are one file each, to be started from their text. */
import { fileURLToPath } from 'node:url';
import type { UserConfig } from 'vite';

export const outDir = fileURLToPath(new URL('../../dist/playground', import.meta.url));

export function script(name: string, entry: string, format: 'iife' | 'es' = 'iife'): UserConfig {
  return {
    logLevel: 'warn',
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      target: 'es2022',
      outDir,
      emptyOutDir: false,
      minify: true,
      reportCompressedSize: false,
      lib: { entry, formats: [format], name: 'waymark', fileName: () => `${name}.js` },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  };
}
