/**
 * Measures the numeric engine: `node bench/engine/run.js [start] [scalars] [lanes] [recorded] [vae]`. The step of the
 * autoencoder is compared with PyTorch's if a Python that has it is found: `python3`, or what PYTHON names.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

await build({
  configFile: false,
  logLevel: 'error',
  build: {
    target: 'node20',
    ssr: true,
    rolldownOptions: { input: [here('./main.ts'), here('./engine.ts')], output: { entryFileNames: '[name].js' } },
    outDir: here('../../node_modules/.cache/waymark-bench'),
    emptyOutDir: true,
    minify: false,
  },
});
const { status } = spawnSync(
  process.execPath,
  [here('../../node_modules/.cache/waymark-bench/main.js'), ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
process.exitCode = status ?? 1;
