import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { defineConfig } from 'vite';
import { bytesPlugin } from './build/bytes-plugin.ts';
import { keptCodePlugin } from './build/kept-code-plugin.ts';
import { liftPlugin } from './build/lift-plugin.ts';

const external = [
  ...builtinModules,
  ...builtinModules.map((name) => `node:${name}`),
  /^acorn$/,
  /^@sveltejs\/acorn-typescript$/,
  /^lodash$/,
  /^vega$/,
  /^vega-lite$/,
];

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

export default defineConfig({
  plugins: [liftPlugin(), bytesPlugin(), keptCodePlugin()],
  define: { WAYMARK_VERSION: JSON.stringify(version) },
  build: {
    target: 'node20',
    lib: {
      entry: {
        // What `import … from 'waymark'` gives.
        index: 'src/index.ts',
        // What `import … from 'waymark/program'` gives.
        program: 'src/program/index.ts',
        // The command, and the thread its programs run in.
        cli: 'src/cli/main.ts',
        worker: 'src/cli/worker.ts',
        // The process that runs the programs of a batch.
        'batch-child': 'src/cli/batch-child.ts',
        'kept-code': 'src/cli/kept-code.ts',
        // For bench/ and conformance/, which say the nearest name too.
        errors: 'src/runtime/errors.ts',
      },
      formats: ['es'],
    },
    rolldownOptions: { external },
    minify: false,
    sourcemap: false,
    emptyOutDir: true,
  },
});
