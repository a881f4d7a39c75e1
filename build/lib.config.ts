/** Builds the library for bundlers: a file for each of `src/`, so that they leave out what an app does not use. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { bytesPlugin } from './bytes-plugin.ts';
import { ENTRIES } from './entries.ts';
import { hostPlugin } from './host-plugin.ts';
import { liftPlugin } from './lift-plugin.ts';
import { defined } from './version.ts';

const host = fileURLToPath(new URL('../src/host/', import.meta.url));

/** Imported by `#host/…` alone, so that nothing else leads to them. */
const hostEntries = Object.fromEntries(
  readdirSync(host).map((name) => [`host/${name.replace(/\.ts$/, '')}`, `${host}${name}`]),
);

export default defineConfig({
  plugins: [hostPlugin({ as: 'import', workerText: 'dist/web/program-worker.js' }), liftPlugin(), bytesPlugin()],
  define: defined,
  build: {
    target: 'es2022',
    outDir: 'dist/lib',
    emptyOutDir: true,
    lib: { entry: { ...ENTRIES, 'program-worker': 'src/worker/program-worker.ts', ...hostEntries }, formats: ['es'] },
    rolldownOptions: {
      external: [/^node:/, /^(acorn|lodash|vega|vega-lite|@sveltejs\/acorn-typescript)(\/|$)/],
      output: { preserveModules: true, preserveModulesRoot: 'src', entryFileNames: '[name].js' },
    },
    minify: false,
  },
});
