/** Measures the numeric engine: `node bench/engine/run.js [scalars] [lanes] [recorded] [vae]`. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

await build({
  configFile: false,
  logLevel: 'error',
  build: {
    target: 'node20',
    ssr: here('./main.ts'),
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
