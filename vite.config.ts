import { builtinModules } from 'node:module';
import { defineConfig } from 'vite';
import { acornPlugin } from './build/acorn-plugin.ts';
import { bytesPlugin } from './build/bytes-plugin.ts';
import { emptyPlugin } from './build/empty-plugin.ts';
import { BUNDLERS, ENTRIES } from './build/entries.ts';
import { keptCodePlugin } from './build/kept-code-plugin.ts';
import { liftPlugin } from './build/lift-plugin.ts';
import { namespacePlugin } from './build/namespace-plugin.ts';
import { ownTextPlugin } from './build/own-text-plugin.ts';
import { defined } from './build/version.ts';
import { workerChunkPlugin, workerChunks } from './build/worker-chunk.ts';

const external = [
  ...builtinModules,
  ...builtinModules.map((name) => `node:${name}`),
  /^lodash$/,
  /^vega$/,
  /^vega-lite$/,
  /^unplugin$/,
];

const pluginEntries = Object.fromEntries(BUNDLERS.map((name) => [`bundlers/${name}`, `src/plugin/${name}.ts`]));

export default defineConfig({
  plugins: [
    emptyPlugin(['lib', 'web', 'types', 'playground', 'site']),
    acornPlugin(),
    liftPlugin(),
    bytesPlugin(),
    workerChunkPlugin(),
    ownTextPlugin(),
    namespacePlugin(),
    keptCodePlugin(),
  ],
  define: defined,
  build: {
    target: 'node20',
    lib: {
      entry: {
        // What `import … from 'waymark'` gives on Node, and so on.
        index: ENTRIES.index,
        program: ENTRIES.program,
        workers: ENTRIES.worker,
        webppl: ENTRIES.webppl,
        algorithms: ENTRIES.algorithms,
        'program-worker': 'src/worker/program-worker.ts',
        compiled: ENTRIES.compiled,
        gradients: ENTRIES.gradients,
        columns: ENTRIES.columns,
        ...pluginEntries,
        register: 'src/register/register.ts',
        'register-hooks': 'src/register/hooks.ts',
        'register-required': 'src/register/compile-required.ts',
        // The command, and the thread its programs run in.
        cli: 'src/cli/main.ts',
        worker: 'src/cli/worker.ts',
        // The process that runs the programs of a batch.
        'batch-child': 'src/cli/batch-child.ts',
        // For bench/ and conformance/, which say the nearest name too.
        errors: 'src/runtime/errors.ts',
      },
      formats: ['es'],
    },
    rolldownOptions: {
      external,
      // Doc comments are in the types; here they would be read at every start.
      output: { codeSplitting: { groups: workerChunks }, comments: { jsdoc: false } },
    },
    minify: false,
    sourcemap: false,
    emptyOutDir: false,
  },
});
