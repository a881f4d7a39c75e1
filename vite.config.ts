import { builtinModules } from 'node:module';
import { defineConfig } from 'vite';

const external = [
  ...builtinModules,
  ...builtinModules.map((name) => `node:${name}`),
  /^acorn$/,
  /^@sveltejs\/acorn-typescript$/,
  /^lodash$/,
];

export default defineConfig({
  build: {
    target: 'node20',
    lib: {
      entry: { index: 'src/index.ts', cli: 'src/cli/main.ts', worker: 'src/cli/worker.ts' },
      formats: ['es'],
    },
    rolldownOptions: { external },
    minify: false,
    sourcemap: false,
    emptyOutDir: true,
  },
});
